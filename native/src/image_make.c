/* T8 making images: enumerate, divide into shared and private, lay out, write.
 *
 * Objects are numbered breadth first from the roots and slots, in an order that
 * depends on the graph only. Scratch memory is plain (the host asked for it) and
 * grows with the number of objects; there is no recursion.
 *
 * Private is what a program can change, and whatever refers to something
 * private. Frozen, and so shared, are the insides of finished libraries: tables
 * and lists of environments, exports and macros, the vectors of record types; so are
 * records of types whose definition names no modifier. */
#include "code.h"
#include "environment.h"
#include "frame.h"
#include "front.h"
#include "image_format.h"
#include "record.h"
#include "table.h"

struct node {
    val object;
    uint32_t edge;  /* first of its pointers in edges; ends where the next node's begin */
    uint8_t frozen; /* inside of a finished library                          */
    uint8_t is_private;
    uint64_t reference; /* in the image, without tag                              */
};

struct section {
    size_t pages, capacity;
    uint8_t *bytes;
    size_t free[SPACE_COUNT]; /* where the next small object goes: offset  */
    size_t end[SPACE_COUNT];
};

struct maker {
    struct heap *h;
    struct node *nodes;
    size_t node_count, node_capacity;
    uint32_t *edges; /* node numbers */
    size_t edge_count, edge_capacity;
    uint32_t *index; /* open addressing: node number + 1 */
    size_t index_capacity;
    uint32_t *queue; /* worklists of freeze and divide */
    size_t queue_count;
    struct section sections[2]; /* shared, private */
    const uint32_t *edge;       /* write: the next edge of the object in work */
    struct image_address *addresses;
    size_t address_count, address_capacity;
    uint64_t place; /* of the frames in work: their first word */
    uint64_t *to;   /* where they are written */
    bool no_memory;
    const char *refused;
};

/* -- numbering -------------------------------------------------------------------------- */
static bool grow(struct maker *m, void **array, size_t *capacity, size_t item, size_t count)
{
    if (count <= *capacity)
        return true;
    size_t more = size_max(1024, size_max(count, *capacity * 2));
    void *p = more > UINT32_MAX ? NULL : alloc_resize(*array, more * item);
    if (p == NULL) {
        m->no_memory = true;
        return false;
    }
    memset((char *)p + *capacity * item, 0, (more - *capacity) * item);
    *array = p;
    *capacity = more;
    return true;
}

static size_t home(const struct maker *m, val v)
{
    uint64_t mixed = (val_address(v) >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (m->index_capacity - 1);
}

static void enter(struct maker *m, uint32_t number)
{
    size_t i = home(m, m->nodes[number].object);
    while (m->index[i] != 0)
        i = (i + 1) & (m->index_capacity - 1);
    m->index[i] = number + 1;
}

static bool index_grow(struct maker *m)
{
    if (m->node_count * 2 < m->index_capacity)
        return true;
    size_t capacity = size_max(2048, m->index_capacity * 2);
    uint32_t *index = alloc_new(capacity * sizeof *index);
    if (index == NULL) {
        m->no_memory = true;
        return false;
    }
    memset(index, 0, capacity * sizeof *index);
    alloc_free(m->index);
    m->index = index;
    m->index_capacity = capacity;
    for (size_t i = 0; i < m->node_count; i++)
        enter(m, (uint32_t)i);
    return true;
}

/* The node of an object, or UINT32_MAX. */
static uint32_t number_of(const struct maker *m, val v)
{
    if (!is_pointer(v) || m->index_capacity == 0)
        return UINT32_MAX;
    for (size_t i = home(m, v); m->index[i] != 0; i = (i + 1) & (m->index_capacity - 1)) {
        if (is_eq(m->nodes[m->index[i] - 1].object, v))
            return m->index[i] - 1;
    }
    return UINT32_MAX;
}

static uint32_t add(struct maker *m, val v)
{
    uint32_t number = number_of(m, v);
    if (number != UINT32_MAX)
        return number;
    if (!index_grow(m) ||
        !grow(m, (void **)&m->nodes, &m->node_capacity, sizeof *m->nodes, m->node_count + 1))
        return UINT32_MAX;
    number = (uint32_t)m->node_count++;
    m->nodes[number].object = v;
    enter(m, number);
    return number;
}

static void add_field(void *context, val *slot)
{
    struct maker *m = context;
    if (!is_pointer(*slot) || m->no_memory)
        return;
    uint32_t to = add(m, *slot);
    if (m->no_memory ||
        !grow(m, (void **)&m->edges, &m->edge_capacity, sizeof *m->edges, m->edge_count + 1))
        return;
    m->edges[m->edge_count++] = to;
}

/* Roots that mean nothing in another context. */
static bool root_is_saved(size_t i)
{
    return i != ROOT_HANDLES && i != ROOT_LITERAL;
}

static const char *why_refused(val v)
{
    if (is_pair(v))
        return NULL;
    return object_type(v) == T_FOREIGN ? "an object of the host cannot be saved" : NULL;
}

static void enumerate(struct maker *m)
{
    struct heap *h = m->h;
    for (size_t i = 0; i < ROOT_COUNT; i++) {
        if (root_is_saved(i) && is_pointer(h->roots[i]))
            (void)add(m, h->roots[i]);
    }
    for (size_t i = 0; i < h->slot_count; i++) {
        if (is_pointer(h->slots[i]))
            (void)add(m, h->slots[i]);
    }
    for (size_t i = 0; i < m->node_count && !m->no_memory && m->refused == NULL; i++) {
        val object = m->nodes[i].object;
        m->refused = why_refused(object);
        if (is_type(object, T_TABLE) && !(block_of(object)->flags & BLOCK_IMAGE))
            table_forget_addresses(object);
        m->nodes[i].edge = (uint32_t)m->edge_count;
        trace_fields(object, add_field, m);
    }
    /* one more node, without object, ends the edges of the last one */
    if (grow(m, (void **)&m->nodes, &m->node_capacity, sizeof *m->nodes, m->node_count + 1))
        m->nodes[m->node_count].edge = (uint32_t)m->edge_count;
}

/* -- freezing ------------------------------------------------------------------------------ */
static void freeze(struct maker *m, val v)
{
    uint32_t number = number_of(m, v);
    if (number == UINT32_MAX || m->nodes[number].frozen)
        return;
    m->nodes[number].frozen = 1;
    m->queue[m->queue_count++] = number;
}

static bool is_plain_data(val v)
{
    if (is_pair(v))
        return true;
    enum type type = object_type(v);
    return type == T_VECTOR || type == T_STRING || type == T_STORAGE || type == T_BYTEVECTOR;
}

static bool is_ready(val library)
{
    val state = object_field(library, LIBRARY_STATE);
    if (!is_symbol(state))
        return false;
    val name = object_field(state, 0);
    return object_length(name) == 5 && memcmp(object_bytes(name), "ready", 5) == 0;
}

static bool environment_is_frozen(const struct maker *m, val environment)
{
    val owner = object_field(environment, ENVIRONMENT_OWNER);
    val behind = m->h->roots[ROOT_TOP];
    while (is_type(behind, T_ENVIRONMENT)) {
        behind = object_field(behind, ENVIRONMENT_PARENT);
        if (is_eq(environment, behind))
            return true;
    }
    return is_eq(environment, m->h->roots[ROOT_CORE]) ||
           (is_type(owner, T_LIBRARY) && is_ready(owner));
}

static void freeze_insides(struct maker *m, val v)
{
    if (is_type(v, T_ENVIRONMENT) && environment_is_frozen(m, v)) {
        freeze(m, v);
        freeze(m, object_field(v, ENVIRONMENT_TABLE));
    } else if (is_type(v, T_LIBRARY) && is_ready(v)) {
        freeze(m, v);
        freeze(m, object_field(v, LIBRARY_NAME));
        freeze(m, object_field(v, LIBRARY_EXPORTS));
        freeze(m, object_field(v, LIBRARY_DOC));
    } else if (is_type(v, T_MACRO)) {
        freeze(m, v);
        freeze(m, object_field(v, MACRO_LITERALS));
        freeze(m, object_field(v, MACRO_RULES));
    } else if (is_type(v, T_RECORD_TYPE)) {
        freeze(m, object_field(v, RECORD_TYPE_FIELDS));
        freeze(m, object_field(v, RECORD_TYPE_EXTRA));
    }
}

/* Each node enters the queue at most once, so node_count places are enough. */
static void freeze_all(struct maker *m)
{
    freeze(m, m->h->roots[ROOT_SYMBOLS]);
    if (is_type(library_base(m->h), T_TABLE))
        freeze(m, library_base(m->h));
    for (size_t i = 0; i < m->node_count; i++)
        freeze_insides(m, m->nodes[i].object);
    while (m->queue_count > 0) {
        uint32_t number = m->queue[--m->queue_count];
        val object = m->nodes[number].object;
        if (is_object(object) && !is_plain_data(object) && !is_type(object, T_TABLE))
            continue;
        for (size_t e = m->nodes[number].edge; e < m->nodes[number + 1].edge; e++) {
            val to = m->nodes[m->edges[e]].object;
            if (is_plain_data(to))
                freeze(m, to);
        }
    }
}

/* -- dividing ---------------------------------------------------------------------------------- */
/* Can a program, or C on its behalf, change it? */
static bool can_change(const struct maker *m, const struct node *n)
{
    if (n->frozen || !heap_is_mutable(m->h, n->object))
        return false;
    if (is_pair(n->object))
        return true;
    switch (object_type(n->object)) {
    case T_RECORD:
        return !object_flag(record_type(n->object), RECORD_TYPE_CONSTANT);
    case T_STRING:
    case T_STORAGE:
    case T_BYTEVECTOR:
    case T_VECTOR:
    case T_BOX:
    case T_PROMISE:
    case T_TABLE:
    case T_ENVIRONMENT:
    case T_LIBRARY:
    case T_UNIT:
    case T_PORT:
    case T_EPHEMERON:
    case T_STATE:
    case T_HOST_PROCEDURE: /* its id is bound anew in each context */
    case T_CONTINUATION:   /* its frames have addresses               */
    case T_SEGMENT:
        return true;
    default:
        return false;
    }
}

/* Private spreads from what can change to all that refer to it. */
static bool divide(struct maker *m)
{
    size_t *starts = alloc_new((m->node_count + 2) * sizeof *starts);
    uint32_t *sources = alloc_new((m->edge_count + 1) * sizeof *sources);
    m->no_memory = starts == NULL || sources == NULL;
    if (!m->no_memory) {
        /* edges the other way round: starts[t + 1] counts, then runs as a cursor */
        memset(starts, 0, (m->node_count + 2) * sizeof *starts);
        for (size_t e = 0; e < m->edge_count; e++)
            starts[m->edges[e] + 2]++;
        for (size_t i = 2; i < m->node_count + 2; i++)
            starts[i] += starts[i - 1];
        for (size_t i = 0; i < m->node_count; i++) {
            for (size_t e = m->nodes[i].edge; e < m->nodes[i + 1].edge; e++)
                sources[starts[m->edges[e] + 1]++] = (uint32_t)i;
        }
        m->queue_count = 0;
        for (size_t i = 0; i < m->node_count; i++) {
            m->nodes[i].is_private = can_change(m, &m->nodes[i]);
            if (m->nodes[i].is_private)
                m->queue[m->queue_count++] = (uint32_t)i;
        }
        while (m->queue_count > 0) {
            uint32_t to = m->queue[--m->queue_count];
            for (size_t s = starts[to]; s < starts[to + 1]; s++) {
                struct node *from = &m->nodes[sources[s]];
                if (!from->is_private) {
                    from->is_private = 1;
                    m->queue[m->queue_count++] = sources[s];
                }
            }
        }
    }
    alloc_free(starts);
    alloc_free(sources);
    return !m->no_memory;
}

/* -- layout --------------------------------------------------------------------------------------
 */
static struct block *section_block(struct section *s, size_t offset)
{
    return (struct block *)(void *)(s->bytes + (offset & ~(size_t)(CHUNK - 1)));
}

static size_t section_pages(struct maker *m, struct section *s, size_t pages, uint32_t flags)
{
    size_t at = s->pages;
    if (!grow(m, (void **)&s->bytes, &s->capacity, CHUNK, s->pages + pages))
        return 0;
    s->pages += pages;
    struct block *b = section_block(s, at * CHUNK);
    b->flags = flags;
    b->pages = (uint32_t)pages;
    return at * CHUNK + sizeof *b;
}

/* The offset of `bytes` in a section. */
static size_t place(struct maker *m, struct section *s, enum space_kind kind, uint32_t flags,
                    size_t bytes)
{
    size_t at;
    if (bytes >= LARGE_OBJECT) {
        size_t run = size_round_up(bytes + sizeof(struct block), CHUNK);
        at = section_pages(m, s, run / CHUNK, flags | BLOCK_LARGE);
    } else {
        if (s->end[kind] - s->free[kind] < bytes) {
            s->free[kind] = section_pages(m, s, 1, flags);
            s->end[kind] = s->pages * CHUNK;
        }
        at = s->free[kind];
        s->free[kind] += bytes;
    }
    if (!m->no_memory)
        block_mark(section_block(s, at), (unsigned)(at % CHUNK) / GRANULE);
    return at;
}

static enum space_kind kind_of(const struct maker *m, const struct node *n)
{
    if (!n->is_private)
        return SPACE_CONSTANT;
    if (is_type(n->object, T_CODE))
        return SPACE_CODE;
    return heap_is_mutable(m->h, n->object) || n->frozen ? SPACE_PLAIN : SPACE_CONSTANT;
}

static bool lay_out(struct maker *m)
{
    static const uint32_t flags[SPACE_COUNT] = {0, BLOCK_CONSTANT, BLOCK_CODE};
    for (size_t i = 0; i < m->node_count && !m->no_memory; i++) {
        struct node *n = &m->nodes[i];
        enum space_kind kind = kind_of(m, n);
        size_t at =
            place(m, &m->sections[n->is_private], kind,
                  n->is_private ? flags[kind] : BLOCK_IMAGE | BLOCK_CONSTANT, val_size(n->object));
        n->reference = at | (n->is_private ? IMAGE_PRIVATE : 0);
    }
    return !m->no_memory;
}

/* -- writing
 * ----------------------------------------------------------------------------------------- */
static uint64_t reference(const struct maker *m, val v)
{
    uint32_t number = number_of(m, v);
    return number == UINT32_MAX ? v.bits : m->nodes[number].reference | val_tag(v);
}

static void write_field(void *context, val *slot)
{
    struct maker *m = context;
    if (is_pointer(*slot))
        *slot = VAL(m->nodes[*m->edge++].reference | val_tag(*slot));
}

/* What follows the last byte in use is zero, whatever memory held it. */
static void clear_tail(val original, uint8_t *copy, size_t bytes)
{
    uint64_t header = object_header(original);
    const struct type_layout *layout = &type_layouts[header_type(header)];
    size_t used = 8 + (size_t)(layout->fields + layout->raw) * 8;
    if (layout->body == BODY_BYTES)
        used += header_length(header);
    else if (layout->body != BODY_NONE)
        used += header_length(header) * 8;
    memset(copy + used, 0, bytes - used);
}

/* The storage of a string may be longer than the string. */
static void clear_string_rest(struct maker *m, const struct node *n)
{
    val storage = object_field(n->object, 0);
    uint32_t number = number_of(m, storage);
    if (!is_type(storage, T_STORAGE) || number == UINT32_MAX)
        return;
    unsigned width = (unsigned)(object_header(n->object) & FLAG_WIDTH_MASK) >> FLAG_WIDTH_SHIFT;
    size_t used = object_length(n->object) << width;
    struct section *s = &m->sections[m->nodes[number].is_private];
    size_t at = (size_t)(m->nodes[number].reference & ~IMAGE_REFERENCE_BITS);
    if (used < object_length(storage))
        memset(s->bytes + at + 8 + used, 0, object_length(storage) - used);
}

static bool note_address(void *context, size_t at, val code, size_t index)
{
    struct maker *m = context;
    if (!grow(m, (void **)&m->addresses, &m->address_capacity, sizeof *m->addresses,
              m->address_count + 1))
        return false;
    uint64_t known = is_true(code) ? reference(m, code) : 0;
    m->addresses[m->address_count++] = (struct image_address){m->place + at, known, index};
    m->to[at] = 0;
    return true;
}

static void write_segment(struct maker *m, const struct node *n)
{
    struct section *s = &m->sections[1];
    uint64_t offset = n->reference & ~IMAGE_REFERENCE_BITS;
    m->place = offset / 8 + 3;
    m->to = (uint64_t *)(void *)(s->bytes + offset) + 3;
    const val *words = (const val *)object_words(n->object) + 3;
    if (!frame_places(words, object_length(n->object), note_address, m) && !m->no_memory)
        m->refused = "a continuation cannot be saved at this point";
}

static void write_segments(struct maker *m)
{
    for (size_t i = 0; i < m->node_count && m->refused == NULL && !m->no_memory; i++) {
        if (is_type(m->nodes[i].object, T_SEGMENT))
            write_segment(m, &m->nodes[i]);
    }
}

static void write_nodes(struct maker *m)
{
    for (size_t i = 0; i < m->node_count; i++) {
        struct node *n = &m->nodes[i];
        struct section *s = &m->sections[n->is_private];
        uint8_t *copy = s->bytes + (n->reference & ~IMAGE_REFERENCE_BITS);
        size_t bytes = val_size(n->object);
        memcpy(copy, (const void *)val_address(n->object), bytes);
        val object = VAL((uintptr_t)copy + val_tag(n->object));
        m->edge = m->edges + n->edge;
        if (is_object(object)) {
            clear_tail(n->object, copy, bytes);
            if (!n->is_private)
                object_words(object)[0] |= FLAG_CONSTANT;
            if (object_type(object) == T_CODE)
                code_clear(object);
        }
        trace_fields(object, write_field, m);
    }
    for (size_t i = 0; i < m->node_count; i++) {
        if (is_type(m->nodes[i].object, T_STRING))
            clear_string_rest(m, &m->nodes[i]);
    }
}

/* Entries of one part in the order of their places; how many. */
static size_t write_serials(const struct maker *m, bool is_private, struct serial_entry *out)
{
    size_t count = 0;
    for (size_t i = 0; i < m->node_count; i++) {
        const struct node *n = &m->nodes[i];
        uint64_t serial;
        if (n->is_private != is_private || !serial_find(m->h, n->object, &serial))
            continue;
        struct serial_entry e = {n->reference | val_tag(n->object), serial};
        size_t at = count++;
        /* places grow with the number but for the pages of the three kinds */
        for (; at > 0 && out[at - 1].key > e.key; at--)
            out[at] = out[at - 1];
        out[at] = e;
    }
    return count;
}

static size_t count_serials(const struct maker *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->node_count; i++) {
        uint64_t serial;
        count += serial_find(m->h, m->nodes[i].object, &serial);
    }
    return count;
}

static void write_words(const struct maker *m, uint8_t *blob, const struct image_layout *layout)
{
    const struct heap *h = m->h;
    uint64_t *slots = (uint64_t *)(void *)(blob + layout->slots);
    uint64_t *roots = (uint64_t *)(void *)(blob + layout->roots);
    struct serial_entry *serials = (struct serial_entry *)(void *)(blob + layout->serials);
    for (size_t i = 0; i < h->slot_count; i++)
        slots[i] = reference(m, h->slots[i]);
    for (size_t i = 0; i < ROOT_COUNT; i++)
        roots[i] = root_is_saved(i) ? reference(m, h->roots[i]) : FALSE.bits;
    size_t shared = write_serials(m, false, serials);
    (void)write_serials(m, true, serials + shared);
}

static uint8_t *write_blob(struct maker *m, size_t *length)
{
    struct image_layout layout;
    struct image_header header = {.magic = IMAGE_MAGIC,
                                  .version = IMAGE_VERSION,
                                  .tables = image_tables_hash(),
                                  .shared_pages = m->sections[0].pages,
                                  .private_pages = m->sections[1].pages,
                                  .slot_count = m->h->slot_count,
                                  .root_count = ROOT_COUNT,
                                  .serial_count = count_serials(m),
                                  .serial = m->h->serial,
                                  .address_count = m->address_count};
    memcpy(header.fingerprint, engine_fingerprint(), strlen(engine_fingerprint()));
    uint8_t *blob = image_layout(&header, &layout) ? alloc_new(layout.end) : NULL;
    if (blob == NULL)
        return NULL;
    header.length = *length = layout.end;
    memcpy(blob, &header, sizeof header);
    if (header.shared_pages > 0)
        memcpy(blob + layout.shared, m->sections[0].bytes, m->sections[0].pages * CHUNK);
    if (header.private_pages > 0)
        memcpy(blob + layout.private_part, m->sections[1].bytes, m->sections[1].pages * CHUNK);
    write_words(m, blob, &layout);
    if (m->address_count > 0)
        memcpy(blob + layout.addresses, m->addresses, m->address_count * sizeof *m->addresses);
    uint64_t sum = image_checksum(blob, layout.checksum);
    memcpy(blob + layout.checksum, &sum, 8);
    return blob;
}

static void dispose(struct maker *m)
{
    alloc_free(m->nodes);
    alloc_free(m->edges);
    alloc_free(m->index);
    alloc_free(m->queue);
    alloc_free(m->addresses);
    alloc_free(m->sections[0].bytes);
    alloc_free(m->sections[1].bytes);
}

bool image_make(struct heap *h, struct image **out, char *error, size_t n)
{
    struct maker m = {.h = h};
    uint8_t *blob = NULL;
    size_t length = 0;
    *out = NULL;
    /* a context at its limit can be saved too: only that the nursery is empty counts */
    h->space->outside_wanted = 0;
    (void)!heap_collect_gc(h, COLLECT_FULL, 0);
    /* without room, each context gets a registry and a table of imports of its own */
    if (is_eq(library_seal(h), TRUE) && is_eq(environment_seal(h), TRUE))
        (void)!heap_collect_gc(h, COLLECT_FULL, 0);
    m.no_memory = h->free != h->nursery_base;
    if (!m.no_memory)
        enumerate(&m);
    if (!m.no_memory && m.refused == NULL) {
        m.queue = alloc_new((m.node_count + 1) * sizeof *m.queue);
        m.no_memory = m.queue == NULL;
    }
    if (!m.no_memory && m.refused == NULL) {
        freeze_all(&m);
        if (divide(&m) && lay_out(&m)) {
            write_nodes(&m);
            write_segments(&m);
            blob = m.refused == NULL ? write_blob(&m, &length) : NULL;
        }
        m.no_memory = blob == NULL && m.refused == NULL;
    }
    const char *refused = m.no_memory ? "no memory for the image" : m.refused;
    dispose(&m);
    if (refused != NULL)
        return image_fail(error, n, refused, "");
    bool ok = image_load(h->engine, blob, length, out, error, n);
    alloc_free(blob);
    return ok;
}
