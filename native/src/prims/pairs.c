/* T7 primitives: pairs and lists.
 *
 * Walks charge and poll as pair.h says. Builders of long lists (%append2,
 * %reverse, list-copy, make-list, list, %vector->list) work in steps of at most
 * PAIRS_MAX pairs, each reserved whole; what was built so far stands in a T_STATE
 * object in h->step. Each step checks anew what it reads, as another run may have
 * changed it meanwhile. */
#include "../equal.h"
#include "../pair.h"
#include "../prim.h"
#include "../vector.h"

/* -- pairs ------------------------------------------------------------------- */

PRIM("cons", prim_cons, 2, 2, SHORT, "(cons a b)", "Return a new pair of A and B.")
{
    return cons(h, args[0], args[1]);
}

PRIM("car", prim_car, 1, 1, SHORT, "(car pair)", "Return the first field of PAIR.")
{
    return car(TRY(arg_pair(h, args, 0)));
}

PRIM("cdr", prim_cdr, 1, 1, SHORT, "(cdr pair)", "Return the second field of PAIR.")
{
    return cdr(TRY(arg_pair(h, args, 0)));
}

PRIM("set-car!", prim_set_car, 2, 2, SHORT, "(set-car! pair obj)",
     "Store OBJ in the first field of PAIR.")
{
    val p = TRY(arg_pair(h, args, 0));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, p, &pair_words(p)[0], args[1]);
    return UNSPECIFIED;
}

PRIM("set-cdr!", prim_set_cdr, 2, 2, SHORT, "(set-cdr! pair obj)",
     "Store OBJ in the second field of PAIR.")
{
    val p = TRY(arg_pair(h, args, 0));
    TRY(arg_mutable(h, args, 0));
    heap_store(h, p, &pair_words(p)[1], args[1]);
    return UNSPECIFIED;
}

/* c[ad]{2,4}r: `path` is read from its end. */
static inline __attribute__((always_inline)) val follow(struct heap *h, val v, const char *path,
                                                        size_t n)
{
    val at = v;
    while (n-- > 0) {
        if (!is_pair(at))
            return raise_type(h, 0, "list or pair that is deep enough", v);
        at = path[n] == 'a' ? car(at) : cdr(at);
    }
    return at;
}

PRIM("caar", prim_caar, 1, 1, SHORT, "(caar x)", "Return (car (car x)).")
{
    return follow(h, args[0], "aa", 2);
}

PRIM("cadr", prim_cadr, 1, 1, SHORT, "(cadr x)", "Return (car (cdr x)).")
{
    return follow(h, args[0], "ad", 2);
}

PRIM("cdar", prim_cdar, 1, 1, SHORT, "(cdar x)", "Return (cdr (car x)).")
{
    return follow(h, args[0], "da", 2);
}

PRIM("cddr", prim_cddr, 1, 1, SHORT, "(cddr x)", "Return (cdr (cdr x)).")
{
    return follow(h, args[0], "dd", 2);
}

PRIM("caaar", prim_caaar, 1, 1, SHORT, "(caaar x)", "Return (car (car (car x))).")
{
    return follow(h, args[0], "aaa", 3);
}

PRIM("caadr", prim_caadr, 1, 1, SHORT, "(caadr x)", "Return (car (car (cdr x))).")
{
    return follow(h, args[0], "aad", 3);
}

PRIM("cadar", prim_cadar, 1, 1, SHORT, "(cadar x)", "Return (car (cdr (car x))).")
{
    return follow(h, args[0], "ada", 3);
}

PRIM("caddr", prim_caddr, 1, 1, SHORT, "(caddr x)", "Return (car (cdr (cdr x))).")
{
    return follow(h, args[0], "add", 3);
}

PRIM("cdaar", prim_cdaar, 1, 1, SHORT, "(cdaar x)", "Return (cdr (car (car x))).")
{
    return follow(h, args[0], "daa", 3);
}

PRIM("cdadr", prim_cdadr, 1, 1, SHORT, "(cdadr x)", "Return (cdr (car (cdr x))).")
{
    return follow(h, args[0], "dad", 3);
}

PRIM("cddar", prim_cddar, 1, 1, SHORT, "(cddar x)", "Return (cdr (cdr (car x))).")
{
    return follow(h, args[0], "dda", 3);
}

PRIM("cdddr", prim_cdddr, 1, 1, SHORT, "(cdddr x)", "Return (cdr (cdr (cdr x))).")
{
    return follow(h, args[0], "ddd", 3);
}

PRIM("caaaar", prim_caaaar, 1, 1, SHORT, "(caaaar x)", "Return (car (car (car (car x)))).")
{
    return follow(h, args[0], "aaaa", 4);
}

PRIM("caaadr", prim_caaadr, 1, 1, SHORT, "(caaadr x)", "Return (car (car (car (cdr x)))).")
{
    return follow(h, args[0], "aaad", 4);
}

PRIM("caadar", prim_caadar, 1, 1, SHORT, "(caadar x)", "Return (car (car (cdr (car x)))).")
{
    return follow(h, args[0], "aada", 4);
}

PRIM("caaddr", prim_caaddr, 1, 1, SHORT, "(caaddr x)", "Return (car (car (cdr (cdr x)))).")
{
    return follow(h, args[0], "aadd", 4);
}

PRIM("cadaar", prim_cadaar, 1, 1, SHORT, "(cadaar x)", "Return (car (cdr (car (car x)))).")
{
    return follow(h, args[0], "adaa", 4);
}

PRIM("cadadr", prim_cadadr, 1, 1, SHORT, "(cadadr x)", "Return (car (cdr (car (cdr x)))).")
{
    return follow(h, args[0], "adad", 4);
}

PRIM("caddar", prim_caddar, 1, 1, SHORT, "(caddar x)", "Return (car (cdr (cdr (car x)))).")
{
    return follow(h, args[0], "adda", 4);
}

PRIM("cadddr", prim_cadddr, 1, 1, SHORT, "(cadddr x)", "Return (car (cdr (cdr (cdr x)))).")
{
    return follow(h, args[0], "addd", 4);
}

PRIM("cdaaar", prim_cdaaar, 1, 1, SHORT, "(cdaaar x)", "Return (cdr (car (car (car x)))).")
{
    return follow(h, args[0], "daaa", 4);
}

PRIM("cdaadr", prim_cdaadr, 1, 1, SHORT, "(cdaadr x)", "Return (cdr (car (car (cdr x)))).")
{
    return follow(h, args[0], "daad", 4);
}

PRIM("cdadar", prim_cdadar, 1, 1, SHORT, "(cdadar x)", "Return (cdr (car (cdr (car x)))).")
{
    return follow(h, args[0], "dada", 4);
}

PRIM("cdaddr", prim_cdaddr, 1, 1, SHORT, "(cdaddr x)", "Return (cdr (car (cdr (cdr x)))).")
{
    return follow(h, args[0], "dadd", 4);
}

PRIM("cddaar", prim_cddaar, 1, 1, SHORT, "(cddaar x)", "Return (cdr (cdr (car (car x)))).")
{
    return follow(h, args[0], "ddaa", 4);
}

PRIM("cddadr", prim_cddadr, 1, 1, SHORT, "(cddadr x)", "Return (cdr (cdr (car (cdr x)))).")
{
    return follow(h, args[0], "ddad", 4);
}

PRIM("cdddar", prim_cdddar, 1, 1, SHORT, "(cdddar x)", "Return (cdr (cdr (cdr (car x)))).")
{
    return follow(h, args[0], "ddda", 4);
}

PRIM("cddddr", prim_cddddr, 1, 1, SHORT, "(cddddr x)", "Return (cdr (cdr (cdr (cdr x)))).")
{
    return follow(h, args[0], "dddd", 4);
}

PRIM("null?", prim_is_null, 1, 1, SHORT, "(null? obj)", "Is OBJ the empty list?")
{
    return val_bool(is_eq(args[0], NIL));
}

PRIM("pair?", prim_is_pair, 1, 1, SHORT, "(pair? obj)", "Is OBJ a pair?")
{
    return val_bool(is_pair(args[0]));
}

PRIM("list?", prim_is_list, 1, 1, PURE, "(list? obj)", "Is OBJ a proper list?")
{
    size_t count;
    enum list_shape shape = list_measure(h, args[0], &count, NULL);
    return shape == LIST_STOPPED ? LIMIT : val_bool(shape == LIST_PROPER);
}

PRIM("length", prim_length, 1, 1, PURE, "(length list)", "Return the number of elements of LIST.")
{
    size_t count;
    TRY(list_argument(h, args, 0, &count));
    return fixnum((int64_t)count);
}

PRIM("%length", prim_length_or_false, 1, 1, PURE, "(%length obj)",
     "Return the number of elements of OBJ, or #f if it is no proper list.")
{
    size_t count;
    enum list_shape shape = list_measure(h, args[0], &count, NULL);
    if (shape == LIST_STOPPED)
        return LIMIT;
    return shape == LIST_PROPER ? fixnum((int64_t)count) : FALSE;
}

/* -- reaching into lists ------------------------------------------------------ */

/* What stands behind k pairs; a range condition where there are fewer. */
static val list_behind(struct heap *h, const val *args, bool one_more)
{
    if (!is_fixnum(args[1]) || fixnum_value(args[1]) < 0)
        return raise_type(h, 1, "exact non-negative integer", args[1]);
    size_t k = (size_t)fixnum_value(args[1]);
    struct list_walk w = list_walk_from(args[0]);
    while (w.count < k && is_pair(w.at)) {
        w.at = cdr(w.at);
        w.count++;
        if ((w.count & 4095) == 0 && !list_poll(h))
            return LIMIT;
    }
    list_charge(h, &w);
    if (w.count == k && (!one_more || is_pair(w.at)))
        return w.at;
    if (w.count == 0 && !is_pair(args[0]) && !is_eq(args[0], NIL))
        return raise_type(h, 0, "list", args[0]);
    return raise_range(h, 1, args[1], 0, w.count + (one_more ? 0 : 1));
}

PRIM("list-tail", prim_list_tail, 2, 2, PURE, "(list-tail list k)",
     "Return LIST without its first K elements.")
{
    return list_behind(h, args, false);
}

PRIM("list-ref", prim_list_ref, 2, 2, PURE, "(list-ref list k)",
     "Return element K of LIST, counted from 0.")
{
    return car(TRY(list_behind(h, args, true)));
}

PRIM("list-set!", prim_list_set, 3, 3, PURE, "(list-set! list k obj)",
     "Store OBJ in element K of LIST.")
{
    val p = TRY(list_behind(h, args, true));
    if (!heap_is_mutable(h, p))
        return raise_constant(h, 0, args[0]);
    heap_store(h, p, &pair_words(p)[0], args[2]);
    return UNSPECIFIED;
}

PRIM("%last-pair", prim_last_pair, 1, 1, PURE, "(%last-pair pair)",
     "Return the last pair of a list that may be dotted.")
{
    val at = TRY(arg_pair(h, args, 0));
    struct list_walk w = list_walk_from(at);
    for (;;) {
        at = w.at;
        enum list_shape shape = list_step(h, &w);
        if (shape != LIST_PROPER)
            return list_refuse(h, shape, 0, args[0]);
        if (!is_pair(w.at))
            break;
    }
    list_charge(h, &w);
    return at;
}

/* -- searching ----------------------------------------------------------------- */

enum sameness { SAME_EQ, SAME_EQV, SAME_EQUAL };

static inline __attribute__((always_inline)) val is_same(struct heap *h, enum sameness how, val a,
                                                         val b)
{
    if (is_eq(a, b))
        return TRUE;
    if (how == SAME_EQ)
        return FALSE;
    return how == SAME_EQV ? val_bool(eqv_paid(h, a, b)) : is_equal(h, a, b);
}

static inline __attribute__((always_inline)) val search(struct heap *h, const val *args,
                                                        enum sameness how, bool association)
{
    struct list_walk w = list_walk_from(args[1]);
    val key = args[0];
    enum list_shape shape = LIST_PROPER;
    while (is_pair(w.at)) {
        val item = car(w.at);
        if (association && !is_pair(item))
            return raise_type(h, 1, "association list", args[1]);
        if (is_true(TRY(is_same(h, how, association ? car(item) : item, key)))) {
            list_charge(h, &w);
            return association ? item : w.at;
        }
        shape = list_step(h, &w);
        if (UNLIKELY(shape != LIST_PROPER))
            return list_refuse(h, shape, 1, args[1]);
    }
    list_charge(h, &w);
    return is_eq(w.at, NIL) ? FALSE : list_refuse(h, LIST_DOTTED, 1, args[1]);
}

PRIM("memq", prim_memq, 2, 2, PURE, "(memq obj list)",
     "Return the first sublist of LIST whose car is eq? to OBJ, or #f.")
{
    return search(h, args, SAME_EQ, false);
}

PRIM("memv", prim_memv, 2, 2, PURE, "(memv obj list)",
     "Return the first sublist of LIST whose car is eqv? to OBJ, or #f.")
{
    return search(h, args, SAME_EQV, false);
}

PRIM("%member", prim_member, 2, 2, PURE, "(%member obj list)",
     "Return the first sublist of LIST whose car is equal? to OBJ, or #f.")
{
    return search(h, args, SAME_EQUAL, false);
}

PRIM("assq", prim_assq, 2, 2, PURE, "(assq obj alist)",
     "Return the first pair of ALIST whose car is eq? to OBJ, or #f.")
{
    return search(h, args, SAME_EQ, true);
}

PRIM("assv", prim_assv, 2, 2, PURE, "(assv obj alist)",
     "Return the first pair of ALIST whose car is eqv? to OBJ, or #f.")
{
    return search(h, args, SAME_EQV, true);
}

PRIM("%assoc", prim_assoc, 2, 2, PURE, "(%assoc obj alist)",
     "Return the first pair of ALIST whose car is equal? to OBJ, or #f.")
{
    return search(h, args, SAME_EQUAL, true);
}

/* -- building -------------------------------------------------------------------- */

/* The state of a builder: items 0 result so far, 1 its last pair, 2 what is left
 * to read; raw 0: how many are still to come. */
enum { BUILT, LAST, REST, STATE_ITEMS };

static val *state_items(val state)
{
    return (val *)(void *)object_bytes(state);
}

static val state_new(struct heap *h, val built, val last, val rest, size_t left)
{
    val state = TRY(heap_alloc(h, T_STATE, STATE_ITEMS, 0));
    state_items(state)[BUILT] = built;
    state_items(state)[LAST] = last;
    state_items(state)[REST] = rest;
    for (size_t i = 0; i < 4; i++)
        object_raw(state)[i] = 0;
    object_raw(state)[0] = left;
    return state;
}

static void state_put(struct heap *h, val state, size_t i, val v)
{
    heap_store(h, state, &state_items(state)[i], v);
}

/* Pairs of one step; the rest of a reserve is for the state. */
#define ONE_GO (PAIRS_MAX - STATE_PAIRS)
#define STATE_PAIRS ((size_t)8)
#define STATE_ROOM (STATE_PAIRS * PAIR_BYTES)

/* Copy up to `most` elements of *rest behind *last (or start a list: *built NIL).
 * The room is reserved. */
static size_t copy_some(struct heap *h, size_t most, val *built, val *last, val *rest)
{
    size_t n = 0;
    while (n < most && is_pair(*rest)) {
        val p = cons(h, car(*rest), NIL);
        if (NEVER(is_control(p)))
            break;
        if (is_pair(*last))
            heap_store(h, *last, &pair_words(*last)[1], p);
        else
            *built = p;
        *last = p;
        *rest = cdr(*rest);
        n++;
    }
    heap_work(h, n * PAIR_BYTES);
    return n;
}

/* tail HOLE: what is left of the copied list. */
static void finish(struct heap *h, val *built, val last, val rest, val tail)
{
    if (is_eq(tail, HOLE))
        tail = rest;
    if (is_pair(last))
        heap_store(h, last, &pair_words(last)[1], tail);
    else
        *built = tail;
}

/* The elements of `list` (measured: count pairs) in front of `tail`. */
static val copy_list(struct heap *h, val list, size_t count, val tail)
{
    val built = NIL, last = NIL, rest = list;
    TRY(heap_reserve(h, size_min(count, ONE_GO) * PAIR_BYTES + STATE_ROOM));
    size_t n = copy_some(h, size_min(count, ONE_GO), &built, &last, &rest);
    if (n == count || !is_pair(rest)) {
        finish(h, &built, last, rest, tail);
        return built;
    }
    h->step = TRY(state_new(h, built, last, rest, count - n));
    return STEP;
}

/* A later step of copy_list. */
static val copy_more(struct heap *h, val state, val tail)
{
    size_t left = (size_t)object_raw(state)[0];
    TRY(heap_reserve(h, size_min(left, ONE_GO) * PAIR_BYTES));
    val built = state_items(state)[BUILT];
    val last = state_items(state)[LAST];
    val rest = state_items(state)[REST];
    size_t n = copy_some(h, size_min(left, ONE_GO), &built, &last, &rest);
    if (n == left || !is_pair(rest)) {
        finish(h, &built, last, rest, tail);
        return built;
    }
    state_put(h, state, LAST, last);
    state_put(h, state, REST, rest);
    object_raw(state)[0] = left - n;
    return STEP;
}

PRIM("%append2", prim_append2, 2, 2, STEPPED, "(%append2 list obj)",
     "Return the elements of LIST in front of OBJ.")
{
    size_t count;
    if (is_object(h->step))
        return copy_more(h, h->step, args[1]);
    TRY(list_argument(h, args, 0, &count));
    return copy_list(h, args[0], count, args[1]);
}

PRIM("list-copy", prim_list_copy, 1, 1, STEPPED, "(list-copy obj)",
     "Return a copy of the pairs of a list; what is no pair is returned itself.")
{
    size_t count;
    if (!is_pair(args[0]))
        return args[0];
    if (is_object(h->step))
        return copy_more(h, h->step, HOLE);
    enum list_shape shape = list_measure(h, args[0], &count, NULL);
    if (shape == LIST_STOPPED || shape == LIST_CIRCULAR)
        return list_refuse(h, shape, 0, args[0]);
    return copy_list(h, args[0], count, HOLE);
}

static val reverse_some(struct heap *h, val list)
{
    bool first = !is_object(h->step);
    size_t left = 0;
    val built = NIL, rest = list;
    if (first) {
        TRY(list_argument(h, &list, 0, &left));
    } else {
        left = (size_t)object_raw(h->step)[0];
        built = state_items(h->step)[BUILT];
        rest = state_items(h->step)[REST];
    }
    size_t most = size_min(left, ONE_GO);
    TRY(heap_reserve(h, most * PAIR_BYTES + STATE_ROOM));
    for (size_t i = 0; i < most && is_pair(rest); i++) {
        built = TRY(cons(h, car(rest), built));
        rest = cdr(rest);
    }
    heap_work(h, most * PAIR_BYTES);
    if (most == left || !is_pair(rest))
        return built;
    if (first)
        h->step = TRY(state_new(h, NIL, NIL, NIL, 0));
    state_put(h, h->step, BUILT, built);
    state_put(h, h->step, REST, rest);
    object_raw(h->step)[0] = left - most;
    return STEP;
}

PRIM("reverse", prim_reverse, 1, 1, STEPPED, "(reverse list)",
     "Return a new list of the elements of LIST in reverse order.")
{
    return reverse_some(h, args[0]);
}

PRIM("%reverse", prim_reverse_list, 1, 1, STEPPED, "(%reverse list)",
     "Return a new list of the elements of LIST in reverse order.")
{
    return reverse_some(h, args[0]);
}

/* A list of items[0], items[stride] ... `count` of them, from its end. */
static val build_backward(struct heap *h, const val *items, size_t stride, size_t count)
{
    bool first = !is_object(h->step);
    size_t left = first ? count : (size_t)object_raw(h->step)[0];
    val built = first ? NIL : state_items(h->step)[BUILT];
    size_t stop = left - size_min(left, ONE_GO);
    TRY(heap_reserve(h, (left - stop) * PAIR_BYTES + (stop > 0 ? STATE_ROOM : 0)));
    heap_work(h, (left - stop) * PAIR_BYTES);
    for (size_t i = left; i > stop; i--)
        built = TRY(cons(h, items[(i - 1) * stride], built));
    if (stop == 0)
        return built;
    if (first)
        h->step = TRY(state_new(h, NIL, NIL, NIL, 0));
    state_put(h, h->step, BUILT, built);
    object_raw(h->step)[0] = stop;
    return STEP;
}

PRIM("list", prim_list, 0, -1, STEPPED, "(list obj ...)", "Return a new list of the arguments.")
{
    return build_backward(h, args, 1, n);
}

PRIM("make-list", prim_make_list, 1, 2, STEPPED, "(make-list k [fill])",
     "Return a new list of K times FILL.")
{
    val k = TRY(arg_index(h, args, 0, VECTOR_MAX));
    val fill = n > 1 ? args[1] : UNSPECIFIED;
    return build_backward(h, &fill, 0, (size_t)fixnum_value(k));
}

static val vector_to_list(struct heap *h, const val *args, size_t n)
{
    size_t start, end;
    val v = TRY(arg_vector(h, args, 0));
    TRY(arg_span(h, args, n, 1, vector_length(v), &start, &end));
    return build_backward(h, vector_items(v) + start, 1, end - start);
}

PRIM("vector->list", prim_vector_to_list, 1, 3, STEPPED, "(vector->list vector [start [end]])",
     "Return a new list of the elements of VECTOR from START to END.")
{
    return vector_to_list(h, args, n);
}

PRIM("%vector->list", prim_vector_to_list_span, 1, 3, STEPPED,
     "(%vector->list vector [start [end]])",
     "Return a new list of the elements of VECTOR from START to END.")
{
    return vector_to_list(h, args, n);
}
