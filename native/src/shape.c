/* T8 shapes. See shape.h. */
#include "shape.h"
#include "code.h"
#include "condition.h"
#include "front.h"
#include "port.h"
#include "prim.h"
#include "record.h"
#include "symbol.h"
#include "table.h"

static val field(struct shape_base b, val object, size_t i)
{
    val v = object_field(object, i);
    return is_pointer(v) && v.bits < b.bytes ? VAL(v.bits + b.base) : v;
}

static bool is_field(struct shape_base b, val object, size_t i, enum type type)
{
    return is_type(field(b, object, i), type);
}

static bool is_field_or_false(struct shape_base b, val object, size_t i, enum type type)
{
    return is_eq(object_field(object, i), FALSE) || is_field(b, object, i, type);
}

static unsigned width_of(val string)
{
    return (unsigned)(object_header(string) & FLAG_WIDTH_MASK) >> FLAG_WIDTH_SHIFT;
}

static bool is_string_good(val s, struct shape_base b)
{
    return width_of(s) <= 2 && is_field(b, s, 0, T_STORAGE) &&
           object_length(s) <= object_length(field(b, s, 0)) >> width_of(s);
}

static bool is_istring_good(val s)
{
    return width_of(s) <= 2 && object_length(s) % ((size_t)1 << width_of(s)) == 0;
}

static bool is_storage_of(struct shape_base b, val table, size_t capacity)
{
    size_t slots = capacity > 8 ? capacity * 3 : capacity; /* hashes, and the index */
    return is_field(b, table, TABLE_HASHES, T_STORAGE) &&
           object_length(field(b, table, TABLE_HASHES)) / sizeof(uint32_t) >= slots;
}

static bool is_table_good(val t, struct shape_base b)
{
    uint64_t live = object_raw(t)[0] & UINT32_MAX, used = object_raw(t)[0] >> 32;
    val first = object_field(t, TABLE_FIRST);
    if (is_eq(object_field(t, TABLE_ENTRIES), FALSE))
        return live == 0 && used == 0 && is_eq(first, FALSE);
    if (!is_field(b, t, TABLE_ENTRIES, T_VECTOR))
        return false;
    size_t capacity = object_length(field(b, t, TABLE_ENTRIES)) / 2;
    return live <= used && used <= capacity && is_storage_of(b, t, capacity) &&
           (is_eq(first, FALSE) || is_index(first, used + 1));
}

static bool is_record_type_good(val t, struct shape_base b)
{
    return is_field(b, t, RECORD_TYPE_FIELDS, T_VECTOR) &&
           is_field(b, t, RECORD_TYPE_EXTRA, T_VECTOR) &&
           is_field_or_false(b, t, RECORD_TYPE_PARENT, T_RECORD_TYPE);
}

static bool is_port_good(val p, struct shape_base b)
{
    val content = field(b, p, PORT_CONTENT);
    uint64_t flags = object_raw(p)[PORT_FLAGS], at = object_raw(p)[PORT_POSITION];
    if (flags & PORT_CONSOLE)
        return object_raw(p)[PORT_WHICH] <= 2;
    if (is_type(content, T_STORAGE))
        return (flags & PORT_OUTPUT) && at <= object_length(content);
    if (is_type(content, T_BYTEVECTOR))
        return (flags & PORT_BINARY) && at <= object_length(content);
    if (!is_string(content))
        return is_eq(content, FALSE); /* closed, or nothing is there yet */
    size_t length = object_length(content);
    if (is_type(content, T_ISTRING))
        length >>= width_of(content);
    return (flags & PORT_TEXTUAL) && at <= length;
}

static bool is_integer(val v)
{
    return is_fixnum(v) || is_type(v, T_BIGNUM);
}

static bool is_real(val v)
{
    return is_integer(v) || is_flonum_immediate(v) || is_type(v, T_FLONUM) || is_type(v, T_RATIO);
}

static bool is_number_good(val v, struct shape_base b)
{
    if (object_type(v) == T_BIGNUM)
        return object_length(v) > 0 && object_length(v) % sizeof(uint64_t) == 0;
    bool ratio = object_type(v) == T_RATIO;
    val x = field(b, v, 0), y = field(b, v, 1);
    return ratio ? is_integer(x) && is_integer(y) : is_real(x) && is_real(y);
}

static bool is_code_good(val c, struct shape_base b)
{
    return is_field(b, c, CODE_LITERALS, T_VECTOR) &&
           object_raw(c)[CODE_LENGTH] <= object_length(c) / 8 &&
           object_raw(c)[CODE_FRAME] <= UINT16_MAX;
}

bool shape_is_good(val object, struct shape_base b)
{
    switch (object_type(object)) {
    case T_STRING:
        return is_string_good(object, b);
    case T_ISTRING:
        return is_istring_good(object);
    case T_BIGNUM:
    case T_RATIO:
    case T_COMPLEX:
        return is_number_good(object, b);
    case T_SYMBOL:
        return is_field(b, object, 0, T_ISTRING);
    case T_PRIMITIVE:
        return object_raw(object)[0] < primitive_count;
    case T_CODE:
        return is_code_good(object, b);
    case T_CLOSURE:
        return object_length(object) > 0 && is_field(b, object, 0, T_CODE);
    case T_CONTINUATION:
    case T_SEGMENT:
        return is_field_or_false(b, object, 0, T_SEGMENT);
    case T_RECORD_TYPE:
        return is_record_type_good(object, b);
    case T_RECORD:
        return is_field(b, object, 0, T_RECORD_TYPE);
    case T_TABLE:
        return is_table_good(object, b);
    case T_ENVIRONMENT:
        return is_field(b, object, ENVIRONMENT_TABLE, T_TABLE) &&
               is_field_or_false(b, object, ENVIRONMENT_PARENT, T_ENVIRONMENT);
    case T_LIBRARY:
        return is_field(b, object, LIBRARY_ENVIRONMENT, T_ENVIRONMENT);
    case T_PORT:
        return is_port_good(object, b);
    case T_CONDITION:
        return is_fixnum(object_field(object, CONDITION_KIND));
    default:
        return true;
    }
}

/* -- roots --------------------------------------------------------------------------- */
enum { TABLES_MOST = 8 };

/* Searches end at a free entry, so there is one. */
static bool is_symbol_table_good(val table)
{
    size_t free = 0, n = object_length(table);
    if (n <= SYMBOLS_FIRST || ((n - SYMBOLS_FIRST) & (n - SYMBOLS_FIRST - 1)) != 0 ||
        !is_index(object_field(table, SYMBOLS_COUNT), n))
        return false;
    for (size_t i = SYMBOLS_FIRST; i < n; i++) {
        val entry = object_field(table, i);
        free += is_eq(entry, FALSE);
        if (!is_eq(entry, FALSE) && !is_eq(entry, HOLE) && !is_symbol(entry))
            return false;
    }
    return free > 0;
}

static bool are_symbol_tables_good(val table)
{
    for (unsigned i = 0; i < TABLES_MOST; i++) {
        if (is_eq(table, FALSE))
            return true;
        if (!is_vector(table) || !is_symbol_table_good(table))
            return false;
        table = object_field(table, SYMBOLS_BASE);
    }
    return false;
}

bool shape_roots_are_good(const val *roots)
{
    static const struct {
        enum root root;
        enum type type;
    } rows[] = {{ROOT_LIBRARIES, T_TABLE},
                {ROOT_CORE, T_ENVIRONMENT},
                {ROOT_TOP, T_ENVIRONMENT},
                {ROOT_HOOKS, T_VECTOR}};
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        val v = roots[rows[i].root];
        if (!is_eq(v, FALSE) && !is_type(v, rows[i].type))
            return false;
    }
    return are_symbol_tables_good(roots[ROOT_SYMBOLS]);
}
