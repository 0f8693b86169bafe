/* T7 primitives: strings. What needs to call procedures (string-map ...) is
 * written in Scheme.
 *
 * PURE ones pay for the bytes they read and write before they start. Where a
 * string has to become wider its new storage is made before anything changes. */
#include "../chars.h"
#include "../pair.h"
#include "../prim.h"
#include "../string.h"
#include "../vector.h"

#define PAIRS_STEP (RESERVE_MAX / 16)

static size_t bytes_of(val s, size_t chars)
{
    return chars << string_width(s);
}

static MUST_USE val arg_length(struct heap *h, const val *args, size_t i)
{
    return arg_index(h, args, i, STRING_MAX);
}

/* -- making, reading, writing --------------------------------------------------------- */

PRIM("make-string", prim_make_string, 1, 2, PURE, "(make-string k [char])",
     "Return a new string of K characters, each CHAR (or a space).")
{
    size_t k = (size_t)fixnum_value(TRY(arg_length(h, args, 0)));
    uint32_t c = n > 1 ? char_code(TRY(arg_char(h, args, 1))) : ' ';
    unsigned width = width_for(c);
    TRY(afford_bytes(h, k << width));
    val s = TRY(string_new(h, k, width));
    uint8_t *data = string_storage(s);
    if (width == 0 && k != 0)
        memset(data, (int)c, k);
    else
        for (size_t i = 0; i < k; i++)
            code_put(data, width, i, c);
    return s;
}

PRIM("string", prim_string, 0, -1, PURE, "(string char ...)",
     "Return a new string of the arguments.")
{
    uint32_t widest = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = char_code(TRY(arg_char(h, args, i)));
        widest = c > widest ? c : widest;
    }
    TRY(afford_bytes(h, n * 8));
    unsigned width = width_for(widest);
    val s = TRY(string_new(h, n, width));
    for (size_t i = 0; i < n; i++)
        code_put(string_storage(s), width, i, char_code(args[i]));
    return s;
}

PRIM("string-length", prim_string_length, 1, 1, SHORT, "(string-length string)",
     "Return the number of characters of STRING.")
{
    return fixnum((int64_t)string_length(TRY(arg_string(h, args, 0))));
}

PRIM("string-ref", prim_string_ref, 2, 2, SHORT, "(string-ref string k)",
     "Return character K of STRING, counted from 0.")
{
    val s = TRY(arg_string(h, args, 0));
    val k = TRY(arg_index(h, args, 1, string_length(s)));
    return char_value(string_ref(s, (size_t)fixnum_value(k)));
}

PRIM("string-set!", prim_string_set, 3, 3, PURE, "(string-set! string k char)",
     "Store CHAR as character K of STRING.")
{
    val s = TRY(arg_string(h, args, 0));
    val k = TRY(arg_index(h, args, 1, string_length(s)));
    uint32_t c = char_code(TRY(arg_char(h, args, 2)));
    TRY(arg_mutable(h, args, 0));
    if (width_for(c) > string_width(s)) {
        TRY(afford_bytes(h, string_length(s) << width_for(c)));
        TRY(string_widen(h, s, width_for(c)));
    }
    return is_control(string_set(h, s, (size_t)fixnum_value(k), c)) ? RETRY : UNSPECIFIED;
}

/* -- comparing -------------------------------------------------------------------------- */

enum order { LESS = 1, EQUAL = 2, GREATER = 4 };

/* Are all neighbours in an order of `wanted`? Types are checked to the end. */
static val compare_all(struct heap *h, const val *args, size_t n, unsigned wanted, bool ci)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        val s = TRY(arg_string(h, args, i));
        bytes += bytes_of(s, string_length(s)) + 8;
    }
    TRY(afford_bytes(h, ci ? bytes * 4 : bytes));
    for (size_t i = 0; i + 1 < n; i++) {
        val a = args[i], b = args[i + 1];
        int order = 0;
        if (ci)
            order = string_compare_ci(a, b);
        else if (wanted == EQUAL)
            order = string_equal(a, b) ? 0 : 1;
        else
            order = string_compare(a, b);
        if (!(wanted & (unsigned)(order < 0 ? LESS : order > 0 ? GREATER : EQUAL)))
            return FALSE;
    }
    return TRUE;
}

PRIM("string=?", prim_string_equal, 1, -1, PURE, "(string=? string1 string2 ...)",
     "Return #t if all the strings have the same characters.")
{
    return compare_all(h, args, n, EQUAL, false);
}

PRIM("string<?", prim_string_less, 1, -1, PURE, "(string<? string1 string2 ...)",
     "Return #t if the strings are in increasing order, by code points.")
{
    return compare_all(h, args, n, LESS, false);
}

PRIM("string>?", prim_string_greater, 1, -1, PURE, "(string>? string1 string2 ...)",
     "Return #t if the strings are in decreasing order, by code points.")
{
    return compare_all(h, args, n, GREATER, false);
}

PRIM("string<=?", prim_string_not_greater, 1, -1, PURE, "(string<=? string1 string2 ...)",
     "Return #t if no string is greater than the one behind it.")
{
    return compare_all(h, args, n, LESS | EQUAL, false);
}

PRIM("string>=?", prim_string_not_less, 1, -1, PURE, "(string>=? string1 string2 ...)",
     "Return #t if no string is less than the one behind it.")
{
    return compare_all(h, args, n, GREATER | EQUAL, false);
}

PRIM("string-ci=?", prim_string_ci_equal, 1, -1, PURE, "(string-ci=? string1 string2 ...)",
     "Return #t if the strings are equal after case folding.")
{
    return compare_all(h, args, n, EQUAL, true);
}

PRIM("string-ci<?", prim_string_ci_less, 1, -1, PURE, "(string-ci<? string1 string2 ...)",
     "Like string<? after case folding.")
{
    return compare_all(h, args, n, LESS, true);
}

PRIM("string-ci>?", prim_string_ci_greater, 1, -1, PURE, "(string-ci>? string1 string2 ...)",
     "Like string>? after case folding.")
{
    return compare_all(h, args, n, GREATER, true);
}

PRIM("string-ci<=?", prim_string_ci_not_greater, 1, -1, PURE, "(string-ci<=? string1 string2 ...)",
     "Like string<=? after case folding.")
{
    return compare_all(h, args, n, LESS | EQUAL, true);
}

PRIM("string-ci>=?", prim_string_ci_not_less, 1, -1, PURE, "(string-ci>=? string1 string2 ...)",
     "Like string>=? after case folding.")
{
    return compare_all(h, args, n, GREATER | EQUAL, true);
}

/* -- parts and wholes --------------------------------------------------------------------- */

static val copy_span(struct heap *h, const val *args, size_t n)
{
    val s = TRY(arg_string(h, args, 0));
    size_t start = 0, end = 0;
    TRY(arg_span(h, args, n, 1, string_length(s), &start, &end));
    TRY(afford_bytes(h, bytes_of(s, end - start)));
    return substring(h, s, start, end);
}

PRIM("substring", prim_substring, 2, 3, PURE, "(substring string start [end])",
     "Return a new string of the characters of STRING from START up to END.")
{
    return copy_span(h, args, n);
}

PRIM("string-copy", prim_string_copy, 1, 3, PURE, "(string-copy string [start [end]])",
     "Return a new string of the characters of STRING from START up to END.")
{
    return copy_span(h, args, n);
}

PRIM("string-append", prim_string_append, 0, -1, PURE, "(string-append string ...)",
     "Return a new string of all the characters of the arguments.")
{
    size_t length = 0, bytes = 0;
    unsigned width = 0;
    for (size_t i = 0; i < n; i++) {
        val s = TRY(arg_string(h, args, i));
        length += string_length(s);
        width = string_width(s) > width ? string_width(s) : width;
        if (length > STRING_MAX)
            return raise_format(h, CONDITION_RANGE, NIL, "the string would be too long");
    }
    if (!size_add(length << width, n * 8, &bytes))
        return RETRY;
    TRY(afford_bytes(h, bytes));
    val out = TRY(string_new(h, length, width));
    for (size_t i = 0, at = 0; i < n; i++) {
        size_t k = string_length(args[i]);
        codes_copy(string_storage(out), width, at, string_data(args[i]), string_width(args[i]), 0,
                   k);
        at += k;
    }
    return out;
}

PRIM("string-copy!", prim_string_copy_to, 3, 5, PURE, "(string-copy! to at from [start [end]])",
     "Copy the characters of FROM from START up to END into TO, from AT on.")
{
    val to = TRY(arg_string(h, args, 0));
    size_t room = string_length(to);
    size_t at = (size_t)fixnum_value(TRY(arg_index(h, args, 1, room + 1)));
    val from = TRY(arg_string(h, args, 2));
    size_t start = 0, end = 0;
    TRY(arg_span(h, args, n, 3, string_length(from), &start, &end));
    if (end - start > room - at)
        return raise_format(h, CONDITION_RANGE, TRY(cons(h, args[1], NIL)),
                            "%zu characters do not fit into %zu", end - start, room - at);
    TRY(arg_mutable(h, args, 0));
    unsigned width = width_for(codes_widest(string_data(from), string_width(from), start, end));
    TRY(afford_bytes(h,
                     bytes_of(from, end - start) + (width > string_width(to) ? room << width : 0)));
    TRY(string_widen(h, to, width));
    codes_copy(string_storage(to), string_width(to), at, string_data(from), string_width(from),
               start, end - start);
    return UNSPECIFIED;
}

PRIM("string-fill!", prim_string_fill, 2, 4, PURE, "(string-fill! string char [start [end]])",
     "Store CHAR in STRING from START up to END.")
{
    val s = TRY(arg_string(h, args, 0));
    uint32_t c = char_code(TRY(arg_char(h, args, 1)));
    size_t start = 0, end = 0;
    TRY(arg_span(h, args, n, 2, string_length(s), &start, &end));
    TRY(arg_mutable(h, args, 0));
    unsigned width = width_for(c);
    TRY(afford_bytes(h, bytes_of(s, end - start) +
                            (width > string_width(s) ? string_length(s) << width : 0)));
    if (start < end)
        TRY(string_widen(h, s, width));
    for (size_t i = start; i < end; i++)
        code_put(string_storage(s), string_width(s), i, c);
    return UNSPECIFIED;
}

/* -- lists and vectors ---------------------------------------------------------------------- */

/* State of string->list: the list so far, made from its end; how much is left. */
static val *list_state(val state)
{
    return (val *)(void *)object_bytes(state);
}

static val chars_to_list(struct heap *h, val s, size_t start, size_t end, val list, size_t *left)
{
    size_t k = size_min(end - start, PAIRS_STEP);
    TRY(heap_reserve(h, k * 16));
    for (size_t i = 0; i < k; i++)
        list = TRY(cons(h, char_value(string_ref(s, end - 1 - i)), list));
    heap_work(h, k * 16);
    *left = end - k;
    return list;
}

static val list_state_make(struct heap *h)
{
    val state = TRY(heap_alloc(h, T_STATE, 1, 0));
    memset(object_raw(state), 0, 4 * sizeof(uint64_t));
    list_state(state)[0] = NIL;
    return state;
}

PRIM("string->list", prim_string_to_list, 1, 3, STEPPED, "(string->list string [start [end]])",
     "Return a list of the characters of STRING from START up to END.")
{
    val s = TRY(arg_string(h, args, 0));
    size_t start = 0, end = 0, left = 0;
    TRY(arg_span(h, args, n, 1, string_length(s), &start, &end));
    if (end - start <= PAIRS_STEP)
        return chars_to_list(h, s, start, end, NIL, &left);
    val state = h->step;
    if (!is_type(state, T_STATE)) {
        state = TRY(list_state_make(h));
        object_raw(state)[0] = end;
        h->step = state;
        return STEP;
    }
    val list =
        TRY(chars_to_list(h, s, start, (size_t)object_raw(state)[0], list_state(state)[0], &left));
    if (left == start)
        return list;
    heap_store(h, state, &list_state(state)[0], list);
    object_raw(state)[0] = left;
    return STEP;
}

/* The character items[i], or RAISE for argument 0. */
static val item_char(struct heap *h, val item)
{
    return is_char(item) ? item : raise_type(h, 0, "list or vector of characters", item);
}

PRIM("list->string", prim_list_to_string, 1, 1, PURE, "(list->string list)",
     "Return a new string of the characters in LIST.")
{
    size_t count = 0, i = 0;
    uint32_t widest = 0;
    TRY(list_argument(h, args, 0, &count));
    for (val l = args[0]; is_pair(l); l = cdr(l)) {
        uint32_t c = char_code(TRY(item_char(h, car(l))));
        widest = c > widest ? c : widest;
    }
    unsigned width = width_for(widest);
    TRY(afford_bytes(h, count * 16));
    val s = TRY(string_new(h, count, width));
    for (val l = args[0]; is_pair(l); l = cdr(l))
        code_put(string_storage(s), width, i++, char_code(car(l)));
    return s;
}

PRIM("string->vector", prim_string_to_vector, 1, 3, PURE, "(string->vector string [start [end]])",
     "Return a new vector of the characters of STRING from START up to END.")
{
    val s = TRY(arg_string(h, args, 0));
    size_t start = 0, end = 0;
    TRY(arg_span(h, args, n, 1, string_length(s), &start, &end));
    TRY(afford_bytes(h, (end - start) * 8));
    val v = TRY(heap_alloc(h, T_VECTOR, end - start, 0));
    for (size_t i = start; i < end; i++)
        object_fields(v)[i - start] = char_value(string_ref(s, i));
    return v;
}

PRIM("vector->string", prim_vector_to_string, 1, 3, PURE, "(vector->string vector [start [end]])",
     "Return a new string of the characters in VECTOR from START up to END.")
{
    val v = TRY(arg_vector(h, args, 0));
    size_t start = 0, end = 0;
    uint32_t widest = 0;
    TRY(arg_span(h, args, n, 1, object_length(v), &start, &end));
    TRY(afford_bytes(h, (end - start) * 8));
    for (size_t i = start; i < end; i++) {
        uint32_t c = char_code(TRY(item_char(h, object_field(v, i))));
        widest = c > widest ? c : widest;
    }
    unsigned width = width_for(widest);
    val s = TRY(string_new(h, end - start, width));
    for (size_t i = start; i < end; i++)
        code_put(string_storage(s), width, i - start, char_code(object_field(v, i)));
    return s;
}

/* -- case ------------------------------------------------------------------------------------- */

typedef size_t full_mapping(uint32_t c, uint32_t out[CHAR_EXPANSION]);

#define SIGMA 0x3A3u
#define FINAL_SIGMA 0x3C2u

/* Is a cased character the next one from i on that is not ignorable? `step` 1
 * looks forward, -1 backward. */
static bool meets_cased(val s, size_t i, int step)
{
    size_t n = string_length(s);
    for (i += (size_t)step; i < n; i += (size_t)step) {
        uint32_t c = string_ref(s, i);
        if (char_is_case_ignorable(c))
            continue;
        return char_is_cased(c);
    }
    return false;
}

static size_t mapped(val s, size_t i, full_mapping *map, uint32_t out[CHAR_EXPANSION])
{
    uint32_t c = string_ref(s, i);
    size_t n = map(c, out);
    if (c == SIGMA && map == char_full_downcase && meets_cased(s, i, -1) && !meets_cased(s, i, 1))
        out[0] = FINAL_SIGMA;
    return n;
}

static val map_string(struct heap *h, const val *args, full_mapping *map)
{
    val s = TRY(arg_string(h, args, 0));
    size_t n = string_length(s), length = 0;
    uint32_t codes[CHAR_EXPANSION], widest = 0;
    TRY(afford_bytes(h, n * 8));
    for (size_t i = 0; i < n; i++) {
        size_t k = mapped(s, i, map, codes);
        for (size_t j = 0; j < k; j++)
            widest = codes[j] > widest ? codes[j] : widest;
        length += k;
    }
    unsigned width = width_for(widest);
    val out = TRY(string_new(h, length, width));
    uint8_t *data = string_storage(out);
    for (size_t i = 0, at = 0; i < n; i++) {
        size_t k = mapped(s, i, map, codes);
        for (size_t j = 0; j < k; j++)
            code_put(data, width, at++, codes[j]);
    }
    return out;
}

PRIM("string-upcase", prim_string_upcase, 1, 1, PURE, "(string-upcase string)",
     "Return STRING in upper case; it may become longer.")
{
    return map_string(h, args, char_full_upcase);
}

PRIM("string-downcase", prim_string_downcase, 1, 1, PURE, "(string-downcase string)",
     "Return STRING in lower case.")
{
    return map_string(h, args, char_full_downcase);
}

PRIM("string-foldcase", prim_string_foldcase, 1, 1, PURE, "(string-foldcase string)",
     "Return STRING case folded, for comparing without regard to case.")
{
    return map_string(h, args, char_full_foldcase);
}

/* -- searching --------------------------------------------------------------------------------- */

PRIM("%string-index-char", prim_string_index_char, 3, 3, PURE,
     "(%string-index-char string char start)",
     "Return the index of the first CHAR in STRING from START on, or #f.")
{
    val s = TRY(arg_string(h, args, 0));
    uint32_t c = char_code(TRY(arg_char(h, args, 1)));
    size_t end = string_length(s);
    size_t start = (size_t)fixnum_value(TRY(arg_index(h, args, 2, end + 1)));
    TRY(afford_bytes(h, bytes_of(s, end - start)));
    const uint8_t *data = string_data(s);
    unsigned width = string_width(s);
    if (width_for(c) > width)
        return FALSE;
    if (width == 0) {
        const uint8_t *found = start < end ? memchr(data + start, (int)c, end - start) : NULL;
        return found != NULL ? fixnum(found - data) : FALSE;
    }
    for (size_t i = start; i < end; i++)
        if (code_at(data, width, i) == c)
            return fixnum((int64_t)i);
    return FALSE;
}

/* For each prefix of the pattern: the longest proper one that also ends it. */
static void fill_borders(const uint8_t *data, unsigned width, size_t m, uint32_t *border)
{
    border[0] = 0;
    for (size_t i = 1, k = 0; i < m; i++) {
        uint32_t c = code_at(data, width, i);
        while (k > 0 && code_at(data, width, k) != c)
            k = border[k - 1];
        k += code_at(data, width, k) == c;
        border[i] = (uint32_t)k;
    }
}

static val search(val pattern, val s, size_t start, const uint32_t *border)
{
    const uint8_t *p = string_data(pattern), *t = string_data(s);
    unsigned v = string_width(pattern), w = string_width(s);
    size_t m = string_length(pattern), n = string_length(s);
    for (size_t i = start, k = 0; i < n; i++) {
        uint32_t c = code_at(t, w, i);
        while (k > 0 && code_at(p, v, k) != c)
            k = border[k - 1];
        k += code_at(p, v, k) == c;
        if (k == m)
            return fixnum((int64_t)(i + 1 - m));
    }
    return FALSE;
}

PRIM("%string-search-forward", prim_string_search_forward, 3, 3, PURE,
     "(%string-search-forward pattern string start)",
     "Return the index of the first PATTERN in STRING from START on, or #f.")
{
    val pattern = TRY(arg_string(h, args, 0)), s = TRY(arg_string(h, args, 1));
    size_t m = string_length(pattern), end = string_length(s);
    size_t start = (size_t)fixnum_value(TRY(arg_index(h, args, 2, end + 1)));
    if (m == 0)
        return args[2];
    if (m > end - start)
        return FALSE;
    TRY(afford_bytes(h, m * 8 + bytes_of(s, end - start) * 2));
    uint32_t small[64], *border = small;
    if (m > ARRAY_LENGTH(small))
        border = heap_malloc(h, m * sizeof *border);
    if (border == NULL)
        return RETRY;
    fill_borders(string_data(pattern), string_width(pattern), m, border);
    val found = search(pattern, s, start, border);
    if (border != small)
        heap_mfree(h, border, m * sizeof *border);
    return found;
}
