/* T8 the packed form: packing. See wire.h.
 *
 * w->item is what is packed next. pack_item writes an atom or opens a frame;
 * next_item asks the innermost frame for its next item or closes it. Room for the
 * fixed part of any item (HEAD bytes) is made before it is looked at; larger
 * parts make their own. Extensions that hold items get a 32-bit length that is
 * filled in when they are closed. */
#include "code.h"
#include "condition.h"
#include "num.h"
#include "pair.h"
#include "printer.h"
#include "record.h"
#include "refs.h"
#include "string.h"
#include "symbol.h"
#include "table.h"
#include "vector.h"
#include "wire.h"

enum { HEAD = 256, EXTENSION_HEAD = 6, TRACE_MOST = 64 };
enum { RAISED_MOST = 256 << 10, MESSAGE_MOST = 16 << 10, IRRITANTS_MOST = 100, LOCAL_MOST = 120 };

enum frame_kind {
    FRAME_LIST,     /* array of the items of a proper list                       */
    FRAME_IMPROPER, /* items, then the tail                                      */
    FRAME_ITEMS,    /* the fields of v                                           */
    FRAME_RECORD,
    FRAME_TABLE,
    FRAME_CONDITION
};

enum outcome { GOOD, CYCLE, FAILED };

/* -- bytes ------------------------------------------------------------------- */

static void put(struct wire *w, unsigned byte)
{
    w->data[w->length++] = (uint8_t)byte;
}

static void put_big_endian(struct wire *w, uint64_t n, unsigned bytes)
{
    while (bytes-- > 0)
        put(w, (unsigned)(n >> (8 * bytes)) & 0xff);
}

static void put_double(struct wire *w, double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    put(w, 0xcb);
    put_big_endian(w, bits, 8);
}

static void put_unsigned(struct wire *w, uint64_t n)
{
    if (n < 128) {
        put(w, (unsigned)n);
        return;
    }
    unsigned size = n <= UINT8_MAX ? 0 : n <= UINT16_MAX ? 1 : n <= UINT32_MAX ? 2 : 3;
    put(w, 0xcc + size);
    put_big_endian(w, n, 1u << size);
}

static void put_signed(struct wire *w, int64_t n)
{
    if (n >= 0) {
        put_unsigned(w, (uint64_t)n);
        return;
    }
    if (n >= -32) {
        put(w, (unsigned)(n & 0xff));
        return;
    }
    unsigned size = n >= INT8_MIN ? 0 : n >= INT16_MIN ? 1 : n >= INT32_MIN ? 2 : 3;
    put(w, 0xd0 + size);
    put_big_endian(w, (uint64_t)n, 1u << size);
}

/* Header of something with a length: `fix` below `fixed`, else 8 (if `eight`),
 * 16 or 32 bits. */
static void put_length(struct wire *w, size_t n, unsigned fix, size_t fixed, unsigned eight,
                       unsigned sixteen)
{
    if (n < fixed) {
        put(w, fix | (unsigned)n);
    } else if (eight && n <= UINT8_MAX) {
        put(w, eight);
        put_big_endian(w, n, 1);
    } else {
        bool wide = n > UINT16_MAX;
        put(w, sixteen + wide);
        put_big_endian(w, n, wide ? 4 : 2);
    }
}

static void put_array(struct wire *w, size_t n)
{
    put_length(w, n, 0x90, 16, 0, 0xdc);
}

static void put_str_head(struct wire *w, size_t n)
{
    put_length(w, n, 0xa0, 32, 0xd9, 0xda);
}

static void put_extension_head(struct wire *w, size_t n, unsigned type)
{
    put(w, 0xc9);
    put_big_endian(w, n, 4);
    put(w, type);
}

/* Fill in the length of the extension that began at `start`. */
static bool close_extension(struct wire *w, size_t start, unsigned type)
{
    size_t end = w->length;
    size_t n = end - start - EXTENSION_HEAD;
    if (n > UINT32_MAX)
        return false;
    w->length = start;
    put_extension_head(w, n, type);
    w->length = end;
    return true;
}

static bool too_big(struct wire *w)
{
    w->why = "the value is too big to leave the context: its memory limit is reached";
    return false;
}

static bool room_gc(struct wire *w, size_t bytes)
{
    return wire_room_gc(w, bytes) || too_big(w);
}

/* -- text ---------------------------------------------------------------------- */

/* w->item, a string, as str; `extension` > 0: as an extension's bytes. */
static bool pack_string_gc(struct wire *w, unsigned extension)
{
    size_t n = string_utf8_length(w->item);
    if (n > UINT32_MAX)
        return too_big(w);
    if (!room_gc(w, n + HEAD))
        return false;
    if (extension)
        put_length(w, n, 0, 0, 0xc7, 0xc8);
    else
        put_str_head(w, n);
    if (extension)
        put(w, extension);
    string_store_utf8(w->item, (char *)w->data + w->length);
    w->length += n;
    return true;
}

static bool pack_ascii_gc(struct wire *w, const char *text)
{
    size_t n = strlen(text);
    if (!room_gc(w, n + HEAD))
        return false;
    put_str_head(w, n);
    memcpy(w->data + w->length, text, n);
    w->length += n;
    return true;
}

/* The first MESSAGE_MOST characters of w->item, a longer string, and three dots. */
static bool pack_beginning_gc(struct wire *w)
{
    if (!room_gc(w, MESSAGE_MOST * UTF8_MAX + HEAD))
        return false;
    size_t start = w->length;
    w->length += 5;
    for (size_t i = 0; i < MESSAGE_MOST; i++)
        w->length += utf8_encode(string_ref(w->item, i), (char *)w->data + w->length);
    memcpy(w->data + w->length, "...", 3);
    w->length += 3;
    size_t end = w->length;
    w->length = start;
    put(w, 0xdb);
    put_big_endian(w, end - start - 5, 4);
    w->length = end;
    return true;
}

/* w->item as str where it is a string or a symbol; else as nil. */
static bool pack_name_gc(struct wire *w)
{
    if (is_symbol(w->item))
        w->item = symbol_name(w->item);
    if (is_string(w->item))
        return pack_string_gc(w, 0);
    if (!room_gc(w, HEAD))
        return false;
    put(w, 0xc0);
    return true;
}

static bool pack_bytes_gc(struct wire *w)
{
    size_t n = object_length(w->item);
    if (n > UINT32_MAX)
        return too_big(w);
    if (!room_gc(w, n + HEAD))
        return false;
    put_length(w, n, 0, 0, 0xc4, 0xc5);
    if (n > 0)
        memcpy(w->data + w->length, object_bytes(w->item), n);
    w->length += n;
    return true;
}

static void put_char(struct wire *w, val c)
{
    char utf8[UTF8_MAX];
    size_t n = utf8_encode(char_code(c), utf8);
    put(w, 0xc7);
    put(w, (unsigned)n);
    put(w, WIRE_CHAR);
    memcpy(w->data + w->length, utf8, n);
    w->length += n;
}

/* -- numbers --------------------------------------------------------------------- */

static size_t real_size(val v)
{
    if (is_type(v, T_RATIO))
        return 3 * EXTENSION_HEAD + 32 + bignum_magnitude_bytes(object_field(v, 0)) +
               bignum_magnitude_bytes(object_field(v, 1));
    return EXTENSION_HEAD + 16 + (is_exact_integer(v) ? bignum_magnitude_bytes(v) : 0);
}

/* Room is made. False: beyond 4 GiB. */
static bool put_integer(struct wire *w, val v)
{
    if (is_fixnum(v)) {
        put_signed(w, fixnum_value(v));
        return true;
    }
    bool negative = num_is_negative(v);
    size_t n = bignum_magnitude_bytes(v);
    uint8_t low[8] = {0};
    if (n <= sizeof low) {
        uint64_t magnitude = 0;
        bignum_store_magnitude(v, low);
        for (size_t i = 0; i < n; i++)
            magnitude = magnitude << 8 | low[i];
        if (!negative || magnitude <= (uint64_t)1 << 63) {
            if (negative)
                put_signed(w, (int64_t)(0 - magnitude));
            else
                put_unsigned(w, magnitude);
            return true;
        }
    }
    if (n >= UINT32_MAX)
        return too_big(w);
    put_extension_head(w, n + 1, WIRE_INTEGER);
    put(w, negative);
    bignum_store_magnitude(v, w->data + w->length);
    w->length += n;
    return true;
}

static bool put_real(struct wire *w, val v)
{
    if (is_flonum(v)) {
        put_double(w, flonum_value(v));
        return true;
    }
    if (!is_type(v, T_RATIO))
        return put_integer(w, v);
    size_t start = w->length;
    w->length += EXTENSION_HEAD;
    return put_integer(w, object_field(v, 0)) && put_integer(w, object_field(v, 1)) &&
           (close_extension(w, start, WIRE_RATIO) || too_big(w));
}

static bool pack_number_gc(struct wire *w)
{
    bool complex = is_type(w->item, T_COMPLEX);
    size_t size = complex
                      ? real_size(object_field(w->item, 0)) + real_size(object_field(w->item, 1))
                      : real_size(w->item);
    if (!room_gc(w, size + HEAD))
        return false;
    if (!complex)
        return put_real(w, w->item);
    size_t start = w->length;
    w->length += EXTENSION_HEAD;
    return put_real(w, object_field(w->item, 0)) && put_real(w, object_field(w->item, 1)) &&
           (close_extension(w, start, WIRE_COMPLEX) || too_big(w));
}

/* -- handles ------------------------------------------------------------------------ */

/* A new handle for w->item, noted for the case that packing fails; 0: no memory. */
static uint64_t new_handle_gc(struct wire *w)
{
    struct heap *h = w->heap;
    if (w->id_count == w->id_capacity) {
        size_t capacity = w->id_capacity ? w->id_capacity * 2 : 16;
        uint64_t *ids =
            heap_realloc(h, w->ids, w->id_capacity * sizeof *ids, capacity * sizeof *ids);
        if (!ids && heap_collect_gc(h, COLLECT_FULL, 0))
            ids = heap_realloc(h, w->ids, w->id_capacity * sizeof *ids, capacity * sizeof *ids);
        if (!ids)
            return 0;
        w->ids = ids;
        w->id_capacity = capacity;
    }
    unsigned tries = 0;
    val id;
    do
        id = ref_new(h, w->item);
    while (wire_again_gc(w, &tries, id));
    if (!is_fixnum(id))
        return 0;
    w->ids[w->id_count++] = (uint64_t)fixnum_value(id);
    return (uint64_t)fixnum_value(id);
}

static void drop_handles(struct wire *w, size_t keep)
{
    while (w->id_count > keep)
        ref_drop(w->heap, w->ids[--w->id_count]);
}

/* The name of a procedure, symbol or FALSE. */
static val procedure_name(val p)
{
    switch (object_type(p)) {
    case T_CLOSURE: {
        val code = object_length(p) > 0 ? object_field(p, 0) : FALSE;
        return is_type(code, T_CODE) ? object_field(code, CODE_NAME) : FALSE;
    }
    case T_PRIMITIVE:
    case T_HOST_PROCEDURE:
        return object_field(p, 0);
    default:
        return FALSE;
    }
}

/* What an opaque handle is called: its type. */
static bool pack_type_name_gc(struct wire *w)
{
    char name[40];
    size_t n = 0;
    const char *from = is_pair(w->item)     ? "PAIR"
                       : is_object(w->item) ? type_layouts[object_type(w->item)].name
                                            : "OBJECT";
    for (; from[n] && n < sizeof name - 1; n++)
        name[n] = from[n] == '_' ? '-' : (char)(from[n] | ('A' <= from[n] && from[n] <= 'Z') << 5);
    name[n] = 0;
    return pack_ascii_gc(w, name);
}

static bool pack_handle_gc(struct wire *w, enum wire_handle kind)
{
    bool foreign = kind == HANDLE_FOREIGN;
    uint64_t id = foreign ? object_raw(w->item)[0] : new_handle_gc(w);
    if (!foreign && id == 0)
        return too_big(w);
    if (!room_gc(w, HEAD))
        return false;
    size_t start = w->length;
    w->length += EXTENSION_HEAD;
    put(w, kind);
    put_big_endian(w, id, 8);
    bool good = true;
    if (kind == HANDLE_OPAQUE) {
        good = pack_type_name_gc(w);
    } else {
        w->item = kind == HANDLE_PROCEDURE ? procedure_name(w->item) : FALSE;
        good = pack_name_gc(w);
    }
    return good && (close_extension(w, start, WIRE_HANDLE) || too_big(w));
}

/* -- conditions: [kind, message, irritants, who, position, trace, hint, extra, handle],
 * of the condition in w->subject ------------------------------------------------------ */

static const char *const kind_names[] = {
#define KIND(name, text) text,
    CONDITION_KINDS(KIND)
#undef KIND
};

static bool pack_condition_head_gc(struct wire *w)
{
    val kind = object_field(w->subject, CONDITION_KIND);
    if (!pack_ascii_gc(w, is_index(kind, CONDITION_KIND_COUNT) ? kind_names[fixnum_value(kind)]
                                                               : "error"))
        return false;
    w->item = object_field(w->subject, CONDITION_MESSAGE);
    if (is_symbol(w->item))
        w->item = symbol_name(w->item);
    if (is_string(w->item) && string_length(w->item) > MESSAGE_MOST)
        return pack_beginning_gc(w);
    return is_string(w->item) ? pack_string_gc(w, 0) : pack_ascii_gc(w, "");
}

static void put_place(struct wire *w, val line, val column)
{
    put_signed(w, is_fixnum(line) ? fixnum_value(line) : 0);
    put_signed(w, is_fixnum(column) ? fixnum_value(column) : 0);
}

static bool pack_position_gc(struct wire *w)
{
    val position = object_field(w->subject, CONDITION_POSITION);
    bool known = is_vector(position) && vector_length(position) >= 3;
    if (!room_gc(w, HEAD))
        return false;
    put(w, known ? 0x93 : 0xc0);
    if (!known)
        return true;
    position = object_field(w->subject, CONDITION_POSITION);
    w->item = vector_items(position)[0];
    if (!pack_name_gc(w) || !room_gc(w, HEAD))
        return false;
    position = object_field(w->subject, CONDITION_POSITION);
    put_place(w, vector_items(position)[1], vector_items(position)[2]);
    return true;
}

/* The file of an instruction, and the place there; #f and 0 where unknown. */
static val place_of(val code, val pc, uint32_t *line, uint32_t *column)
{
    val file = FALSE;
    *line = *column = 0;
    if (!is_type(code, T_CODE) || !is_fixnum(pc) || fixnum_value(pc) < 0 ||
        !code_position(code, (size_t)fixnum_value(pc), &file, line, column)) {
        *line = *column = 0;
        return FALSE;
    }
    return *line > 0 ? file : FALSE;
}

/* w->subject: a trace vector. */
static bool pack_trace_gc(struct wire *w)
{
    bool known = is_vector(w->subject);
    size_t n = known ? size_min(vector_length(w->subject) / 2, TRACE_MOST) : 0;
    if (!room_gc(w, HEAD))
        return false;
    put_array(w, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t line, column;
        if (!room_gc(w, HEAD))
            return false;
        put(w, 0x94);
        val code = vector_items(w->subject)[2 * i];
        w->item = is_type(code, T_CODE) ? object_field(code, CODE_NAME)
                  : is_symbol(code)     ? code
                                        : FALSE;
        if (!pack_name_gc(w))
            return false;
        w->item = place_of(vector_items(w->subject)[2 * i], vector_items(w->subject)[2 * i + 1],
                           &line, &column);
        if (!pack_name_gc(w) || !room_gc(w, HEAD))
            return false;
        put_unsigned(w, line);
        put_unsigned(w, column);
    }
    return true;
}

static bool pack_condition_middle_gc(struct wire *w)
{
    w->item = object_field(w->subject, CONDITION_WHO);
    if (!pack_name_gc(w) || !pack_position_gc(w))
        return false;
    size_t frame = w->depth - 1;
    w->subject = object_field(w->subject, CONDITION_TRACE);
    if (!pack_trace_gc(w))
        return false;
    w->subject = w->frames[frame].v;
    w->item = object_field(w->subject, CONDITION_HINT);
    return pack_name_gc(w);
}

/* -- containers ------------------------------------------------------------------------ */

/* Length and shape of a list; false: it may not be measured any more. */
static bool measure(struct wire *w, val list, size_t *count, enum list_shape *shape)
{
    val anchor = HOLE;
    size_t next_anchor = 1, n = 0;
    *shape = LIST_PROPER;
    while (is_pair(list)) {
        list = cdr(list);
        if (++n >= w->work) {
            w->why = "the value is too intricate to leave the context";
            return false;
        }
        if (is_eq(list, anchor) && is_pair(list)) {
            *shape = LIST_CIRCULAR;
            break;
        }
        if (n == next_anchor) {
            anchor = list;
            next_anchor *= 2;
        }
    }
    w->work -= n;
    if (*shape == LIST_PROPER && !is_eq(list, NIL))
        *shape = LIST_DOTTED;
    *count = n;
    return true;
}

/* Is w->item the frame at the power-of-two depth below? */
static bool is_cyclic(const struct wire *w)
{
    size_t i = w->depth - w->base;
    if (i == 0)
        return false;
    size_t anchor = ((size_t)1 << (63 - __builtin_clzll((unsigned long long)i))) - 1;
    return is_eq(w->frames[w->base + anchor].v, w->item);
}

/* The frames that let their items stand for themselves: all of them are below
 * all others. */
static bool makes_boundary(const struct wire *w, enum frame_kind kind, unsigned type)
{
    if (w->depth == 0)
        return kind == FRAME_CONDITION || type == WIRE_VALUES;
    const struct wire_frame *f = &w->frames[w->depth - 1];
    if (w->base < w->depth)
        return false;
    if (f->kind == FRAME_CONDITION)
        return kind == FRAME_LIST && f->index == 1;
    return f->kind == FRAME_ITEMS && kind == FRAME_CONDITION;
}

static struct wire_frame *open_gc(struct wire *w, enum frame_kind kind, unsigned type)
{
    bool boundary = makes_boundary(w, kind, type);
    if (!wire_push_frame_gc(w) || !room_gc(w, HEAD)) {
        (void)too_big(w);
        return NULL;
    }
    struct wire_frame *f = &w->frames[w->depth - 1];
    f->v = w->item;
    f->at = w->item;
    f->kind = (uint8_t)kind;
    f->type = (uint8_t)type;
    f->start = w->length;
    f->end = w->id_count;
    if (boundary)
        w->base = w->depth;
    if (type)
        w->length += EXTENSION_HEAD;
    return f;
}

static enum outcome pack_pair_gc(struct wire *w)
{
    size_t count;
    enum list_shape shape;
    if (!measure(w, w->item, &count, &shape))
        return FAILED;
    if (shape == LIST_CIRCULAR)
        return CYCLE;
    if (count > UINT32_MAX) {
        (void)too_big(w);
        return FAILED;
    }
    bool proper = shape == LIST_PROPER;
    struct wire_frame *f =
        open_gc(w, proper ? FRAME_LIST : FRAME_IMPROPER, proper ? 0 : WIRE_IMPROPER);
    if (!f)
        return FAILED;
    if (proper)
        put_array(w, count);
    return GOOD;
}

static enum outcome pack_record_gc(struct wire *w)
{
    struct wire_frame *f = open_gc(w, FRAME_RECORD, WIRE_RECORD);
    uint64_t id = f ? new_handle_gc(w) : 0;
    if (!f || id == 0) {
        (void)too_big(w);
        return FAILED;
    }
    if (!room_gc(w, HEAD))
        return FAILED;
    put_unsigned(w, id);
    val type = record_type(w->frames[w->depth - 1].v);
    size_t n = record_type_size(type);
    w->item = object_field(type, RECORD_TYPE_NAME);
    if (!pack_name_gc(w) || !room_gc(w, HEAD))
        return FAILED;
    put_array(w, n);
    for (size_t i = 0; i < n; i++) {
        type = record_type(w->frames[w->depth - 1].v);
        w->item = vector_items(object_field(type, RECORD_TYPE_FIELDS))[i];
        if (!pack_name_gc(w))
            return FAILED;
    }
    return GOOD;
}

static enum outcome pack_condition_gc(struct wire *w)
{
    if (!open_gc(w, FRAME_CONDITION, WIRE_CONDITION))
        return FAILED;
    put(w, 0x99);
    w->subject = w->frames[w->depth - 1].v;
    return pack_condition_head_gc(w) ? GOOD : FAILED;
}

static enum outcome pack_table_gc(struct wire *w)
{
    struct wire_frame *f = open_gc(w, FRAME_TABLE, WIRE_TABLE);
    if (!f)
        return FAILED;
    f->at = HOLE;
    return GOOD;
}

static enum outcome pack_object_gc(struct wire *w)
{
    switch (object_type(w->item)) {
    case T_STRING:
    case T_ISTRING:
        return pack_string_gc(w, 0) ? GOOD : FAILED;
    case T_SYMBOL:
        w->item = symbol_name(w->item);
        return pack_string_gc(w, WIRE_SYMBOL) ? GOOD : FAILED;
    case T_BYTEVECTOR:
        return pack_bytes_gc(w) ? GOOD : FAILED;
    case T_FLONUM:
    case T_BIGNUM:
    case T_RATIO:
    case T_COMPLEX:
        return pack_number_gc(w) ? GOOD : FAILED;
    case T_VECTOR:
        return open_gc(w, FRAME_ITEMS, WIRE_VECTOR) ? GOOD : FAILED;
    case T_VALUES:
        return open_gc(w, FRAME_ITEMS, WIRE_VALUES) ? GOOD : FAILED;
    case T_RECORD:
        return pack_record_gc(w);
    case T_TABLE:
        return pack_table_gc(w);
    case T_CONDITION:
        return pack_condition_gc(w);
    case T_FOREIGN:
        return pack_handle_gc(w, HANDLE_FOREIGN) ? GOOD : FAILED;
    default:
        return pack_handle_gc(w, is_procedure(w->item) ? HANDLE_PROCEDURE : HANDLE_OPAQUE) ? GOOD
                                                                                           : FAILED;
    }
}

static enum outcome pack_immediate_gc(struct wire *w)
{
    if (is_eq(w->item, TRUE) || is_eq(w->item, FALSE)) {
        put(w, 0xc2 + is_true(w->item));
    } else if (is_eq(w->item, NIL)) {
        put(w, 0x90);
    } else if (is_eq(w->item, UNSPECIFIED)) {
        put(w, 0xc0);
    } else if (is_eq(w->item, EOF_OBJECT)) {
        put(w, 0xc7);
        put(w, 0);
        put(w, WIRE_EOF);
    } else if (is_char(w->item)) {
        put_char(w, w->item);
    } else {
        return pack_handle_gc(w, HANDLE_OPAQUE) ? GOOD : FAILED;
    }
    return GOOD;
}

/* Write w->item, or open its frame. */
static enum outcome pack_item_gc(struct wire *w)
{
    if (!room_gc(w, HEAD))
        return FAILED;
    if (is_fixnum(w->item)) {
        put_signed(w, fixnum_value(w->item));
        return GOOD;
    }
    if (is_flonum_immediate(w->item)) {
        put_double(w, flonum_immediate_value(w->item));
        return GOOD;
    }
    if (!is_pointer(w->item))
        return pack_immediate_gc(w);
    if (is_cyclic(w) || (w->length > w->most && w->depth > 0))
        return CYCLE;
    return is_pair(w->item) ? pack_pair_gc(w) : pack_object_gc(w);
}

/* -- the walk ------------------------------------------------------------------------------ */

enum more { MORE, NO_MORE, MORE_FAILED };

/* The next item of a condition: irritants, extra. What is no item is written. */
static enum more next_of_condition_gc(struct wire *w)
{
    struct wire_frame *f = &w->frames[w->depth - 1];
    w->subject = f->v;
    switch (f->index++) {
    case 0: {
        size_t count;
        enum list_shape shape;
        w->item = object_field(w->subject, CONDITION_IRRITANTS);
        if (!measure(w, w->item, &count, &shape))
            return MORE_FAILED;
        if (shape != LIST_PROPER || (w->most < SIZE_MAX && count > IRRITANTS_MOST)) {
            f->index++;
            if (!room_gc(w, HEAD))
                return MORE_FAILED;
            put(w, 0x91);
        } else {
            w->frames[w->depth - 1].index = 1;
        }
        return MORE;
    }
    case 1:
    case 2:
        w->frames[w->depth - 1].index = 3;
        if (!pack_condition_middle_gc(w))
            return MORE_FAILED;
        w->item = object_field(w->frames[w->depth - 1].v, CONDITION_EXTRA);
        return MORE;
    default:
        w->item = f->v;
        return pack_handle_gc(w, HANDLE_OPAQUE) ? NO_MORE : MORE_FAILED;
    }
}

static enum more next_of_table(struct wire *w, struct wire_frame *f)
{
    if (!is_eq(f->at, HOLE)) {
        w->item = f->at;
        f->at = HOLE;
        return MORE;
    }
    val key, value;
    if (!table_next(f->v, &f->index, &key, &value))
        return NO_MORE;
    w->item = key;
    f->at = value;
    return MORE;
}

static enum more next_of_gc(struct wire *w)
{
    struct wire_frame *f = &w->frames[w->depth - 1];
    switch ((enum frame_kind)f->kind) {
    case FRAME_LIST:
    case FRAME_IMPROPER:
        if (is_pair(f->at)) {
            w->item = car(f->at);
            f->at = cdr(f->at);
            return MORE;
        }
        if (f->kind == FRAME_LIST || f->index == 1)
            return NO_MORE;
        f->index = 1;
        w->item = f->at;
        return MORE;
    case FRAME_ITEMS:
        if (f->index >= object_length(f->v))
            return NO_MORE;
        w->item = object_field(f->v, f->index++);
        return MORE;
    case FRAME_RECORD:
        if (f->index >= record_size(f->v))
            return NO_MORE;
        w->item = *record_slot(f->v, f->index++);
        return MORE;
    case FRAME_TABLE:
        return next_of_table(w, f);
    case FRAME_CONDITION:
        return next_of_condition_gc(w);
    }
    UNREACHABLE();
    return MORE_FAILED;
}

/* The item above the innermost boundary has a cycle: a handle stands for it. */
static bool replace_by_handle_gc(struct wire *w)
{
    if (w->depth > w->base) {
        struct wire_frame *f = &w->frames[w->base];
        w->item = f->v;
        w->length = f->start;
        w->depth = w->base;
        drop_handles(w, f->end);
    }
    return pack_handle_gc(w, HANDLE_OPAQUE);
}

static bool pack_all_gc(struct wire *w, size_t floor)
{
    for (;;) {
        enum outcome o = pack_item_gc(w);
        if (o == CYCLE && !replace_by_handle_gc(w))
            return false;
        if (o == FAILED)
            return false;
        enum more more = NO_MORE;
        while (w->depth > floor && (more = next_of_gc(w)) == NO_MORE) {
            struct wire_frame *f = &w->frames[w->depth - 1];
            if (f->type && !close_extension(w, f->start, f->type))
                return too_big(w);
            w->depth--;
            w->base = size_min(w->base, w->depth);
        }
        if (w->depth == floor)
            return true;
        if (more == MORE_FAILED)
            return false;
    }
}

/* Close a packing that began with so many bytes and handles. */
static enum wire_status finish(struct wire *w, bool good, size_t length, size_t ids)
{
    w->depth = w->base = 0;
    w->item = w->subject = FALSE;
    w->most = SIZE_MAX;
    if (good)
        return WIRE_OK;
    w->length = length;
    drop_handles(w, ids);
    return WIRE_TOO_BIG;
}

static uint64_t work_allowed(const struct wire *w)
{
    return 2 * (uint64_t)size_min(w->heap->limit, SIZE_MAX / 4) + 4096;
}

enum wire_status wire_pack_gc(struct wire *w, val v)
{
    size_t length = w->length, ids = w->id_count;
    w->item = v;
    w->work = work_allowed(w);
    return finish(w, pack_all_gc(w, 0), length, ids);
}

enum wire_status wire_pack_raised_gc(struct wire *w, val v)
{
    size_t length = w->length, ids = w->id_count, room;
    enum wire_status s = WIRE_TOO_BIG;
    w->item = v;
    if (!wire_room_values_gc(w, 1))
        return s;
    w->values[w->count++] = w->item;
    for (size_t most = RAISED_MOST; s != WIRE_OK; most = 0) {
        w->item = w->values[w->count - 1];
        w->work = work_allowed(w);
        w->most = size_add(length, most, &room) ? room : SIZE_MAX;
        s = finish(w, pack_all_gc(w, 0), length, ids);
        if (most == 0)
            break;
    }
    w->count--;
    return s;
}

enum wire_status wire_pack_items_gc(struct wire *w, val vector)
{
    size_t length = w->length, ids = w->id_count;
    w->item = vector;
    w->work = work_allowed(w);
    struct wire_frame *f = open_gc(w, FRAME_ITEMS, 0);
    if (!f)
        return finish(w, false, length, ids);
    w->base = w->depth;
    size_t n = object_length(f->v);
    put_array(w, n);
    bool good = true;
    for (size_t i = 0; good && i < n; i++) {
        w->item = object_field(w->frames[0].v, i);
        good = pack_all_gc(w, 1);
    }
    return finish(w, good, length, ids);
}

enum wire_status wire_pack_array_gc(struct wire *w, size_t items)
{
    if (items > UINT32_MAX || !room_gc(w, HEAD))
        return WIRE_TOO_BIG;
    put_array(w, items);
    return WIRE_OK;
}

/* The locals of a frame of w->values[at], from item i on: [name, text, name, text ...]. */
static bool pack_locals_gc(struct wire *w, size_t at, size_t i, size_t count)
{
    char text[LOCAL_MOST + 1];
    if (!room_gc(w, HEAD))
        return false;
    put_array(w, count * 2);
    for (size_t k = 0; k < count * 2; k += 2) {
        w->item = vector_items(w->values[at])[i + k];
        if (!pack_name_gc(w))
            return false;
        val v = vector_items(w->values[at])[i + k + 1];
        text[printer_brief(w->heap, v, text, LOCAL_MOST)] = 0;
        if (!pack_ascii_gc(w, text))
            return false;
    }
    return true;
}

/* One frame: [name, file, line, column, locals]; how many items it took. */
static size_t pack_frame_gc(struct wire *w, size_t at, size_t i)
{
    uint32_t line, column;
    val items[2] = {vector_items(w->values[at])[i], vector_items(w->values[at])[i + 1]};
    size_t count = (size_t)fixnum_value(vector_items(w->values[at])[i + 2]);
    if (!room_gc(w, HEAD))
        return 0;
    put(w, 0x95);
    w->item = object_field(vector_items(w->values[at])[i], CODE_NAME);
    if (!pack_name_gc(w))
        return 0;
    items[0] = vector_items(w->values[at])[i];
    w->item = place_of(items[0], items[1], &line, &column);
    if (!pack_name_gc(w) || !room_gc(w, HEAD))
        return 0;
    put_unsigned(w, line);
    put_unsigned(w, column);
    return pack_locals_gc(w, at, i + 3, count) ? 3 + 2 * count : 0;
}

enum wire_status wire_pack_frames_gc(struct wire *w, size_t at)
{
    size_t length = w->length, n = vector_length(w->values[at]), frames = 0;
    for (size_t i = 0; i < n; frames++)
        i += 3 + 2 * (size_t)fixnum_value(vector_items(w->values[at])[i + 2]);
    if (!room_gc(w, HEAD))
        return finish(w, false, length, w->id_count);
    put_array(w, frames);
    for (size_t i = 0, taken; i < n; i += taken) {
        taken = pack_frame_gc(w, at, i);
        if (taken == 0)
            return finish(w, false, length, w->id_count);
    }
    return finish(w, true, length, w->id_count);
}

enum wire_status wire_pack_text_gc(struct wire *w, const char *text)
{
    size_t length = w->length;
    return finish(w, pack_ascii_gc(w, text), length, w->id_count);
}
