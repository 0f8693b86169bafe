/* T3 pairs: the slow halves of walking lists. See pair.h. */
#include "pair.h"
#include "condition.h"

bool list_poll(struct heap *h)
{
    heap_charge(h, 4096 / 4);
    return !heap_poll(h);
}

enum list_shape list_measure(struct heap *h, val list, size_t *count, val *tail)
{
    struct list_walk w = list_walk_from(list);
    enum list_shape shape = LIST_PROPER;
    while (is_pair(w.at)) {
        shape = list_step(h, &w);
        if (UNLIKELY(shape != LIST_PROPER))
            break;
    }
    list_charge(h, &w);
    *count = w.count;
    if (tail)
        *tail = w.at;
    if (shape == LIST_PROPER && !is_eq(w.at, NIL))
        shape = LIST_DOTTED;
    return shape;
}

val list_refuse(struct heap *h, enum list_shape shape, size_t i, val list)
{
    if (shape == LIST_STOPPED)
        return LIMIT;
    if (shape == LIST_CIRCULAR)
        return raise_type(h, i, "proper list, not a circular list", list);
    return raise_type(h, i, is_pair(list) ? "proper list, not a dotted one" : "list", list);
}

val list_argument(struct heap *h, const val *args, size_t i, size_t *count)
{
    enum list_shape shape = list_measure(h, args[i], count, NULL);
    return shape == LIST_PROPER ? args[i] : list_refuse(h, shape, i, args[i]);
}
