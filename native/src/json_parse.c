/* T4 JSON: the machine that reads. See json.h.
 *
 * The state: the level that is being filled, in plain variables while a step
 * lasts, and a stack of the levels around it. Lists are made from front to back
 * by storing into their last pair. An object with more than a few keys has a
 * table of them, so that many keys cost no more than their number. Keys that come
 * again and again, as in a list of records, are one constant each. */
#include "json_inner.h"

#include "num.h"
#include "symbol.h"
#include "table.h"

#define ACTS_MOST 2048u
#define CHARS_MOST ((size_t)1 << 15)
#define FEW_KEYS 16u
#define STACK_FIRST 8u

enum { PARSE_STACK, PARSE_HEAD, PARSE_TAIL, PARSE_KEY, PARSE_KEYS, PARSE_SEEN };
#define PARSE_SLOTS (PARSE_SEEN + JSON_SEEN)
enum { PARSE_AT, PARSE_DEPTH, PARSE_COUNT, PARSE_WHERE }; /* raw words */

/* what a level is, and what has to come in it */
enum kind { TOP, ARRAY, OBJECT };
enum expect { FIRST, NEXT, DIVIDER, DONE };

enum { LEVEL_HEAD, LEVEL_TAIL, LEVEL_KEY, LEVEL_KEYS, LEVEL_COUNT, LEVEL_SLOTS };

struct level {
    val head, tail; /* the list so far                                       */
    val key;        /* of the value that comes next                          */
    val keys;       /* table: key to its pair; FALSE for few                 */
    size_t count;
    enum kind kind;
};

struct parser {
    struct json_text text;
    val state;
    enum json_style style;
    enum expect expect;
    size_t depth;
    struct level level;
};

static val *slots_of(val state)
{
    return (val *)(void *)object_bytes(state);
}

/* -- the state ---------------------------------------------------------------------- */

static val state_make(struct heap *h, size_t at)
{
    val s = TRY(heap_alloc(h, T_STATE, PARSE_SLOTS, 0));
    uint64_t *raw = object_raw(s);
    for (size_t i = 0; i < PARSE_SLOTS; i++)
        slots_of(s)[i] = FALSE;
    raw[PARSE_AT] = at;
    raw[PARSE_DEPTH] = raw[PARSE_COUNT] = 0;
    raw[PARSE_WHERE] = (uint64_t)TOP << 8 | FIRST;
    return s;
}

static void load(struct parser *p)
{
    const val *slots = slots_of(p->state);
    const uint64_t *raw = object_raw(p->state);
    p->text.at = size_min((size_t)raw[PARSE_AT], p->text.end);
    p->depth = (size_t)raw[PARSE_DEPTH];
    p->expect = (enum expect)(raw[PARSE_WHERE] & 0xFF);
    p->level = (struct level){
        slots[PARSE_HEAD], slots[PARSE_TAIL],        slots[PARSE_KEY],
        slots[PARSE_KEYS], (size_t)raw[PARSE_COUNT], (enum kind)(raw[PARSE_WHERE] >> 8),
    };
}

static void save(struct parser *p)
{
    const struct level *l = &p->level;
    const val now[] = {l->head, l->tail, l->key, l->keys};
    val *slots = slots_of(p->state);
    uint64_t *raw = object_raw(p->state);
    for (size_t i = 0; i < ARRAY_LENGTH(now); i++)
        heap_store(p->text.h, p->state, &slots[PARSE_HEAD + i], now[i]);
    raw[PARSE_AT] = p->text.at;
    raw[PARSE_DEPTH] = p->depth;
    raw[PARSE_COUNT] = l->count;
    raw[PARSE_WHERE] = (uint64_t)l->kind << 8 | (uint64_t)p->expect;
}

/* -- levels ---------------------------------------------------------------------------- */

/* Room for one more level on the stack. */
static val stack_room(struct parser *p)
{
    struct heap *h = p->text.h;
    val *slot = &slots_of(p->state)[PARSE_STACK];
    size_t used = p->depth * LEVEL_SLOTS, had = is_object(*slot) ? object_length(*slot) : 0;
    if (used + LEVEL_SLOTS <= had)
        return TRUE;
    size_t length = size_max(had * 2, STACK_FIRST * LEVEL_SLOTS);
    val stack = TRY(heap_alloc(h, T_VECTOR, length, 0));
    for (size_t i = 0; i < length; i++)
        object_fields(stack)[i] = i < used ? object_field(*slot, i) : FALSE;
    heap_store(h, p->state, slot, stack);
    return TRUE;
}

static val push(struct parser *p, enum kind kind)
{
    TRY(stack_room(p));
    const struct level *l = &p->level;
    const val kept[] = {l->head, l->tail, l->key, l->keys,
                        fixnum((int64_t)(l->count << 2 | (size_t)l->kind))};
    val stack = slots_of(p->state)[PARSE_STACK];
    for (size_t i = 0; i < LEVEL_SLOTS; i++)
        heap_store(p->text.h, stack, &object_fields(stack)[p->depth * LEVEL_SLOTS + i], kept[i]);
    p->depth++;
    p->level = (struct level){NIL, NIL, FALSE, FALSE, 0, kind};
    p->text.at++;
    p->expect = FIRST;
    return TRUE;
}

static struct level level_below(const struct parser *p)
{
    const val *kept = object_fields(slots_of(p->state)[PARSE_STACK]) + (p->depth - 1) * LEVEL_SLOTS;
    size_t code = (size_t)fixnum_value(kept[LEVEL_COUNT]);
    return (struct level){kept[LEVEL_HEAD], kept[LEVEL_TAIL], kept[LEVEL_KEY],
                          kept[LEVEL_KEYS], code >> 2,        (enum kind)(code & 3)};
}

static void append(struct heap *h, struct level *l, val cell)
{
    if (is_pair(l->tail))
        heap_store(h, l->tail, &pair_words(l->tail)[1], cell);
    else
        l->head = cell;
    l->tail = cell;
    l->count++;
}

/* -- keys that occur twice ------------------------------------------------------------------ */

/* The pair of this key in the level, FALSE where there is none. */
static val find_key(struct heap *h, const struct level *l)
{
    if (is_true(l->keys))
        return table_get(h, l->keys, l->key, FALSE);
    size_t length = string_length(l->key);
    for (val at = l->head; is_pair(at); at = cdr(at)) {
        val other = car(car(at));
        if (is_eq(other, l->key) || (string_length(other) == length && string_equal(other, l->key)))
            return car(at);
    }
    return FALSE;
}

/* A table of the keys so far, once there are more than a few. */
static val make_keys(struct heap *h, struct level *l)
{
    if (is_true(l->keys) || l->count < FEW_KEYS)
        return TRUE;
    val keys = TRY(table_new(h, TABLE_STRING));
    TRY(table_reserve(h, keys, FEW_KEYS * 2));
    for (val at = l->head; is_pair(at); at = cdr(at))
        TRY(table_put(h, keys, car(car(at)), car(at)));
    l->keys = keys;
    return TRUE;
}

static val add_member(struct parser *p, struct level *l, val value)
{
    struct heap *h = p->text.h;
    bool once = p->style == JSON_TEIN;
    if (once) {
        TRY(make_keys(h, l));
        val found = TRY(find_key(h, l));
        if (is_pair(found)) {
            heap_store(h, found, &pair_words(found)[1], value);
            return TRUE;
        }
    }
    val member = TRY(cons(h, l->key, value));
    val cell = TRY(cons(h, member, NIL));
    if (once && is_true(l->keys))
        TRY(table_put(h, l->keys, l->key, member));
    append(h, l, cell);
    return TRUE;
}

/* Put a value into a level: TRUE, or RETRY, LIMIT before any change. */
static val add(struct parser *p, struct level *l, val value)
{
    heap_charge(p->text.h, 4);
    if (l->kind == OBJECT)
        TRY(add_member(p, l, value));
    else if (l->kind == ARRAY)
        append(p->text.h, l, TRY(cons(p->text.h, value, NIL)));
    else
        l->head = value;
    l->key = FALSE;
    return TRUE;
}

static val put(struct parser *p, val value)
{
    TRY(add(p, &p->level, value));
    p->expect = p->level.kind == TOP ? DONE : DIVIDER;
    return TRUE;
}

/* What the level is as a value. */
static val level_value(struct parser *p)
{
    const struct level *l = &p->level;
    if (p->style == JSON_TEIN || l->kind == OBJECT)
        return l->head;
    TRY(heap_afford(p->text.h, l->count / 8));
    val v = TRY(heap_alloc(p->text.h, T_VECTOR, l->count, 0));
    size_t i = 0;
    for (val at = l->head; is_pair(at); at = cdr(at))
        object_fields(v)[i++] = car(at);
    heap_charge(p->text.h, l->count / 8);
    return v;
}

static val close_level(struct parser *p)
{
    struct level below = level_below(p);
    val value = TRY(level_value(p));
    TRY(add(p, &below, value));
    p->text.at++;
    p->depth--;
    p->level = below;
    p->expect = below.kind == TOP ? DONE : DIVIDER;
    return TRUE;
}

/* -- acts ----------------------------------------------------------------------------------------
 */

static val take_value(struct parser *p)
{
    struct json_text *t = &p->text;
    uint32_t c = json_peek(t);
    val v;
    if (c == '"')
        v = json_string(t);
    else if (c == '{' || c == '[')
        return push(p, c == '{' ? OBJECT : ARRAY);
    else if (c == '-' || (c >= '0' && c <= '9'))
        v = json_number(t, p->style == JSON_TEIN ? flonum(t->h, -0.0) : fixnum(0));
    else
        v = json_word(t);
    if (is_control(v) || is_eq(v, DEFAULT_OBJECT))
        return v;
    return put(p, v);
}

static val take_key(struct parser *p)
{
    struct json_text *t = &p->text;
    if (json_peek(t) != '"')
        return json_fail(t, json_peek(t) == '}' ? "expected a key (no comma stands before })"
                                                : "expected a key in double quotes");
    val key = json_key(t, p->state, slots_of(p->state) + PARSE_SEEN);
    if (is_control(key) || is_eq(key, DEFAULT_OBJECT))
        return key;
    if (p->style == JSON_CHIBI)
        key = TRY(symbol_intern(t->h, key));
    json_skip_space(t);
    if (json_peek(t) != ':')
        return json_fail(t, "expected : behind a key");
    t->at++;
    json_skip_space(t);
    heap_charge(t->h, 2);
    p->level.key = key;
    return TRUE;
}

static val take_item(struct parser *p)
{
    if (p->level.kind == OBJECT && !is_object(p->level.key)) {
        val ok = take_key(p);
        if (!is_eq(ok, TRUE))
            return ok;
        p->expect = NEXT;
        return TRUE;
    }
    return take_value(p);
}

static val take_divider(struct parser *p, uint32_t c, bool closes)
{
    if (closes)
        return close_level(p);
    if (c == JSON_END)
        return json_fail(&p->text, "unexpected end of the text");
    if (c != ',')
        return json_fail(&p->text, p->level.kind == OBJECT ? "expected , or } in an object"
                                                           : "expected , or ] in an array");
    p->text.at++;
    p->expect = NEXT;
    return TRUE;
}

/* One token, or a key with its colon. */
static val act(struct parser *p)
{
    json_skip_space(&p->text);
    uint32_t c = json_peek(&p->text);
    bool closes = c == (p->level.kind == OBJECT ? '}' : ']') && p->level.kind != TOP;
    if (p->expect == DIVIDER)
        return take_divider(p, c, closes);
    return p->expect == FIRST && closes ? close_level(p) : take_item(p);
}

/* -- steps
 * ----------------------------------------------------------------------------------------- */

static val finish(struct parser *p, val source)
{
    if (is_port(source)) {
        object_raw(source)[PORT_POSITION] = p->text.at;
        return p->level.head;
    }
    json_skip_space(&p->text);
    if (p->text.at < p->text.end)
        return json_fail(&p->text, "trailing characters behind the value");
    return p->level.head;
}

static val step(struct parser *p, val source)
{
    struct heap *h = p->text.h;
    size_t start = p->text.at;
    for (size_t acts = 0;; acts++) {
        if (p->expect == DONE)
            return finish(p, source);
        if (acts == ACTS_MOST || p->text.at - start > CHARS_MOST || h->charge > h->afford)
            return STEP;
        size_t before = p->text.at;
        uint64_t charged = h->charge;
        val ok = act(p);
        heap_charge(h, p->text.at / 8 - before / 8);
        if (is_eq(ok, RETRY) || is_eq(ok, LIMIT)) {
            p->text.at = before;
            h->charge = charged;
            return acts > 0 ? STEP : ok;
        }
        if (is_eq(ok, RAISE) && is_port(source))
            object_raw(source)[PORT_POSITION] = p->text.at;
        if (!is_eq(ok, TRUE))
            return ok;
    }
}

/* The string to read, where, and whether more may come. */
static struct json_text text_of(struct heap *h, val source, const char *who)
{
    bool port = is_port(source);
    val string = port ? object_field(source, PORT_CONTENT) : source;
    return (struct json_text){
        .h = h,
        .data = string_data(string),
        .width = string_width(string),
        .at = port ? (size_t)object_raw(source)[PORT_POSITION] : 0,
        .end = string_length(string),
        .string = string,
        .who = who,
        .dry = port && is_eq(port_at_end(source), DEFAULT_OBJECT),
    };
}

val json_parse(struct heap *h, val source, enum json_style style, const char *who)
{
    struct parser p = {.text = text_of(h, source, who), .style = style};
    if (!is_type(h->step, T_STATE)) {
        size_t at = p.text.at;
        json_skip_space(&p.text);
        if (is_port(source) && p.text.at >= p.text.end) {
            object_raw(source)[PORT_POSITION] = p.text.at;
            return port_at_end(source);
        }
        h->step = TRY(state_make(h, at));
    }
    p.state = h->step;
    load(&p);
    val result = step(&p, source);
    save(&p);
    return result;
}
