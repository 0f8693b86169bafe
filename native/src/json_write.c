/* T4 JSON: the machine that writes. See json.h.
 *
 * A stack of frames (object, code) in a heap object says what is left to write; a
 * code is what to do with the object and how far that is. Text gathers in a
 * buffer that goes to the port at the end of a step, where room was made at its
 * begin: so nothing is written twice. What holds itself is found as the printer's
 * depth doubles: a container is compared with one that encloses it (Brent). */
#include "json.h"

#include "num.h"
#include "pair.h"
#include "symbol.h"
#include "table.h"

#define OUT_ROOM ((size_t)8192)
#define OUT_MARGIN ((size_t)128) /* no act but that of a string makes more text */
#define CHAR_ROOM 12u            /* bytes that one character can need           */
#define ACTS_MOST 2048u
#define STACK_FIRST 32u

enum { WRITE_STACK, WRITE_ANCHOR, WRITE_SLOTS };
enum { WRITE_DEPTH, WRITE_BYTES, WRITE_ANCHOR_DEPTH, WRITE_NEXT_ANCHOR }; /* raw words */

enum frame_kind {
    WRITE_VALUE,   /* the object                                    */
    WRITE_MEMBER,  /* a colon, then the object                      */
    WRITE_ITEMS,   /* the rest of a list as an array                */
    WRITE_MEMBERS, /* the rest of an alist as an object             */
    WRITE_VECTOR,  /* from element `index` on                       */
    WRITE_TABLE,   /* from entry `index` on                         */
    WRITE_STRING,  /* from character `index` on, then a quote       */
    WRITE_DIGITS   /* from character `index` on                     */
};
#define FIRST_ITEM ((size_t)1 << 3) /* in an index: nothing is written yet */

struct writer {
    struct heap *h;
    val state;
    enum json_style style;
    const char *who;
    size_t depth; /* frames */
    size_t length;
    char text[OUT_ROOM];
};

static val *slots_of(val state)
{
    return (val *)(void *)object_bytes(state);
}

/* -- text ---------------------------------------------------------------------------- */

static void add_text(struct writer *w, const char *text)
{
    size_t n = strlen(text);
    memcpy(w->text + w->length, text, n);
    w->length += n;
}

static void add_unit(struct writer *w, uint32_t unit)
{
    const char *digits = w->style == JSON_TEIN ? "0123456789abcdef" : "0123456789ABCDEF";
    add_text(w, "\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        w->text[w->length++] = digits[(unit >> shift) & 15];
}

/* A character that does not stand for itself in a string. */
static void add_special(struct writer *w, uint32_t c)
{
    static const char meanings[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = c == 0 ? NULL : ascii_find(meanings, c);
    if (found != NULL) {
        w->text[w->length++] = '\\';
        w->text[w->length++] = letters[found - meanings];
    } else if (c >= ' ' && w->style == JSON_TEIN) {
        w->length += utf8_encode(c, w->text + w->length);
    } else if (c < 0x10000) {
        add_unit(w, c);
    } else {
        add_unit(w, 0xD800 + ((c - 0x10000) >> 10));
        add_unit(w, 0xDC00 + ((c - 0x10000) & 0x3FF));
    }
}

static bool is_plain(uint32_t c)
{
    return c >= ' ' && c < 0x7F && c != '"' && c != '\\';
}

/* Plain characters of a narrow string from `i` on; where they end. */
static size_t add_plain(struct writer *w, const uint8_t *data, size_t i, size_t end)
{
    size_t start = i;
    end = size_min(end, i + (OUT_ROOM - w->length));
    while (i < end && is_plain(data[i]))
        i++;
    memcpy(w->text + w->length, data + start, i - start);
    w->length += i - start;
    return i;
}

/* Characters from `i` on, as many as have room: how far that went. */
static size_t add_characters(struct writer *w, val s, size_t i)
{
    const uint8_t *data = string_data(s);
    unsigned width = string_width(s);
    size_t end = string_length(s);
    while (i < end && OUT_ROOM - w->length >= CHAR_ROOM) {
        if (width == 0 && (i = add_plain(w, data, i, end)) == end)
            break;
        if (OUT_ROOM - w->length < CHAR_ROOM)
            break;
        uint32_t c = code_at(data, width, i++);
        if (is_plain(c))
            w->text[w->length++] = (char)c;
        else
            add_special(w, c);
    }
    return i;
}

/* -- frames ------------------------------------------------------------------------------ */

static val frames_room(struct writer *w, size_t n)
{
    val old = slots_of(w->state)[WRITE_STACK];
    size_t length = object_length(old);
    if ((w->depth + n) * 2 <= length)
        return TRUE;
    val stack = TRY(heap_alloc(w->h, T_VECTOR, length * 2, 0));
    for (size_t i = 0; i < length * 2; i++)
        object_fields(stack)[i] = i < w->depth * 2 ? object_field(old, i) : FALSE;
    heap_store(w->h, w->state, &slots_of(w->state)[WRITE_STACK], stack);
    return TRUE;
}

/* Replace the top frame. */
static void frame_set(struct writer *w, enum frame_kind kind, val object, size_t index)
{
    val stack = slots_of(w->state)[WRITE_STACK];
    val *frame = object_fields(stack) + (w->depth - 1) * 2;
    heap_store(w->h, stack, &frame[0], object);
    frame[1] = fixnum((int64_t)(index << 3 | (size_t)kind));
}

static void frame_push(struct writer *w, enum frame_kind kind, val object, size_t index)
{
    w->depth++;
    frame_set(w, kind, object, index);
}

/* -- what holds itself ------------------------------------------------------------------------ */

/* Note the container that the top frame begins; true: it encloses itself. */
static bool encloses_itself(struct writer *w, val container)
{
    uint64_t *raw = object_raw(w->state);
    val *anchor = &slots_of(w->state)[WRITE_ANCHOR];
    if (w->depth <= raw[WRITE_ANCHOR_DEPTH]) {
        heap_store(w->h, w->state, anchor, FALSE);
        raw[WRITE_ANCHOR_DEPTH] = 0;
        for (raw[WRITE_NEXT_ANCHOR] = 1; raw[WRITE_NEXT_ANCHOR] < w->depth;)
            raw[WRITE_NEXT_ANCHOR] *= 2;
    }
    if (is_eq(*anchor, container))
        return true;
    if (w->depth >= raw[WRITE_NEXT_ANCHOR]) {
        heap_store(w->h, w->state, anchor, container);
        raw[WRITE_ANCHOR_DEPTH] = w->depth;
        raw[WRITE_NEXT_ANCHOR] = w->depth * 2;
    }
    return false;
}

/* -- refusals ------------------------------------------------------------------------------------
 */

static val refuse(struct writer *w, val v, const char *what)
{
    val irritants = TRY(cons(w->h, v, NIL));
    return raise_format(w->h, CONDITION_ERROR, irritants, "%s: %s", w->who, what);
}

static val refuse_kind(struct writer *w, val v)
{
    return refuse(w, v,
                  w->style == JSON_TEIN ? "cannot convert scheme value to JSON"
                                        : "cannot convert to JSON");
}

/* -- atoms: the top frame is theirs and is done after
 * ----------------------------------------------- */

static void add_integer(struct writer *w, int64_t n)
{
    char buffer[24];
    size_t at = sizeof buffer;
    uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    do
        buffer[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (n < 0)
        buffer[--at] = '-';
    memcpy(w->text + w->length, buffer + at, sizeof buffer - at);
    w->length += sizeof buffer - at;
}

static val add_double(struct writer *w, val v, double d)
{
    bool finite = d - d == 0.0;
    if (!finite && w->style == JSON_CHIBI)
        return refuse_kind(w, v);
    if (!finite)
        add_text(w, "null");
    else if (w->style == JSON_CHIBI && d > -1e16 && d < 1e16 && d == (double)(int64_t)d)
        add_integer(w, (int64_t)d);
    else
        w->length += double_to_text(w->text + w->length, d);
    return TRUE;
}

static val write_number(struct writer *w, val v)
{
    if (is_fixnum(v)) {
        add_integer(w, fixnum_value(v));
    } else if (is_exact_integer(v)) {
        frame_set(w, WRITE_DIGITS, TRY(num_to_text(w->h, v, 10)), 0);
        return TRUE;
    } else if (is_flonum(v)) {
        TRY(add_double(w, v, flonum_value(v)));
    } else if (is_real(v) && w->style == JSON_CHIBI) {
        TRY(add_double(w, v, num_to_double(v)));
    } else {
        return refuse_kind(w, v);
    }
    w->depth--;
    return TRUE;
}

/* Go on with a string, of which the top frame knows. */
static void write_string(struct writer *w, val s, size_t i)
{
    i = add_characters(w, s, i);
    if (i < string_length(s) || w->length == OUT_ROOM) {
        frame_set(w, WRITE_STRING, s, i);
        return;
    }
    w->text[w->length++] = '"';
    w->depth--;
}

static void begin_string(struct writer *w, val s)
{
    w->text[w->length++] = '"';
    write_string(w, s, 0);
}

static void write_digits(struct writer *w, val s, size_t i)
{
    i = add_plain(w, string_data(s), i, string_length(s));
    if (i < string_length(s))
        frame_set(w, WRITE_DIGITS, s, i);
    else
        w->depth--;
}

static val write_symbol(struct writer *w, val v)
{
    val name = symbol_name(v);
    bool null = is_eq(v, symbol_find_utf8(w->h, "null", 4));
    if (!null && w->style == JSON_TEIN)
        return refuse(w, v, "only the symbol null has a JSON form; write a string instead");
    if (!null) {
        begin_string(w, name);
        return TRUE;
    }
    add_text(w, "null");
    w->depth--;
    return TRUE;
}

/* -- containers
 * ---------------------------------------------------------------------------------------- */

static bool is_key(val v)
{
    return is_string(v) || is_symbol(v);
}

/* Is the list an object? TRUE, FALSE; RAISE where it is no proper list. */
static val list_is_object(struct writer *w, val list)
{
    bool object = true;
    enum list_shape shape = LIST_PROPER;
    struct list_walk walk = list_walk_from(list);
    while (shape == LIST_PROPER && is_pair(walk.at)) {
        val item = car(walk.at);
        object = object && is_pair(item) && is_key(car(item));
        shape = list_step(w->h, &walk);
    }
    list_charge(w->h, &walk);
    if (shape == LIST_STOPPED)
        return LIMIT;
    if (shape == LIST_CIRCULAR)
        return refuse(w, list, "cannot convert a circular list to JSON");
    if (!is_eq(walk.at, NIL))
        return refuse(w, list, "cannot convert improper list (dotted pair) to JSON");
    if (!object && w->style == JSON_CHIBI)
        return refuse_kind(w, list);
    return val_bool(object);
}

static val begin_container(struct writer *w, val v)
{
    bool brace = is_type(v, T_TABLE);
    if (encloses_itself(w, v))
        return refuse(w, v, "cannot convert what contains itself to JSON");
    if (is_pair(v))
        brace = is_true(TRY(list_is_object(w, v)));
    w->text[w->length++] = brace ? '{' : '[';
    if (is_pair(v))
        frame_set(w, brace ? WRITE_MEMBERS : WRITE_ITEMS, v, FIRST_ITEM);
    else
        frame_set(w, brace ? WRITE_TABLE : WRITE_VECTOR, v, 0);
    return TRUE;
}

/* The object of the top frame. */
static val write_value(struct writer *w, val v)
{
    if (is_string(v)) {
        begin_string(w, v);
        return TRUE;
    }
    if (is_number(v))
        return write_number(w, v);
    if (is_pair(v) || is_vector(v) || is_type(v, T_TABLE))
        return begin_container(w, v);
    if (is_symbol(v))
        return write_symbol(w, v);
    if (!is_eq(v, NIL) && !is_eq(v, TRUE) && !is_eq(v, FALSE))
        return refuse_kind(w, v);
    add_text(w, is_eq(v, TRUE)           ? "true"
                : is_eq(v, FALSE)        ? "false"
                : w->style == JSON_CHIBI ? "{}"
                                         : "[]");
    w->depth--;
    return TRUE;
}

static void end_container(struct writer *w, char mark)
{
    w->text[w->length++] = mark;
    w->depth--;
}

/* A key and its value, on top of the frame of their object. */
static val begin_member(struct writer *w, val key, val value, bool first)
{
    if (!is_key(key))
        return refuse(w, key, "a key must be a string or symbol");
    if (!first)
        w->text[w->length++] = ',';
    frame_push(w, WRITE_MEMBER, value, 0);
    frame_push(w, WRITE_STRING, FALSE, 0);
    begin_string(w, is_symbol(key) ? symbol_name(key) : key);
    return TRUE;
}

static val next_of_list(struct writer *w, enum frame_kind kind, val rest, size_t index)
{
    bool members = kind == WRITE_MEMBERS;
    if (!is_pair(rest)) {
        end_container(w, members ? '}' : ']');
        return TRUE;
    }
    val item = car(rest);
    if (members && !is_pair(item)) /* somebody changed the list meanwhile */
        return refuse_kind(w, item);
    frame_set(w, kind, cdr(rest), 0);
    if (members)
        return begin_member(w, car(item), cdr(item), index != 0);
    if (index == 0)
        w->text[w->length++] = ',';
    frame_push(w, WRITE_VALUE, item, 0);
    return write_value(w, item);
}

static val next_of_vector(struct writer *w, val v, size_t i)
{
    if (i >= object_length(v)) {
        end_container(w, ']');
        return TRUE;
    }
    if (i != 0)
        w->text[w->length++] = ',';
    frame_set(w, WRITE_VECTOR, v, i + 1);
    frame_push(w, WRITE_VALUE, object_field(v, i), 0);
    return write_value(w, object_field(v, i));
}

/* A table by an equivalence of Scheme has pairs (key . value) as values. */
static val next_of_table(struct writer *w, val t, size_t index)
{
    size_t i = index >> 1;
    val key, value;
    if (!table_next(t, &i, &key, &value)) {
        end_container(w, '}');
        return TRUE;
    }
    if (is_true(object_field(t, TABLE_EXTRA)) && is_pair(value)) {
        key = car(value);
        value = cdr(value);
    }
    frame_set(w, WRITE_TABLE, t, i << 1 | 1);
    return begin_member(w, key, value, (index & 1) == 0);
}

/* -- acts and steps
 * ---------------------------------------------------------------------------------------- */

/* Carry out the top frame. TRUE; RETRY and LIMIT before any change. */
static val act(struct writer *w)
{
    TRY(frames_room(w, 2));
    const val *frame = object_fields(slots_of(w->state)[WRITE_STACK]) + (w->depth - 1) * 2;
    val v = frame[0];
    size_t code = (size_t)fixnum_value(frame[1]), index = code >> 3;
    switch ((enum frame_kind)(code & 7)) {
    case WRITE_VALUE:
        return write_value(w, v);
    case WRITE_MEMBER:
        w->text[w->length++] = ':';
        return write_value(w, v);
    case WRITE_ITEMS:
    case WRITE_MEMBERS:
        return next_of_list(w, (enum frame_kind)(code & 7), v, index);
    case WRITE_VECTOR:
        return next_of_vector(w, v, index);
    case WRITE_TABLE:
        return next_of_table(w, v, index);
    case WRITE_STRING:
        write_string(w, v, index);
        return TRUE;
    case WRITE_DIGITS:
        write_digits(w, v, index);
        return TRUE;
    }
    return TRUE;
}

/* Pay for the text that the step has made. */
static void pay(struct writer *w)
{
    uint64_t *raw = object_raw(w->state);
    uint64_t bytes = raw[WRITE_BYTES] + w->length;
    heap_charge(w->h, bytes / 8 - raw[WRITE_BYTES] / 8);
    raw[WRITE_BYTES] = bytes;
}

/* One act; where it fails, everything is as it was. */
static val try_act(struct writer *w)
{
    size_t depth = w->depth, length = w->length;
    uint64_t charged = w->h->charge;
    const val *frame = object_fields(slots_of(w->state)[WRITE_STACK]) + (depth - 1) * 2;
    val object = frame[0], code = frame[1];
    heap_charge(w->h, 4);
    val ok = act(w);
    if (is_eq(ok, TRUE))
        return TRUE;
    w->depth = depth;
    w->length = length;
    frame_set(w, (enum frame_kind)(fixnum_value(code) & 7), object,
              (size_t)fixnum_value(code) >> 3);
    if (!is_eq(ok, RAISE))
        w->h->charge = charged;
    return ok;
}

static val step(struct writer *w, val port)
{
    TRY(port_reserve(w->h, port, OUT_ROOM));
    for (size_t acts = 0; w->depth > 0 && acts < ACTS_MOST; acts++) {
        if (w->length > OUT_ROOM - OUT_MARGIN)
            break;
        val ok = try_act(w);
        if (is_eq(ok, RAISE))
            pay(w);
        if (!is_eq(ok, TRUE) && (acts == 0 || is_eq(ok, RAISE)))
            return ok;
        if (!is_eq(ok, TRUE))
            break;
    }
    pay(w);
    object_raw(w->state)[WRITE_DEPTH] = w->depth;
    TRY(port_append(w->h, port, w->text, w->length));
    return w->depth == 0 ? UNSPECIFIED : STEP;
}

static val state_make(struct heap *h, val value)
{
    val stack = TRY(heap_alloc(h, T_VECTOR, STACK_FIRST * 2, 0));
    for (size_t i = 0; i < STACK_FIRST * 2; i++)
        object_fields(stack)[i] = FALSE;
    val state = TRY(heap_alloc(h, T_STATE, WRITE_SLOTS, 0));
    uint64_t *raw = object_raw(state);
    slots_of(state)[WRITE_STACK] = stack;
    slots_of(state)[WRITE_ANCHOR] = FALSE;
    object_fields(stack)[0] = value;
    object_fields(stack)[1] = fixnum(WRITE_VALUE);
    raw[WRITE_DEPTH] = raw[WRITE_NEXT_ANCHOR] = 1;
    raw[WRITE_BYTES] = raw[WRITE_ANCHOR_DEPTH] = 0;
    return state;
}

val json_write(struct heap *h, val value, val port, enum json_style style, const char *who)
{
    struct writer w;
    if (!is_type(h->step, T_STATE))
        h->step = TRY(state_make(h, value));
    w.h = h;
    w.state = h->step;
    w.style = style;
    w.who = who;
    w.depth = (size_t)object_raw(w.state)[WRITE_DEPTH];
    w.length = 0;
    return step(&w, port);
}
