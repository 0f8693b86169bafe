/* T8 the packed form: unpacking. See wire.h.
 *
 * Bottom up: atoms are pushed on w->values; a frame knows where its values begin
 * and how many are to come (arrays, maps) or where its bytes end (extensions);
 * when it is complete its values are replaced by the container. Strict: each
 * length is checked against the bytes that are left before anything is allocated;
 * an item may not reach over the end of the extension around it. The bytes are
 * the host's and do not move. */
#include "num.h"
#include "pair.h"
#include "refs.h"
#include "string.h"
#include "symbol.h"
#include "table.h"
#include "vector.h"
#include "wire.h"

enum frame_kind { FRAME_ARRAY, FRAME_MAP, FRAME_EXTENSION };

enum { HANDLE_HEAD = 9, CONDITION_ITEMS = 9 };

struct input {
    const uint8_t *bytes;
    size_t at;
    size_t end; /* of the innermost extension, or of all */
    size_t total;
};

static enum wire_status bad(struct wire *w, const char *why)
{
    w->why = why;
    return WIRE_BAD;
}

/* What a control word means here. */
static enum wire_status refusal(struct wire *w, val v)
{
    struct heap *h = w->heap;
    bool raised = is_eq(v, RAISE);
    h->raised = FALSE;
    if (is_eq(v, RETRY))
        return WIRE_NO_MEMORY;
    return bad(w, raised ? "invalid UTF-8" : "the value is too dear to take in");
}

static uint64_t big_endian(const uint8_t *p, unsigned bytes)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n = n << 8 | p[i];
    return n;
}

/* Push an atom, or pass on why there is none. Room is made. */
static enum wire_status push(struct wire *w, val v)
{
    if (UNLIKELY(is_control(v)))
        return refusal(w, v);
    w->values[w->count++] = v;
    return WIRE_OK;
}

/* -- atoms ------------------------------------------------------------------- */

static enum wire_status unpack_integer_gc(struct wire *w, uint64_t n, bool negative)
{
    unsigned tries = 0;
    val v;
    do
        v = negative ? num_from_int64(w->heap, (int64_t)n) : num_from_uint64(w->heap, n);
    while (wire_again_gc(w, &tries, v));
    return push(w, v);
}

static enum wire_status unpack_double_gc(struct wire *w, double d)
{
    unsigned tries = 0;
    val v;
    do
        v = flonum(w->heap, d);
    while (wire_again_gc(w, &tries, v));
    return push(w, v);
}

static enum wire_status unpack_float_gc(struct wire *w, const uint8_t *p, unsigned bytes)
{
    uint64_t bits = big_endian(p, bytes);
    uint32_t bits32 = (uint32_t)bits;
    double d;
    float f;
    if (bytes == 8)
        memcpy(&d, &bits, sizeof d);
    else {
        memcpy(&f, &bits32, sizeof f);
        d = (double)f;
    }
    return unpack_double_gc(w, d);
}

typedef val text_maker(struct heap *h, const char *text, size_t n);

static enum wire_status unpack_text_gc(struct wire *w, text_maker *make, const uint8_t *p, size_t n)
{
    unsigned tries = 0;
    val v;
    do
        v = make(w->heap, (const char *)p, n);
    while (wire_again_gc(w, &tries, v));
    return push(w, v);
}

static val make_bytes(struct heap *h, const char *bytes, size_t n)
{
    return bytevector_new(h, (const uint8_t *)bytes, n);
}

static val make_big(struct heap *h, const char *bytes, size_t n)
{
    return bignum_from_magnitude(h, (const uint8_t *)bytes + 1, n - 1, bytes[0] != 0);
}

static enum wire_status unpack_char(struct wire *w, const uint8_t *p, size_t n)
{
    uint32_t c;
    if (n == 0 || utf8_decode(p, n, &c) != n)
        return bad(w, "a character that is none");
    return push(w, char_value(c));
}

static enum wire_status unpack_big_gc(struct wire *w, const uint8_t *p, size_t n)
{
    if (n < 2 || p[0] > 1)
        return bad(w, "a damaged integer");
    return unpack_text_gc(w, make_big, p, n);
}

/* -- containers ----------------------------------------------------------------- */

/* values[start..count): the items of a list, then its tail. They become one value. */
static enum wire_status fold_list_gc(struct wire *w, size_t start)
{
    while (w->count - start > 1) {
        size_t n = size_min(w->count - start - 1, PAIRS_MAX);
        unsigned tries = 0;
        val v;
        do
            v = heap_reserve(w->heap, n * PAIR_BYTES);
        while (wire_again_gc(w, &tries, v));
        if (is_control(v))
            return refusal(w, v);
        val list = w->values[w->count - 1];
        for (size_t i = 0; i < n; i++) {
            val p = cons(w->heap, w->values[w->count - 2 - i], list);
            if (NEVER(is_control(p)))
                return refusal(w, p);
            list = p;
        }
        w->count -= n;
        w->values[w->count - 1] = list;
    }
    return WIRE_OK;
}

static enum wire_status fold_array_gc(struct wire *w, size_t start)
{
    if (!wire_room_values_gc(w, 1))
        return WIRE_NO_MEMORY;
    w->values[w->count++] = NIL;
    return fold_list_gc(w, start);
}

/* key, value, key, value ... become pairs, and these a list. */
static enum wire_status fold_map_gc(struct wire *w, size_t start)
{
    size_t pairs = (w->count - start) / 2;
    for (size_t done = 0; done < pairs;) {
        size_t n = size_min(pairs - done, PAIRS_MAX);
        unsigned tries = 0;
        val v;
        do
            v = heap_reserve(w->heap, n * PAIR_BYTES);
        while (wire_again_gc(w, &tries, v));
        if (is_control(v))
            return refusal(w, v);
        val *values = w->values + start;
        for (size_t end = done + n; done < end; done++) {
            val p = cons(w->heap, values[2 * done], values[2 * done + 1]);
            if (NEVER(is_control(p)))
                return refusal(w, p);
            values[done] = p;
        }
    }
    w->count = start + pairs;
    return fold_array_gc(w, start);
}

/* All values from start on become the fields of an object. */
static enum wire_status fold_object_gc(struct wire *w, enum type type, size_t start)
{
    size_t n = w->count - start;
    unsigned tries = 0;
    val v;
    do
        v = heap_alloc(w->heap, type, n, 0);
    while (wire_again_gc(w, &tries, v));
    if (is_control(v))
        return refusal(w, v);
    if (n > 0)
        memcpy(object_fields(v), w->values + start, n * sizeof(val));
    w->count = start;
    return push(w, v);
}

static enum wire_status fold_values_gc(struct wire *w, size_t start)
{
    if (w->depth > 0)
        return bad(w, "multiple values inside a value");
    return w->count - start == 1 ? WIRE_OK : fold_object_gc(w, T_VALUES, start);
}

static enum wire_status fold_number_gc(struct wire *w, unsigned type, size_t start)
{
    if (w->count - start != 2)
        return bad(w, "a number with the wrong number of parts");
    val a = w->values[start], b = w->values[start + 1];
    bool good = type == WIRE_RATIO
                    ? is_exact_integer(a) && is_exact_integer(b) && !is_eq(b, fixnum(0))
                    : is_number(a) && is_number(b) && is_real(a) && is_real(b);
    if (!good)
        return bad(w, "a number with wrong parts");
    unsigned tries = 0;
    val v;
    do {
        a = w->values[start];
        b = w->values[start + 1];
        v = type == WIRE_RATIO ? num_div(w->heap, a, b) : num_rectangular(w->heap, a, b);
    } while (wire_again_gc(w, &tries, v));
    w->count = start;
    return push(w, v);
}

static enum wire_status fold_table_gc(struct wire *w, size_t start)
{
    size_t n = w->count - start;
    unsigned tries = 0;
    val v;
    if (n % 2 != 0)
        return bad(w, "a hash table with a key without a value");
    if (!wire_room_values_gc(w, 1))
        return WIRE_NO_MEMORY;
    do
        v = table_new(w->heap, TABLE_EQUAL);
    while (wire_again_gc(w, &tries, v));
    if (is_control(v))
        return refusal(w, v);
    w->values[w->count++] = v;
    for (size_t i = 0; i < n; i += 2) {
        tries = 0;
        do {
            const val *at = w->values + start + i;
            v = table_put(w->heap, w->values[start + n], at[0], at[1]);
        } while (wire_again_gc(w, &tries, v));
        if (is_control(v))
            return refusal(w, v);
    }
    w->values[start] = w->values[start + n];
    w->count = start + 1;
    return WIRE_OK;
}

static enum wire_status push_handle(struct wire *w, uint64_t id)
{
    val v = ref_get(w->heap, id);
    if (is_eq(v, HOLE)) {
        w->why = "no value has this handle";
        return WIRE_NO_HANDLE;
    }
    return push(w, v);
}

/* A record stands for the one its handle names. */
static enum wire_status fold_record(struct wire *w, size_t start)
{
    val id = w->count - start >= 3 ? w->values[start] : FALSE;
    if (!is_fixnum(id) || fixnum_value(id) <= 0)
        return bad(w, "a damaged record");
    w->count = start;
    return push_handle(w, (uint64_t)fixnum_value(id));
}

/* A condition stands for the object its last item names. */
static enum wire_status fold_condition(struct wire *w, size_t start)
{
    val list = w->count - start == 1 ? w->values[start] : NIL;
    size_t n = 0;
    while (is_pair(list) && is_pair(cdr(list))) {
        list = cdr(list);
        n++;
    }
    if (n != CONDITION_ITEMS - 1 || !is_pair(list) || !is_type(car(list), T_CONDITION))
        return bad(w, "a damaged condition");
    w->values[start] = car(list);
    return WIRE_OK;
}

static enum wire_status new_host_object_gc(struct wire *w, unsigned kind, uint64_t id)
{
    unsigned tries = 0;
    val v;
    do
        v = heap_alloc(w->heap, kind == HANDLE_FOREIGN ? T_FOREIGN : T_HOST_PROCEDURE, 0, 0);
    while (wire_again_gc(w, &tries, v));
    if (is_control(v))
        return refusal(w, v);
    object_raw(v)[0] = id;
    if (kind == HANDLE_HOST_PROCEDURE)
        object_fields(v)[0] = w->item;
    return push(w, v);
}

/* values[start..count): nothing, or the name. */
static enum wire_status fold_handle_gc(struct wire *w, const uint8_t *head, size_t start)
{
    unsigned tries = 0;
    uint64_t id = big_endian(head + 1, 8);
    if (w->count - start > 1)
        return bad(w, "a damaged handle");
    w->item = w->count > start ? w->values[start] : FALSE;
    w->count = start;
    if (head[0] == HANDLE_PROCEDURE || head[0] == HANDLE_OPAQUE)
        return push_handle(w, id);
    if (head[0] > HANDLE_HOST_PROCEDURE)
        return bad(w, "a handle of unknown kind");
    if (head[0] == HANDLE_HOST_PROCEDURE && is_string(w->item)) {
        val name;
        do
            name = symbol_intern(w->heap, w->item);
        while (wire_again_gc(w, &tries, name));
        if (is_control(name))
            return refusal(w, name);
        w->item = name;
    }
    if (head[0] == HANDLE_HOST_PROCEDURE && !is_symbol(w->item))
        return bad(w, "a host procedure without a name");
    return new_host_object_gc(w, head[0], id);
}

/* The innermost frame is complete and popped: its values become one. */
static enum wire_status fold_gc(struct wire *w, const struct input *in, const struct wire_frame *f)
{
    size_t start = f->start;
    if (!wire_room_values_gc(w, 1))
        return WIRE_NO_MEMORY;
    if (f->kind == FRAME_ARRAY)
        return fold_array_gc(w, start);
    if (f->kind == FRAME_MAP)
        return fold_map_gc(w, start);
    switch (f->type) {
    case WIRE_RATIO:
    case WIRE_COMPLEX:
        return fold_number_gc(w, f->type, start);
    case WIRE_VECTOR:
        return fold_object_gc(w, T_VECTOR, start);
    case WIRE_IMPROPER:
        return w->count - start < 2 ? bad(w, "an improper list that is none")
                                    : fold_list_gc(w, start);
    case WIRE_RECORD:
        return fold_record(w, start);
    case WIRE_HANDLE:
        return fold_handle_gc(w, in->bytes + f->index, start);
    case WIRE_VALUES:
        return fold_values_gc(w, start);
    case WIRE_TABLE:
        return fold_table_gc(w, start);
    default:
        return fold_condition(w, start);
    }
}

/* -- reading ------------------------------------------------------------------------ */

static size_t remaining(const struct input *in)
{
    return in->end - in->at;
}

static enum wire_status truncated(struct wire *w)
{
    return bad(w, "the packed value is cut short");
}

/* Read a length of so many bytes. */
static bool read_length(struct input *in, unsigned bytes, size_t *n)
{
    if (remaining(in) < bytes)
        return false;
    *n = (size_t)big_endian(in->bytes + in->at, bytes);
    in->at += bytes;
    return true;
}

static enum wire_status open_gc(struct wire *w, const struct input *in, enum frame_kind kind,
                                size_t items)
{
    if (items > remaining(in))
        return truncated(w);
    if (!wire_push_frame_gc(w))
        return WIRE_NO_MEMORY;
    struct wire_frame *f = &w->frames[w->depth - 1];
    f->kind = (uint8_t)kind;
    f->index = items;
    f->start = w->count;
    f->end = in->end;
    return WIRE_OK;
}

static enum wire_status open_extension_gc(struct wire *w, struct input *in, unsigned type, size_t n)
{
    if (type == WIRE_HANDLE && n < HANDLE_HEAD)
        return bad(w, "a damaged handle");
    if (!wire_push_frame_gc(w))
        return WIRE_NO_MEMORY;
    struct wire_frame *f = &w->frames[w->depth - 1];
    f->kind = FRAME_EXTENSION;
    f->type = (uint8_t)type;
    f->index = in->at;
    f->start = w->count;
    in->end = in->at + n;
    f->end = in->end;
    if (type == WIRE_HANDLE)
        in->at += HANDLE_HEAD;
    return WIRE_OK;
}

/* The extension's type byte is next, then n bytes. */
static enum wire_status read_extension_gc(struct wire *w, struct input *in, size_t n)
{
    if (remaining(in) < 1 || remaining(in) - 1 < n)
        return truncated(w);
    unsigned type = in->bytes[in->at++];
    const uint8_t *p = in->bytes + in->at;
    if (type < WIRE_SYMBOL || type > WIRE_CONDITION)
        return bad(w, "an unknown extension type");
    if (type != WIRE_SYMBOL && type != WIRE_CHAR && type != WIRE_INTEGER && type != WIRE_EOF)
        return open_extension_gc(w, in, type, n);
    in->at += n;
    switch (type) {
    case WIRE_SYMBOL:
        return unpack_text_gc(w, symbol_intern_utf8, p, n);
    case WIRE_CHAR:
        return unpack_char(w, p, n);
    case WIRE_INTEGER:
        return unpack_big_gc(w, p, n);
    default:
        return n == 0 ? push(w, EOF_OBJECT) : bad(w, "a damaged end-of-file");
    }
}

static enum wire_status read_text_gc(struct wire *w, struct input *in, text_maker *make, size_t n)
{
    if (remaining(in) < n)
        return truncated(w);
    const uint8_t *p = in->bytes + in->at;
    in->at += n;
    return unpack_text_gc(w, make, p, n);
}

/* Numbers behind the bytes 0xca .. 0xd3. */
static enum wire_status read_number_gc(struct wire *w, struct input *in, unsigned tag)
{
    static const uint8_t sizes[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    unsigned bytes = sizes[tag - 0xca];
    if (remaining(in) < bytes)
        return truncated(w);
    const uint8_t *p = in->bytes + in->at;
    in->at += bytes;
    if (tag < 0xcc)
        return unpack_float_gc(w, p, bytes);
    uint64_t n = big_endian(p, bytes);
    if (tag < 0xd0)
        return unpack_integer_gc(w, n, false);
    unsigned shift = 64 - 8 * bytes;
    return unpack_integer_gc(w, (uint64_t)((int64_t)(n << shift) >> shift), true);
}

/* Things with a length of 1, 2 or 4 bytes. */
static enum wire_status read_sized_gc(struct wire *w, struct input *in, unsigned tag)
{
    size_t n;
    unsigned bytes = tag >= 0xdc   ? 2u << (tag & 1)
                     : tag >= 0xd9 ? 1u << (tag - 0xd9)
                     : tag >= 0xc7 ? 1u << (tag - 0xc7)
                                   : 1u << (tag - 0xc4);
    if (!read_length(in, bytes, &n))
        return truncated(w);
    if (tag >= 0xde)
        return n > remaining(in) ? truncated(w) : open_gc(w, in, FRAME_MAP, n * 2);
    if (tag >= 0xdc)
        return open_gc(w, in, FRAME_ARRAY, n);
    if (tag >= 0xd9)
        return read_text_gc(w, in, string_from_utf8, n);
    return tag >= 0xc7 ? read_extension_gc(w, in, n) : read_text_gc(w, in, make_bytes, n);
}

/* One item or the head of one. Pushes a value or a frame. */
static enum wire_status read_item_gc(struct wire *w, struct input *in)
{
    if (remaining(in) < 1)
        return truncated(w);
    if (!wire_room_values_gc(w, 2))
        return WIRE_NO_MEMORY;
    unsigned tag = in->bytes[in->at++];
    if (tag < 0x80)
        return push(w, fixnum((int64_t)tag));
    if (tag >= 0xe0)
        return push(w, fixnum((int64_t)tag - 256));
    if (tag < 0x90)
        return open_gc(w, in, FRAME_MAP, (size_t)(tag & 15) * 2);
    if (tag < 0xa0)
        return open_gc(w, in, FRAME_ARRAY, tag & 15);
    if (tag < 0xc0)
        return read_text_gc(w, in, string_from_utf8, tag & 31);
    if (tag >= 0xca && tag <= 0xd3)
        return read_number_gc(w, in, tag);
    if (tag >= 0xd4 && tag <= 0xd8)
        return read_extension_gc(w, in, (size_t)1 << (tag - 0xd4));
    if (tag >= 0xc4)
        return read_sized_gc(w, in, tag);
    if (tag == 0xc1)
        return bad(w, "a byte that MessagePack does not know");
    return push(w, tag == 0xc0 ? UNSPECIFIED : val_bool(tag == 0xc3));
}

/* One whole item on top of w->values; frames above `floor` are ours. */
static enum wire_status read_whole_gc(struct wire *w, struct input *in)
{
    size_t floor = w->depth;
    do {
        size_t depth = w->depth;
        enum wire_status s = read_item_gc(w, in);
        bool finished = w->depth == depth; /* a value was pushed, not a frame */
        while (s == WIRE_OK && w->depth > floor) {
            struct wire_frame *f = &w->frames[w->depth - 1];
            if (finished && f->kind != FRAME_EXTENSION)
                f->index--;
            finished = f->kind == FRAME_EXTENSION ? in->at == f->end : f->index == 0;
            if (!finished)
                break;
            struct wire_frame done = *f;
            w->depth--;
            in->end = w->depth > 0 ? w->frames[w->depth - 1].end : in->total;
            s = fold_gc(w, in, &done);
        }
        if (s != WIRE_OK)
            return s;
    } while (w->depth > floor);
    return WIRE_OK;
}

/* Numbers and tables are made with primitives that ask what is affordable. */
static void allow_work(struct heap *h)
{
    h->charge = 0;
    h->afford = (uint64_t)1 << 28;
}

static enum wire_status finish(struct wire *w, enum wire_status s, size_t count)
{
    w->heap->charge = 0;
    w->depth = 0;
    w->item = FALSE;
    if (s != WIRE_OK)
        w->count = count;
    return s;
}

enum wire_status wire_unpack_gc(struct wire *w, const uint8_t *bytes, size_t n)
{
    struct input in = {bytes, 0, n, n};
    size_t count = w->count;
    allow_work(w->heap);
    enum wire_status s = read_whole_gc(w, &in);
    if (s == WIRE_OK && in.at != n)
        s = bad(w, "bytes behind the packed value");
    return finish(w, s, count);
}

enum wire_status wire_unpack_items_gc(struct wire *w, const uint8_t *bytes, size_t n, size_t *items)
{
    struct input in = {bytes, 0, n, n};
    size_t count = w->count;
    allow_work(w->heap);
    *items = 0;
    enum wire_status s = WIRE_OK;
    unsigned tag = n > 0 ? bytes[in.at++] : 0xc1;
    if ((tag & 0xf0) == 0x90)
        *items = tag & 15;
    else if (tag != 0xdc && tag != 0xdd)
        s = bad(w, "the arguments are no array");
    else if (!read_length(&in, 2u << (tag & 1), items))
        s = truncated(w);
    for (size_t i = 0; s == WIRE_OK && i < *items; i++) {
        s = read_whole_gc(w, &in);
        if (s == WIRE_OK && is_type(w->values[w->count - 1], T_VALUES))
            s = bad(w, "multiple values inside a value");
    }
    if (s == WIRE_OK && in.at != n)
        s = bad(w, "bytes behind the arguments");
    return finish(w, s, count);
}
