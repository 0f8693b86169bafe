/* T2 references across the border. See refs.h.
 *
 * ROOT_HANDLES is FALSE or a vector of pairs of items: 2i the value of handle i,
 * 2i + 1 TRUE where it is in use, else the next free handle (0: none). Item 0 is
 * the first free handle. */
#include "refs.h"
#include "heap_space.h"

#define HANDLES_FIRST 16u

static bool is_handle(val handles, uint64_t id)
{
    return is_vector(handles) && id > 0 && id < object_length(handles) / 2 &&
           is_eq(object_field(handles, 2 * id + 1), TRUE);
}

/* A vector of twice the handles, the new ones chained as free. */
static val grow(struct heap *h)
{
    val old = h->roots[ROOT_HANDLES];
    size_t count = is_vector(old) ? object_length(old) / 2 : 0;
    size_t more = size_max(HANDLES_FIRST, count * 2);
    val handles = TRY(heap_alloc(h, T_VECTOR, more * 2, 0));
    val *items = object_fields(handles);
    items[0] = fixnum((int64_t)size_max(count, 1));
    items[1] = FALSE;
    for (size_t i = 1; i < more; i++) {
        items[2 * i] = i < count ? object_field(old, 2 * i) : FALSE;
        items[2 * i + 1] = i < count       ? object_field(old, 2 * i + 1)
                           : i + 1 == more ? fixnum(0)
                                           : fixnum((int64_t)i + 1);
    }
    h->roots[ROOT_HANDLES] = handles;
    return handles;
}

val ref_new(struct heap *h, val v)
{
    val handles = h->roots[ROOT_HANDLES];
    if (!is_vector(handles) || is_eq(object_field(handles, 0), fixnum(0)))
        handles = TRY(grow(h));
    val *items = object_fields(handles);
    size_t id = (size_t)fixnum_value(items[0]);
    items[0] = items[2 * id + 1];
    items[2 * id + 1] = TRUE;
    heap_store(h, handles, &items[2 * id], v);
    return fixnum((int64_t)id);
}

val ref_get(const struct heap *h, uint64_t id)
{
    val handles = h->roots[ROOT_HANDLES];
    return is_handle(handles, id) ? object_field(handles, 2 * id) : HOLE;
}

void ref_drop(struct heap *h, uint64_t id)
{
    val handles = h->roots[ROOT_HANDLES];
    if (!is_handle(handles, id))
        return;
    val *items = object_fields(handles);
    items[2 * id] = FALSE;
    items[2 * id + 1] = items[0];
    items[0] = fixnum((int64_t)id);
}

/* -- objects of the host ----------------------------------------------------------- */
static bool grow_array(struct heap *h, void **array, size_t *capacity, size_t item, size_t count)
{
    if (count <= *capacity)
        return true;
    size_t more = size_max(count, size_max(16, *capacity * 2));
    void *moved = heap_realloc(h, *array, *capacity * item, more * item);
    if (moved == NULL)
        return false;
    *array = moved;
    *capacity = more;
    return true;
}

bool hosts_make_room(struct heap *h)
{
    struct heap_space *s = h->space;
    /* each entry may become a dropped id: room for that is made now */
    return grow_array(h, (void **)&s->hosts, &s->host_capacity, sizeof *s->hosts,
                      s->host_count + 1) &&
           grow_array(h, (void **)&s->dropped, &s->dropped_capacity, sizeof *s->dropped,
                      s->dropped_count + s->host_count + 1);
}

void hosts_add(struct heap *h, val object)
{
    struct heap_space *s = h->space;
    s->hosts[s->host_count++] = (struct host_entry){object.bits, 0};
}

void hosts_after_minor(struct heap *h)
{
    struct heap_space *s = h->space;
    for (size_t i = 0; i < s->host_count; i++) {
        val object = VAL(s->hosts[i].object);
        if (!heap_is_young(h, object))
            continue;
        uint64_t first = *(const uint64_t *)val_address(object);
        if (is_forward(first)) {
            s->hosts[i].object = forward_address(first) + val_tag(object);
        } else {
            s->hosts[i].id = object_raw(object)[0];
            s->hosts[i].object = 0;
        }
    }
}

/* Order by id, the living first within one. */
static bool host_before(const struct host_entry *a, const struct host_entry *b)
{
    if (a->id != b->id)
        return a->id < b->id;
    return a->object != 0 && b->object == 0;
}

static void sift(struct host_entry *a, size_t i, size_t n)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && host_before(&a[child], &a[child + 1]))
            child++;
        if (!host_before(&a[i], &a[child]))
            return;
        struct host_entry t = a[i];
        a[i] = a[child];
        a[child] = t;
    }
}

static void sort_hosts(struct host_entry *a, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(a, i, n);
    while (n-- > 1) {
        struct host_entry t = a[0];
        a[0] = a[n];
        a[n] = t;
        sift(a, 0, n);
    }
}

void hosts_after_full(struct heap *h)
{
    struct heap_space *s = h->space;
    for (size_t i = 0; i < s->host_count; i++) {
        struct host_entry *e = &s->hosts[i];
        if (e->object == 0)
            continue;
        e->id = object_raw(VAL(e->object))[0];
        if (!gc_is_alive(VAL(e->object)))
            e->object = 0;
    }
    sort_hosts(s->hosts, s->host_count);
    size_t kept = 0;
    for (size_t i = 0; i < s->host_count; i++) {
        struct host_entry e = s->hosts[i];
        bool first = i == 0 || s->hosts[i - 1].id != e.id;
        if (e.object != 0)
            s->hosts[kept++] = e;
        else if (first)
            s->dropped[s->dropped_count++] = e.id;
    }
    s->host_count = kept;
}

void hosts_after_thin(struct heap *h)
{
    struct heap_space *s = h->space;
    for (size_t i = 0; i < s->host_count; i++) {
        if (s->hosts[i].object != 0)
            s->hosts[i].object = thinned(VAL(s->hosts[i].object)).bits;
    }
}

size_t refs_take_dropped(struct heap *h, uint64_t *out, size_t most)
{
    struct heap_space *s = h->space;
    size_t n = size_min(most, s->dropped_count);
    if (n == 0)
        return 0;
    memcpy(out, s->dropped, n * sizeof *out);
    s->dropped_count -= n;
    memmove(s->dropped, s->dropped + n, s->dropped_count * sizeof *s->dropped);
    return n;
}

void hosts_drop(struct heap *h)
{
    struct heap_space *s = h->space;
    heap_mfree(h, s->hosts, s->host_capacity * sizeof *s->hosts);
    heap_mfree(h, s->dropped, s->dropped_capacity * sizeof *s->dropped);
    s->hosts = NULL;
    s->dropped = NULL;
    s->host_count = s->host_capacity = s->dropped_count = s->dropped_capacity = 0;
}
