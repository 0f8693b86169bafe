/* T2 identity numbers: given at first use, kept beside the heap.
 *
 * Two maps by address, one for young objects and one for old ones (and objects
 * of an image that the image has no number for). A minor collection moves the
 * young entries over; the old map always has room for all of them, so a
 * collection allocates nothing. A number depends on the order of requests only. */
#include "heap_space.h"

static size_t home(const struct serial_map *map, uint64_t key)
{
    uint64_t mixed = (key >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (map->capacity - 1);
}

static struct serial_entry *find(const struct serial_map *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    for (size_t i = home(map, key);; i = (i + 1) & (map->capacity - 1)) {
        if (map->entries[i].key == key)
            return &map->entries[i];
        if (map->entries[i].key == 0)
            return NULL;
    }
}

static void insert(struct serial_map *map, uint64_t key, uint64_t serial)
{
    size_t i = home(map, key);
    while (map->entries[i].key != 0)
        i = (i + 1) & (map->capacity - 1);
    map->entries[i] = (struct serial_entry){key, serial};
    map->count++;
}

/* Close the gap at `i`, so that every entry is found from its home. */
static void delete_at(struct serial_map *map, size_t i)
{
    size_t mask = map->capacity - 1;
    map->count--;
    for (size_t j = (i + 1) & mask; map->entries[j].key != 0; j = (j + 1) & mask) {
        size_t wish = home(map, map->entries[j].key);
        if (((j - wish) & mask) >= ((j - i) & mask)) {
            map->entries[i] = map->entries[j];
            i = j;
        }
    }
    map->entries[i].key = 0;
}

static bool make_room(struct heap *h, struct serial_map *map, size_t count)
{
    if (count * 4 <= map->capacity * 3)
        return true;
    struct serial_map larger = {.capacity = size_max(16, map->capacity * 2)};
    while (count * 4 > larger.capacity * 3)
        larger.capacity *= 2;
    size_t bytes = larger.capacity * sizeof *larger.entries;
    larger.entries = heap_malloc(h, bytes);
    if (larger.entries == NULL)
        return false;
    memset(larger.entries, 0, bytes);
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->entries[i].key != 0)
            insert(&larger, map->entries[i].key, map->entries[i].serial);
    }
    heap_mfree(h, map->entries, map->capacity * sizeof *map->entries);
    *map = larger;
    return true;
}

/* The numbers that came with the image, sorted by key. */
static bool find_shared(const struct heap_space *space, uint64_t key, uint64_t *serial)
{
    size_t low = 0;
    size_t high = space->shared_serial_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (space->shared_serials[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == space->shared_serial_count || space->shared_serials[low].key != key)
        return false;
    *serial = space->shared_serials[low].serial;
    return true;
}

bool serial_find(const struct heap *h, val object, uint64_t *serial)
{
    const struct heap_space *space = h->space;
    bool young = heap_is_young(h, object);
    const struct serial_entry *e;
    if (!young && find_shared(space, object.bits, serial))
        return true;
    e = find(young ? &space->young_serials : &space->old_serials, object.bits);
    if (e != NULL)
        *serial = e->serial;
    return e != NULL;
}

bool serial_put(struct heap *h, val object, uint64_t serial)
{
    struct heap_space *space = h->space;
    bool young = heap_is_young(h, object);
    size_t all = space->young_serials.count + space->old_serials.count + 1;
    if (!make_room(h, &space->old_serials, all))
        return false;
    if (young && !make_room(h, &space->young_serials, space->young_serials.count + 1))
        return false;
    insert(young ? &space->young_serials : &space->old_serials, object.bits, serial);
    return true;
}

val heap_identity(struct heap *h, val object)
{
    uint64_t serial;
    if (serial_find(h, object, &serial))
        return fixnum((int64_t)serial);
    if (!serial_put(h, object, h->serial))
        return RETRY;
    return fixnum((int64_t)h->serial++);
}

void serials_after_minor(struct heap *h)
{
    struct serial_map *young = &h->space->young_serials;
    for (size_t i = 0; i < young->capacity && young->count > 0; i++) {
        struct serial_entry *e = &young->entries[i];
        if (e->key == 0)
            continue;
        val object = VAL(e->key);
        uint64_t first = *(const uint64_t *)val_address(object);
        if (is_forward(first))
            insert(&h->space->old_serials, forward_address(first) + val_tag(object), e->serial);
        e->key = 0;
        young->count--;
    }
}

void serials_after_full(struct heap *h)
{
    struct serial_map *old = &h->space->old_serials;
    for (size_t i = 0; i < old->capacity;) {
        if (old->entries[i].key != 0 && !gc_is_alive(VAL(old->entries[i].key)))
            delete_at(old, i);
        else
            i++;
    }
}

void serials_after_thin(struct heap *h)
{
    struct serial_map *old = &h->space->old_serials;
    for (size_t i = 0; i < old->capacity;) {
        struct serial_entry e = old->entries[i];
        val now = e.key == 0 ? FALSE : thinned(VAL(e.key));
        if (e.key != 0 && now.bits != e.key) {
            delete_at(old, i);
            insert(old, now.bits, e.serial);
        } else {
            i++;
        }
    }
}

void serials_drop(struct heap *h)
{
    struct serial_map *maps[] = {&h->space->young_serials, &h->space->old_serials};
    for (size_t i = 0; i < ARRAY_LENGTH(maps); i++) {
        heap_mfree(h, maps[i]->entries, maps[i]->capacity * sizeof *maps[i]->entries);
        memset(maps[i], 0, sizeof *maps[i]);
    }
}
