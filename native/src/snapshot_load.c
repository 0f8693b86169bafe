/* T8 loading snapshots: allocate the new objects, put their words right, apply what
 * changed in the image's part, and set up the run.
 *
 * Trusts nothing. Every reference is checked before it is stored, every size before
 * it is used, and the frames of the run and of each continuation are walked once
 * with bounds. The order matters: when frames are walked, their words are relocated
 * and their addresses are in place. A failure leaves a context that can be freed. */
#include "snapshot_format.h"
#include "code.h"
#include "shape.h"
#include "symbol.h"

struct loader {
    struct vm *vm;
    struct heap *h;
    struct image_view view;
    struct snapshot_header header;
    struct snapshot_layout layout;
    const uint8_t *bytes;
    val *objects; /* where the new objects came to lie, tagged */
    struct block **pages;
    struct run *run;
    bool bad, no_memory;
};

static bool fail(struct loader *l)
{
    l->bad = true;
    return false;
}

static bool out_of_memory(struct loader *l)
{
    l->no_memory = true;
    return false;
}

/* -- the header ----------------------------------------------------------------------- */
static const char *check_header(const struct snapshot_header *header,
                                struct snapshot_layout *layout, const uint8_t *bytes, size_t length)
{
    if (header->magic != SNAPSHOT_MAGIC)
        return "this is not a snapshot";
    if (header->version != SNAPSHOT_VERSION)
        return "the snapshot has another format version";
    if (memchr(header->fingerprint, 0, sizeof header->fingerprint) == NULL)
        return "the snapshot is damaged: fingerprint";
    if (header->length != length || !snapshot_layout(header, layout) || layout->end != length)
        return "the snapshot is damaged: wrong sizes";
    uint64_t sum;
    memcpy(&sum, bytes + layout->checksum, 8);
    if (sum != image_checksum(bytes, layout->checksum))
        return "the snapshot is damaged: wrong checksum";
    return NULL;
}

static bool read_header(const uint8_t *bytes, size_t length, struct snapshot_header *header,
                        struct snapshot_layout *layout, char *error, size_t n)
{
    if (length < sizeof *header)
        return image_fail(error, n, "this is not a snapshot: too short", "");
    memcpy(header, bytes, sizeof *header);
    const char *reason = check_header(header, layout, bytes, length);
    if (reason != NULL)
        return image_fail(error, n, reason, "");
    if (strcmp(header->fingerprint, engine_fingerprint()) != 0)
        return image_fail(error, n,
                          "the snapshot was made by another engine: ", header->fingerprint);
    if (header->tables != image_tables_hash())
        return image_fail(error, n, "the snapshot was made with other types or primitives", "");
    return true;
}

bool snapshot_base(const uint8_t *bytes, size_t length, uint64_t *identity, char *error, size_t n)
{
    struct snapshot_header header;
    struct snapshot_layout layout;
    if (!read_header(bytes, length, &header, &layout, error, n))
        return false;
    *identity = header.base;
    return true;
}

/* -- references -------------------------------------------------------------------------- */
/* Does an object with this tag start at an offset of a section of the image? */
static bool is_in_section(const struct loader *l, bool private_one, uint64_t offset, unsigned tag)
{
    const uint8_t *section = private_one ? l->view.private_part : l->view.shared;
    const uint8_t *starts = l->view.starts + (private_one ? l->view.shared_pages : 0);
    size_t pages = private_one ? l->view.private_pages : l->view.shared_pages;
    if (offset / CHUNK >= pages || !starts[offset / CHUNK])
        return false;
    const struct block *b =
        (const struct block *)(const void *)(section + (offset & ~(uint64_t)(CHUNK - 1)));
    return block_marked(b, (unsigned)(offset % CHUNK) / GRANULE) &&
           is_eq(val_at((uintptr_t)section + offset), VAL((uintptr_t)section + offset + tag));
}

/* The value for a word. False: none. */
static bool decode(struct loader *l, uint64_t word, val *out)
{
    val v = VAL(word);
    unsigned tag = val_tag(v);
    if (tag == TAG_HEADER)
        return fail(l);
    *out = v;
    if (!is_pointer(v))
        return is_control(v) ? fail(l) : true;
    uint64_t place = word & ~(IS_NEW | IN_PRIVATE) & ~(uint64_t)TAG_MASK;
    if (place & 8)
        return fail(l);
    if (word & IS_NEW) {
        uint64_t number = place >> 4;
        if ((word & IN_PRIVATE) || number >= l->header.objects ||
            val_tag(l->objects[number]) != tag)
            return fail(l);
        *out = l->objects[number];
        return true;
    }
    bool private_one = (word & IN_PRIVATE) != 0;
    if (!is_in_section(l, private_one, place, tag))
        return fail(l);
    *out = private_one ? VAL((uintptr_t)l->pages[place / CHUNK] + place % CHUNK + tag)
                       : VAL((uintptr_t)l->view.shared + place + tag);
    return true;
}

static void decode_field(void *context, val *slot)
{
    struct loader *l = context;
    if (!l->bad)
        (void)decode(l, slot->bits, slot);
}

static bool decode_as(struct loader *l, uint64_t word, enum type type, val *out)
{
    if (!decode(l, word, out))
        return false;
    return is_eq(*out, FALSE) || is_type(*out, type) ? true : fail(l);
}

/* -- the new objects ------------------------------------------------------------------------ */
static bool is_kind_good(uint8_t kind, uint64_t first)
{
    bool code = (first & TAG_MASK) == TAG_HEADER && header_type(first) == T_CODE;
    return kind < SPACE_COUNT && code == (kind == SPACE_CODE);
}

static bool place_object(struct loader *l, size_t number, const uint8_t *from, size_t room,
                         size_t *bytes)
{
    static const uint32_t flags[SPACE_COUNT] = {0, BLOCK_CONSTANT, BLOCK_CODE};
    uint8_t kind = l->bytes[l->layout.kinds + number];
    uint64_t first;
    *bytes = room < 16 ? 0 : image_object_size(from, room);
    if (*bytes == 0)
        return fail(l);
    memcpy(&first, from, 8);
    if (!is_kind_good(kind, first))
        return fail(l);
    uint64_t *to;
    if (*bytes >= LARGE_OBJECT) {
        struct block *b = large_alloc(l->h, *bytes, flags[kind]);
        to = b == NULL ? NULL : (uint64_t *)(b + 1);
    } else {
        to = old_alloc(l->h, (enum space_kind)kind, *bytes);
    }
    if (to == NULL)
        return out_of_memory(l);
    memcpy(to, from, *bytes);
    l->objects[number] = val_at((uintptr_t)to);
    return true;
}

static bool place_objects(struct loader *l)
{
    const uint8_t *from = l->bytes + l->layout.objects;
    size_t left = (size_t)l->header.object_bytes;
    for (size_t i = 0; i < l->header.objects; i++) {
        size_t bytes;
        if (!place_object(l, i, from, left, &bytes))
            return false;
        from += bytes;
        left -= bytes;
    }
    return left == 0 ? true : fail(l);
}

static bool note_host(struct loader *l, val object)
{
    if (!hosts_make_room(l->h))
        return out_of_memory(l);
    hosts_add(l->h, object);
    return true;
}

static bool check_object(struct loader *l, val object)
{
    static const struct shape_base addresses = {0, 0};
    if (!shape_is_good(object, addresses))
        return fail(l);
    bool host = object_type(object) == T_FOREIGN || object_type(object) == T_HOST_PROCEDURE;
    return !host || note_host(l, object);
}

static bool relocate_objects(struct loader *l)
{
    for (size_t i = 0; i < l->header.objects && !l->bad; i++)
        trace_fields(l->objects[i], decode_field, l);
    for (size_t i = 0; i < l->header.objects && !l->bad; i++) {
        if (is_object(l->objects[i]) && !check_object(l, l->objects[i]))
            return false;
    }
    for (size_t i = 0; i < l->header.objects && !l->bad; i++) {
        if (is_type(l->objects[i], T_CODE) && !code_restore(l->objects[i]))
            return fail(l);
    }
    return !l->bad;
}

/* -- what changed ------------------------------------------------------------------------------ */
static struct snapshot_pair pair_at(const struct loader *l, size_t part, size_t i)
{
    struct snapshot_pair p;
    memcpy(&p, l->bytes + part + i * sizeof p, sizeof p);
    return p;
}

/* The object of the image's private part that a word of it lies in, or NULL. */
static const uint8_t *object_around(const struct loader *l, uint64_t offset)
{
    const uint8_t *starts = l->view.starts + l->view.shared_pages;
    size_t page = (size_t)(offset / CHUNK);
    if (page >= l->view.private_pages)
        return NULL;
    while (!starts[page] && page > 0)
        page--;
    const uint8_t *base = l->view.private_part + page * CHUNK;
    const struct block *b = (const struct block *)(const void *)base;
    size_t g = b->flags & BLOCK_LARGE ? BLOCK_FIRST : (size_t)(offset % CHUNK) / GRANULE;
    while (g > 0 && !block_marked(b, (unsigned)g))
        g--;
    const uint8_t *object = base + g * GRANULE;
    size_t size = g == 0 ? 0 : val_size(val_at((uintptr_t)object));
    return l->view.private_part + offset < object + size ? object : NULL;
}

static bool is_value_word(uint64_t first, size_t word)
{
    if ((first & TAG_MASK) != TAG_HEADER)
        return true;
    const struct type_layout *layout = &type_layouts[header_type(first)];
    size_t fields = 1u + layout->fields;
    return word > 0 &&
           (word < fields || (layout->body == BODY_VALS && word >= fields + layout->raw));
}

static bool apply_patch(struct loader *l, struct snapshot_pair p)
{
    if (p.place >= (uint64_t)l->view.private_pages * (CHUNK / 8))
        return fail(l);
    uint64_t offset = p.place * 8, first;
    const uint8_t *object = object_around(l, offset);
    if (object == NULL)
        return fail(l);
    memcpy(&first, object, 8);
    size_t at = (size_t)(object - l->view.private_part);
    size_t word = ((size_t)offset - at) / 8;
    bool pair = (first & TAG_MASK) != TAG_HEADER;
    enum type type = pair ? T_VECTOR : header_type(first);
    if (type == T_CODE || type == T_PRIMITIVE || type == T_SEGMENT || type == T_CONTINUATION)
        return fail(l);
    val *slot = (val *)((uintptr_t)l->pages[at / CHUNK] + at % CHUNK) + word;
    if (is_value_word(first, word))
        return decode(l, p.value, slot);
    if (!pair && word == 0 && ((p.value ^ first) & ~(uint64_t)0xf8) != 0)
        return fail(l);
    slot->bits = p.value;
    return true;
}

static bool apply_patches(struct loader *l)
{
    for (size_t i = 0; i < l->header.patches; i++) {
        if (!apply_patch(l, pair_at(l, l->layout.patches, i)))
            return false;
    }
    return true;
}

static bool apply_slots(struct loader *l)
{
    struct heap *h = l->h;
    if (l->header.slot_count < h->slot_count)
        return fail(l);
    while (h->slot_count < l->header.slot_count) {
        if (is_control(heap_new_slot(h)))
            return out_of_memory(l);
    }
    for (size_t i = 0; i < l->header.slots; i++) {
        struct snapshot_pair p = pair_at(l, l->layout.slots, i);
        if (p.place >= h->slot_count || !decode(l, p.value, &h->slots[p.place]))
            return fail(l);
    }
    return true;
}

static bool apply_roots(struct loader *l)
{
    struct heap *h = l->h;
    for (size_t i = 0; i < ROOT_COUNT; i++) {
        if (!decode(l, l->header.roots[i], &h->roots[i]))
            return false;
    }
    if (!shape_roots_are_good(h->roots))
        return fail(l);
    h->serial = l->header.serial;
    h->collections = l->header.collections + 1; /* no address that was noted is good */
    return units_expect(h, l->header.unit_ids) ? true : out_of_memory(l);
}

static bool apply_serials(struct loader *l)
{
    serials_drop(l->h);
    for (size_t i = 0; i < l->header.serials; i++) {
        struct snapshot_pair p = pair_at(l, l->layout.serials, i);
        val object;
        uint64_t known;
        if (!decode(l, p.place, &object) || !is_pointer(object) || p.value >= l->header.serial ||
            serial_find(l->h, object, &known))
            return fail(l);
        if (!serial_put(l->h, object, p.value))
            return out_of_memory(l);
    }
    return true;
}

static bool apply_output(struct loader *l)
{
    for (size_t i = 0; i < ARRAY_LENGTH(l->header.output); i++) {
        struct console_buffer *b = &l->h->console[i];
        size_t n = (size_t)l->header.output[i];
        if (n == 0)
            continue;
        b->data = heap_malloc(l->h, n);
        if (b->data == NULL)
            return out_of_memory(l);
        b->capacity = b->length = n;
        memcpy(b->data, l->bytes + l->layout.output[i], n);
    }
    return true;
}

/* -- the run --------------------------------------------------------------------------------------
 */
static bool decode_pc(struct loader *l, uint64_t code, uint64_t index, const uint64_t **out)
{
    val v = FALSE;
    if (code != 0 && (!decode(l, code, &v) || is_eq(v, FALSE)))
        return fail(l);
    return frame_pc(v, index, out) ? true : fail(l);
}

static bool make_run(struct loader *l)
{
    const struct snapshot_header *header = &l->header;
    struct run *run = l->run = run_new(l->vm, FALSE, NULL, 0);
    if (run == NULL)
        return out_of_memory(l);
    size_t words = (size_t)header->stack_words;
    if (header->fp < 2 || header->fp > words || header->state > RUN_WAITING ||
        header->event > EVENT_INTERRUPTED || (header->nargs & ~NARGS_SPREAD) > SNAPSHOT_COUNT_MOST)
        return fail(l);
    if (is_control(stack_room(l->vm, run, words + STATIC_FRAME)))
        return out_of_memory(l);
    const uint8_t *from = l->bytes + l->layout.stack;
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, from + i * 8, 8);
        if (!decode(l, word, &run->stack[STACK_BASE + i]))
            return false;
    }
    run->fp = run->stack + STACK_BASE + header->fp;
    run->nargs = header->nargs;
    run->fuel = header->fuel;
    run->tick = header->tick;
    run->state = (uint8_t)header->state;
    run->event = (uint8_t)header->event;
    run->long_next = header->long_next != 0;
    run->segment_top = (size_t)header->segment_top;
    return decode_as(l, header->segment, T_SEGMENT, &run->segment) &&
           decode_as(l, header->dynamic_state, T_DYNAMIC_STATE, &run->dynamic_state) &&
           decode_as(l, header->step, T_STATE, &run->step) &&
           decode(l, header->value, &run->value) &&
           decode_pc(l, header->pc_code, header->pc, &run->pc);
}

/* -- addresses
 * ----------------------------------------------------------------------------------------- */
/* The addresses of each segment stand in the order of the objects, then those of the
 * stack; within one from the topmost frame down. So a walk meets them one by one. */
struct frames_reader {
    struct loader *loader;
    size_t next; /* address */
    uint64_t base;
};

static bool next_address(void *context, size_t at, const uint64_t **pc)
{
    struct frames_reader *r = context;
    struct loader *l = r->loader;
    struct snapshot_address a;
    if (r->next >= l->header.addresses)
        return false;
    memcpy(&a, l->bytes + l->layout.addresses + r->next++ * sizeof a, sizeof a);
    return a.place == r->base + at && a.pc != 0 && decode_pc(l, a.code, a.pc, pc);
}

static bool read_addresses(struct loader *l)
{
    struct frames_reader r = {l, 0, 0};
    for (size_t i = 0; i < l->header.objects; i++) {
        val object = l->objects[i];
        r.base = (uint64_t)i << PLACE_SHIFT | 3;
        if (is_type(object, T_SEGMENT) &&
            !frame_put_places((val *)object_words(object) + 3, object_length(object), next_address,
                              &r))
            return fail(l);
    }
    r.base = PLACE_STACK << PLACE_SHIFT;
    return (frame_put_places(l->run->stack + STACK_BASE, (size_t)l->header.fp - 1, next_address,
                             &r) &&
            r.next == l->header.addresses) ||
           fail(l);
}

static bool check_tops(struct loader *l)
{
    for (size_t i = 0; i < l->header.objects; i++) {
        val v = l->objects[i];
        bool has_top = is_type(v, T_SEGMENT) || is_type(v, T_CONTINUATION);
        if (has_top && !frame_is_top(object_field(v, 0), object_raw(v)[0]))
            return fail(l);
    }
    return frame_is_top(l->run->segment, l->run->segment_top) ? true : fail(l);
}

static bool finish_run(struct loader *l)
{
    struct run *run = l->run;
    if (!read_addresses(l) || !check_tops(l))
        return false;
    if (run->state == RUN_WAITING && (!is_vector(run->value) || object_length(run->value) == 0))
        return fail(l);
    frame_settle(run);
    l->h->space->live_after_full = l->h->used - l->h->nursery_size;
    return true;
}

/* -- all together
 * ----------------------------------------------------------------------------------------- */
static bool load(struct loader *l)
{
    return place_objects(l) && relocate_objects(l) && apply_patches(l) && apply_slots(l) &&
           apply_roots(l) && apply_serials(l) && apply_output(l) && make_run(l) && finish_run(l);
}

static bool is_fresh(const struct vm *vm)
{
    const struct heap *h = &vm->heap;
    return vm->next_serial == 1 && h->collections == 0 && h->free == h->nursery_base;
}

/* Each private page of the image has its block, as in a fresh instance. */
static bool find_pages(struct loader *l)
{
    size_t count = l->view.private_pages;
    snapshot_pages(l->h, l->pages, count);
    const uint8_t *starts = l->view.starts + l->view.shared_pages;
    for (size_t p = 0; p < count; p++) {
        if (starts[p] && l->pages[p] == NULL)
            return false;
    }
    return true;
}

bool snapshot_load(struct vm *vm, const uint8_t *bytes, size_t length, struct snapshot_run *out,
                   char *error, size_t n)
{
    struct loader l = {.vm = vm, .h = &vm->heap, .bytes = bytes};
    (void)image_fail(error, n, "", "");
    if (!read_header(bytes, length, &l.header, &l.layout, error, n))
        return false;
    if (l.h->image != NULL)
        image_view(l.h->image, &l.view);
    if (l.view.identity != l.header.base)
        return image_fail(error, n, "the snapshot was made over another image", "");
    if (!is_fresh(vm))
        return image_fail(error, n, "a snapshot can be loaded into a fresh context only", "");
    l.objects = alloc_new(((size_t)l.header.objects + 1) * sizeof *l.objects);
    l.pages = alloc_new((l.view.private_pages + 1) * sizeof *l.pages);
    l.no_memory = l.objects == NULL || l.pages == NULL;
    bool ok = !l.no_memory && find_pages(&l) && load(&l);
    alloc_free(l.objects);
    alloc_free(l.pages);
    *out = (struct snapshot_run){l.run, l.header.output_used};
    if (!ok && !l.no_memory)
        return image_fail(error, n, "the snapshot is damaged: bad object, reference or frame", "");
    return ok;
}
