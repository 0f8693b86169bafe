/* T8 making snapshots: find what differs from the image, number what is new, write.
 *
 * Objects that came with the image stay where they were put (but see thin.c); so the
 * blocks copied from it are compared word by word with the image, and only what their
 * changed words, the changed slots, the roots and the run lead to is followed. An
 * object at such a place with the same header counts as the image's own: its words are
 * patched. There is no collection and no recursion; scratch memory is plain. */
#include "snapshot_format.h"
#include "snapshot_path.h"
#include "condition.h"
#include "prim.h"
#include "symbol.h"
#include "table.h"
#include "unit.h"

struct bytes {
    uint8_t *data;
    size_t length, capacity;
};

struct maker {
    struct graph graph; /* the new objects, in the order they are met */
    struct heap *h;
    struct run *run;
    struct image_view view; /* all zero where there is no image */
    struct block **pages;
    const struct snapshot_foreign *foreign;
    struct bytes kinds, objects, stack, patches, slots, addresses, serials;
    uint64_t place; /* of the frames in work: their first word */
    uint64_t *to;   /* where they are written */
    struct origin from;
    val refused;
    const char *why;
    bool no_memory;
};

/* -- buffers ------------------------------------------------------------------------- */
static void *more(struct maker *m, struct bytes *b, size_t n)
{
    if (b->capacity - b->length < n) {
        size_t capacity = size_max(1024, size_max(b->capacity * 2, b->length + n));
        uint8_t *data = alloc_resize(b->data, capacity);
        if (data == NULL) {
            m->no_memory = true;
            return NULL;
        }
        b->data = data;
        b->capacity = capacity;
    }
    b->length += n;
    return b->data + b->length - n;
}

static void add_pair(struct maker *m, struct bytes *b, uint64_t place, uint64_t value)
{
    struct snapshot_pair *p = more(m, b, sizeof *p);
    if (p != NULL)
        *p = (struct snapshot_pair){place, value};
}

static void refuse(struct maker *m, val v, const char *why)
{
    if (m->why == NULL) {
        m->why = why;
        m->refused = v;
    }
}

/* -- references ------------------------------------------------------------------------ */
void snapshot_pages(const struct heap *h, struct block **pages, size_t count)
{
    struct block *lists[SPACE_COUNT + 2] = {h->space->large, h->space->large_new};
    for (size_t i = 0; i < SPACE_COUNT; i++)
        lists[2 + i] = h->space->old[i].blocks;
    memset(pages, 0, count * sizeof *pages);
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        for (struct block *b = lists[i]; b != NULL; b = b->next) {
            if (b->spare != 0 && b->spare <= count)
                pages[b->spare - 1] = b;
        }
    }
}

static uint64_t without_flags(uint64_t header)
{
    return header & ~(uint64_t)0xf8;
}

/* The same instructions, whatever is cached behind them? Lengths are equal. */
static bool same_instructions(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t i = 0; i < words;) {
        size_t n = instruction_words(&a[i]);
        unsigned op = word_op(a[i]);
        bool cached = op < OPCODE_COUNT && opcode_rows[op].literal != LITERAL_NONE;
        for (size_t j = i; j < i + n && j < words; j++) {
            if (a[j] != b[j] && !(cached && j == i + 1))
                return false;
        }
        i += n;
    }
    return true;
}

static uint64_t encode(const struct maker *m, val v);

/* Does the object that lies where the image has `origin` count as that one? */
static bool is_in_place(const struct maker *m, val v, const uint8_t *origin)
{
    uint64_t first;
    memcpy(&first, origin, 8);
    if (is_pair(v))
        return (first & TAG_MASK) != TAG_HEADER;
    if ((first & TAG_MASK) != TAG_HEADER || without_flags(first) != without_flags(object_header(v)))
        return false;
    enum type type = object_type(v);
    if (type != T_CODE)
        return type != T_SEGMENT && type != T_CONTINUATION;
    const uint64_t *was = (const uint64_t *)(const void *)origin;
    size_t fields = type_layouts[T_CODE].fields, raw = type_layouts[T_CODE].raw;
    for (size_t i = 0; i < fields; i++) {
        val now = object_field(v, i);
        bool shared =
            is_pointer(now) && !heap_is_young(m->h, now) && (block_of(now)->flags & BLOCK_IMAGE);
        if (was[1 + i] != (is_pointer(now) && !shared ? encode(m, now) & ~IN_PRIVATE : now.bits))
            return false;
    }
    return memcmp(was + 1 + fields, object_raw(v), raw * 8) == 0 &&
           same_instructions(was + 1 + fields + raw, code_instructions(v),
                             (size_t)object_raw(v)[CODE_LENGTH]);
}

/* The offset in the private part of an object that came with the image, or 0. */
static uint64_t private_offset(const struct maker *m, val v)
{
    const struct block *b = block_of(v);
    if (b->spare == 0 || b->spare > m->view.private_pages)
        return 0;
    uint64_t offset = (b->spare - 1) * CHUNK + (val_address(v) & (CHUNK - 1));
    const uint8_t *page = m->view.private_part + (b->spare - 1) * CHUNK;
    if (!block_marked((const struct block *)(const void *)page, granule_of(v)) ||
        !is_in_place(m, v, m->view.private_part + offset))
        return 0;
    return offset;
}

/* What stands for a pointer to something of the image; 0: it is new. */
static uint64_t encode_old(const struct maker *m, val v)
{
    if (heap_is_young(m->h, v))
        return 0;
    if (block_of(v)->flags & BLOCK_IMAGE)
        return v.bits - (uintptr_t)m->view.shared;
    uint64_t offset = private_offset(m, v);
    return offset == 0 ? 0 : offset | val_tag(v) | IN_PRIVATE;
}

/* A symbol of the context's own table that nothing else refers to is forgotten. */
static uint64_t encode(const struct maker *m, val v)
{
    if (!is_pointer(v))
        return v.bits;
    uint64_t old = encode_old(m, v);
    if (old != 0)
        return old;
    size_t number = graph_find(&m->graph, v);
    return number == GRAPH_NONE ? HOLE.bits : (uint64_t)number << 4 | val_tag(v) | IS_NEW;
}

/* -- meeting objects -------------------------------------------------------------------- */
static bool is_foreign_allowed(const struct maker *m, val v)
{
    for (size_t i = 0; i < m->foreign->count; i++) {
        if (m->foreign->ids[i] == object_raw(v)[0])
            return true;
    }
    return false;
}

static void meet(struct maker *m, val v)
{
    if (!is_pointer(v) || encode_old(m, v) != 0)
        return;
    bool fresh = graph_find(&m->graph, v) == GRAPH_NONE;
    if (fresh && !graph_add(&m->graph, v, m->from))
        m->no_memory = true;
    if (fresh && is_type(v, T_FOREIGN) && !is_foreign_allowed(m, v))
        refuse(m, v, "an object of the host cannot be saved");
}

/* The constants in the parsed forms of a unit come anew with these. */
static bool is_left_out(const struct maker *m)
{
    return m->from.field == UNIT_RETAIN && m->from.from < m->graph.count &&
           is_type(m->graph.nodes[m->from.from].object, T_UNIT);
}

static void meet_field(void *context, val *slot)
{
    struct maker *m = context;
    if (!is_left_out(m))
        meet(m, *slot);
    m->from.field++;
}

/* The symbol table of the context keeps no symbol alive. */
static bool is_weak(const struct maker *m, val v)
{
    return is_eq(v, m->h->roots[ROOT_SYMBOLS]) && is_vector(v);
}

static void meet_all(struct maker *m)
{
    for (size_t i = 0; i < m->graph.count && !m->no_memory && m->why == NULL; i++) {
        val object = m->graph.nodes[i].object;
        m->from = (struct origin){(uint32_t)i, 0};
        if (is_weak(m, object))
            meet(m, object_field(object, SYMBOLS_BASE));
        else
            trace_fields(object, meet_field, m);
    }
}

/* -- what changed in the image's part ----------------------------------------------------- */
struct comparison {
    struct maker *m;
    const uint8_t *page;
    uint64_t offset; /* of the object in the private part */
    val object;
};

static void compare_word(struct maker *m, uint64_t word, uint64_t was, val now, bool is_value)
{
    if (!is_value || !is_pointer(now)) {
        if (now.bits != was)
            add_pair(m, &m->patches, word, now.bits);
        return;
    }
    uint64_t old = encode_old(m, now);
    bool same = old != 0 && (old & IN_PRIVATE ? was == (old & ~IN_PRIVATE) : was == now.bits);
    if (same)
        return;
    meet(m, now);
    m->from.field++;
    /* the number of a new object is not known to be final before it is met: it is */
    add_pair(m, &m->patches, word, encode(m, now));
}

/* The raw word that says at which addresses the pairs of a table lay. */
static bool is_stamp(val object, size_t word)
{
    return is_type(object, T_TABLE) && word == 1u + type_layouts[T_TABLE].fields + 1;
}

static void compare_object(struct maker *m, val v, const uint8_t *origin, uint64_t offset)
{
    const uint64_t *was = (const uint64_t *)(const void *)origin;
    const uint64_t *now = (const uint64_t *)val_address(v);
    size_t words = val_size(v) / 8, fields = 2, body = 2;
    bool values = is_pair(v), pair = is_pair(v);
    if (is_type(v, T_CODE))
        return;
    if (!pair) {
        const struct type_layout *layout = &type_layouts[object_type(v)];
        fields = 1u + layout->fields;
        body = fields + layout->raw;
        values = layout->body == BODY_VALS;
        words = 1u + layout->fields + layout->raw;
        if (layout->body != BODY_NONE)
            words = layout->body == BODY_VALS ? words + object_length(v)
                                              : words + (object_length(v) + 7) / 8;
    }
    for (size_t i = 0; i < words; i++) {
        bool is_value = pair || (i > 0 && i < fields) || (values && i >= body);
        val word = VAL(now[i]);
        if (is_stamp(v, i))
            word = VAL(table_saved_stamp(v));
        if (word.bits != was[i] || (is_value && is_pointer(word)))
            compare_word(m, offset / 8 + i, was[i], word, is_value);
    }
}

static void compare_visited(void *context, val v)
{
    struct comparison *c = context;
    struct maker *m = c->m;
    uint64_t offset = private_offset(m, v);
    if (offset == 0)
        return;
    m->from = (struct origin){FROM_IMAGE, 0};
    compare_object(m, v, m->view.private_part + offset, offset);
}

static void compare_image(struct maker *m)
{
    struct comparison c = {.m = m};
    for (size_t p = 0; p < m->view.private_pages && !m->no_memory; p++) {
        if (m->pages[p] != NULL)
            block_walk(m->pages[p], compare_visited, &c);
    }
}

/* -- roots -------------------------------------------------------------------------------- */
static bool slot_is_same(const struct maker *m, size_t i, val now)
{
    if (i >= m->view.slot_count)
        return false;
    uint64_t was = m->view.slots[i].bits;
    if (!is_pointer(now))
        return was == now.bits;
    uint64_t old = encode_old(m, now);
    if (old & IN_PRIVATE)
        return was == ((old & ~IN_PRIVATE) | IMAGE_PRIVATE);
    return old != 0 && was == now.bits;
}

static void meet_slots(struct maker *m)
{
    for (size_t i = 0; i < m->h->slot_count; i++) {
        val now = m->h->slots[i];
        if (slot_is_same(m, i, now))
            continue;
        m->from = (struct origin){FROM_SLOT, (uint32_t)i};
        meet(m, now);
        add_pair(m, &m->slots, i, encode(m, now));
    }
}

static bool root_is_saved(size_t i)
{
    return i != ROOT_HANDLES && i != ROOT_LITERAL;
}

/* Of a run that does not wait, it is of no use to anybody. */
static val value_of(const struct run *run)
{
    return run->state == RUN_WAITING ? run->value : UNSPECIFIED;
}

/* Of a call that waits for the host, only the arguments mean something. */
static const val *stack_end(const struct run *run)
{
    if (run->state != RUN_WAITING)
        return run->end;
    return run->fp + size_min((size_t)(run->nargs & ~NARGS_SPREAD), (size_t)(run->end - run->fp));
}

static void meet_roots(struct maker *m)
{
    for (size_t i = 0; i < ROOT_COUNT; i++) {
        m->from = (struct origin){FROM_ROOT, (uint32_t)i};
        if (root_is_saved(i))
            meet(m, m->h->roots[i]);
    }
    const struct run *run = m->run;
    val values[] = {value_of(run), run->segment, run->dynamic_state, run->step};
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        m->from = (struct origin){FROM_RUN, (uint32_t)i};
        meet(m, values[i]);
    }
    for (const val *p = run->stack + STACK_BASE, *end = stack_end(run); p < end; p++) {
        m->from = (struct origin){FROM_STACK, (uint32_t)(p - run->stack - STACK_BASE)};
        meet(m, *p);
    }
}

/* -- addresses ------------------------------------------------------------------------------ */
static bool note_address(void *context, size_t at, val code, size_t index)
{
    struct maker *m = context;
    struct snapshot_address *out = more(m, &m->addresses, sizeof *out);
    if (out == NULL)
        return false;
    *out = (struct snapshot_address){m->place + at, is_true(code) ? encode(m, code) : 0, index};
    m->to[at] = 0;
    return true;
}

/* The return addresses of frames, from the topmost one down; `to` has 0 in their places. */
static bool note_addresses(struct maker *m, const val *words, size_t top, uint64_t *to)
{
    m->to = to;
    return frame_places(words, top, note_address, m);
}

/* -- writing ---------------------------------------------------------------------------------- */
static void write_field(void *context, val *slot)
{
    *slot = VAL(encode(context, *slot));
}

static enum space_kind space_of(const struct maker *m, val v)
{
    if (heap_is_young(m->h, v))
        return SPACE_PLAIN;
    uint32_t flags = block_of(v)->flags;
    if (flags & BLOCK_CODE)
        return SPACE_CODE;
    return flags & BLOCK_CONSTANT ? SPACE_CONSTANT : SPACE_PLAIN;
}

/* What follows the last byte in use is zero, whatever memory held it. */
static void clear_tail(val object, uint8_t *copy, size_t bytes)
{
    uint64_t header = object_header(object);
    const struct type_layout *layout = &type_layouts[header_type(header)];
    size_t used = 8 + (size_t)(layout->fields + layout->raw) * 8;
    if (layout->body == BODY_BYTES)
        used += header_length(header);
    else if (layout->body != BODY_NONE)
        used += header_length(header) * 8;
    memset(copy + used, 0, bytes - used);
}

static void write_segment(struct maker *m, val segment, val copy, size_t number)
{
    const val *words = (const val *)object_words(segment) + 3;
    size_t top = object_length(segment);
    m->place = (uint64_t)number << PLACE_SHIFT | 3;
    if (top == 0 || !note_addresses(m, words, top, object_words(copy) + 3))
        refuse(m, segment, "a continuation cannot be saved at this point");
}

static void write_object(struct maker *m, size_t number)
{
    val object = m->graph.nodes[number].object;
    size_t bytes = val_size(object);
    uint8_t *kind = more(m, &m->kinds, 1), *to = more(m, &m->objects, bytes);
    if (kind == NULL || to == NULL)
        return;
    *kind = (uint8_t)space_of(m, object);
    memcpy(to, (const void *)val_address(object), bytes);
    val copy = VAL((uintptr_t)to + val_tag(object));
    if (is_object(object)) {
        clear_tail(object, to, bytes);
        if (object_type(object) == T_CODE)
            code_clear(copy);
        else if (object_type(object) == T_TABLE)
            object_raw(copy)[1] = table_saved_stamp(object);
        else if (object_type(object) == T_UNIT)
            object_fields(copy)[UNIT_RETAIN] = FALSE;
    }
    trace_fields(copy, write_field, m);
    if (is_type(object, T_SEGMENT))
        write_segment(m, object, copy, number);
}

static void write_stack(struct maker *m)
{
    struct run *run = m->run;
    const val *words = run->stack + STACK_BASE;
    size_t count = (size_t)(stack_end(run) - words), top = (size_t)(run->fp - words) - 1;
    uint64_t *to = more(m, &m->stack, count * 8);
    if (to == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        to[i] = encode(m, words[i]);
    m->place = PLACE_STACK << PLACE_SHIFT;
    if (!note_addresses(m, words, top, to))
        refuse(m, FALSE, "the run cannot be saved at this point");
}

static void write_serials(struct maker *m)
{
    const struct serial_map *maps[] = {&m->h->space->young_serials, &m->h->space->old_serials};
    for (size_t k = 0; k < ARRAY_LENGTH(maps); k++) {
        for (size_t i = 0; i < maps[k]->capacity; i++) {
            struct serial_entry e = maps[k]->entries[i];
            uint64_t key = e.key == 0 ? HOLE.bits : encode(m, VAL(e.key));
            if (is_pointer(VAL(key)))
                add_pair(m, &m->serials, key, e.serial);
        }
    }
}

/* -- putting together ----------------------------------------------------------------------------
 */
bool snapshot_layout(const struct snapshot_header *header, struct snapshot_layout *out)
{
    const uint64_t counts[] = {header->objects,   header->object_bytes, header->stack_words,
                               header->patches,   header->slots,        header->addresses,
                               header->serials,   header->output[0],    header->output[1],
                               header->slot_count};
    for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
        if (counts[i] > SNAPSHOT_COUNT_MOST)
            return false;
    }
    out->kinds = sizeof *header;
    out->objects = out->kinds + size_round_up((size_t)header->objects, 8);
    out->stack = out->objects + size_round_up((size_t)header->object_bytes, 8);
    out->patches = out->stack + (size_t)header->stack_words * 8;
    out->slots = out->patches + (size_t)header->patches * sizeof(struct snapshot_pair);
    out->addresses = out->slots + (size_t)header->slots * sizeof(struct snapshot_pair);
    out->serials = out->addresses + (size_t)header->addresses * sizeof(struct snapshot_address);
    out->output[0] = out->serials + (size_t)header->serials * sizeof(struct snapshot_pair);
    out->output[1] = out->output[0] + size_round_up((size_t)header->output[0], 8);
    out->checksum = out->output[1] + size_round_up((size_t)header->output[1], 8);
    out->end = out->checksum + 8;
    return true;
}

static void fill_run(struct maker *m, struct snapshot_header *header)
{
    const struct run *run = m->run;
    header->fp = (uint64_t)(run->fp - run->stack) - STACK_BASE;
    val code = FALSE;
    size_t pc = STATIC_APPLY; /* a run that waits goes on behind its call */
    if (run->state != RUN_WAITING && !frame_place(run->fp[-1], run->pc, &code, &pc))
        refuse(m, FALSE, "the run cannot be saved at this point");
    header->pc_code = is_true(code) ? encode(m, code) : 0;
    header->pc = pc;
    header->nargs = run->nargs;
    header->segment = encode(m, run->segment);
    header->segment_top = run->segment_top;
    header->dynamic_state = encode(m, run->dynamic_state);
    header->value = encode(m, value_of(run));
    header->step = encode(m, run->step);
    header->fuel = run->fuel;
    header->tick = run->tick;
    header->state = run->state;
    header->event = run->event;
    header->long_next = run->long_next;
}

static void fill_header(struct maker *m, struct snapshot_header *header)
{
    const struct heap *h = m->h;
    memcpy(header->fingerprint, engine_fingerprint(), strlen(engine_fingerprint()));
    header->magic = SNAPSHOT_MAGIC;
    header->version = SNAPSHOT_VERSION;
    header->tables = image_tables_hash();
    header->base = m->view.identity;
    header->objects = m->graph.count;
    header->object_bytes = m->objects.length;
    header->stack_words = m->stack.length / 8;
    header->patches = m->patches.length / sizeof(struct snapshot_pair);
    header->slots = m->slots.length / sizeof(struct snapshot_pair);
    header->addresses = m->addresses.length / sizeof(struct snapshot_address);
    header->serials = m->serials.length / sizeof(struct snapshot_pair);
    header->slot_count = h->slot_count;
    header->serial = h->serial;
    header->collections = h->collections;
    for (size_t i = 0; i < ROOT_COUNT; i++)
        header->roots[i] = root_is_saved(i) ? encode(m, h->roots[i]) : FALSE.bits;
    for (size_t i = 0; i < ARRAY_LENGTH(header->output); i++)
        header->output[i] = h->console[i].length;
    units_cached(m->h, header->unit_ids);
    fill_run(m, header);
}

static void put(uint8_t *blob, size_t at, const void *data, size_t length)
{
    if (length > 0)
        memcpy(blob + at, data, length);
}

static uint8_t *assemble(struct maker *m, uint64_t output_used, size_t *length)
{
    struct snapshot_header header;
    struct snapshot_layout layout;
    memset(&header, 0, sizeof header);
    fill_header(m, &header);
    header.output_used = output_used;
    if (m->why != NULL || m->no_memory || !snapshot_layout(&header, &layout))
        return NULL;
    uint8_t *blob = alloc_new(layout.end);
    if (blob == NULL)
        return NULL;
    memset(blob, 0, layout.end);
    header.length = *length = layout.end;
    put(blob, 0, &header, sizeof header);
    put(blob, layout.kinds, m->kinds.data, m->kinds.length);
    put(blob, layout.objects, m->objects.data, m->objects.length);
    put(blob, layout.stack, m->stack.data, m->stack.length);
    put(blob, layout.patches, m->patches.data, m->patches.length);
    put(blob, layout.slots, m->slots.data, m->slots.length);
    put(blob, layout.addresses, m->addresses.data, m->addresses.length);
    put(blob, layout.serials, m->serials.data, m->serials.length);
    for (size_t i = 0; i < ARRAY_LENGTH(layout.output); i++)
        put(blob, layout.output[i], m->h->console[i].data, m->h->console[i].length);
    uint64_t sum = image_checksum(blob, layout.checksum);
    memcpy(blob + layout.checksum, &sum, 8);
    return blob;
}

static void dispose(struct maker *m)
{
    struct bytes *all[] = {&m->kinds, &m->objects,   &m->stack,  &m->patches,
                           &m->slots, &m->addresses, &m->serials};
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
        alloc_free(all[i]->data);
    alloc_free(m->pages);
    graph_drop(&m->graph);
}

static void begin(struct maker *m)
{
    if (m->h->image != NULL)
        image_view(m->h->image, &m->view);
    m->pages = alloc_new((m->view.private_pages + 1) * sizeof(struct block *));
    m->no_memory = m->pages == NULL;
    if (m->no_memory)
        return;
    snapshot_pages(m->h, m->pages, m->view.private_pages);
    stack_clean(m->run);
}

uint8_t *snapshot_make(struct vm *vm, const struct snapshot_run *run,
                       const struct snapshot_foreign *foreign, size_t *length, uint64_t *refused,
                       char *error, size_t n)
{
    struct maker m = {.h = &vm->heap, .run = run->run, .foreign = foreign, .refused = FALSE};
    uint8_t *blob = NULL;
    begin(&m);
    if (!m.no_memory) {
        compare_image(&m);
        meet_slots(&m);
        meet_roots(&m);
        meet_all(&m);
    }
    for (size_t i = 0; i < m.graph.count && !m.no_memory && m.why == NULL; i++)
        write_object(&m, i);
    if (!m.no_memory && m.why == NULL) {
        write_stack(&m);
        write_serials(&m);
        blob = assemble(&m, run->output_used, length);
    }
    if (blob == NULL && m.why == NULL)
        m.why = "no memory for the snapshot";
    if (blob == NULL)
        graph_explain(&m.graph, vm, m.run, m.why, m.refused, error, n);
    if (blob == NULL && is_type(m.refused, T_FOREIGN))
        *refused = object_raw(m.refused)[0];
    dispose(&m);
    return blob;
}
