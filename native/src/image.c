/* T8 images: check, map, instantiate. See image.h; image_make.c writes them.
 *
 * Loading trusts nothing: first the structure of blocks and objects, then each
 * reference, both in linear time; so the bytes of a damaged image are refused,
 * not followed. It does not prove that bytecode is good.
 * Instantiating copies whole pages and then adds addresses at the words of the
 * relocation lists, made once at loading. */
#include "code.h"
#include "frame.h"
#include "image_format.h"
#include "prim.h"
#include "shape.h"

struct image {
    struct engine *engine;
    uint8_t *bytes;
    size_t length;
    struct image_header header;
    uint8_t *map; /* shared pages, then private ones as templates */
    size_t map_bytes;
    uint8_t *shared, *private_part;
    uint8_t *starts;       /* for each page of both sections: a block begins */
    val *slots, *roots;    /* templates: private references by offset        */
    uint32_t *relocations; /* word indices in the private section            */
    size_t relocation_count;
    uint32_t *codes, *hosts; /* private T_CODE and T_HOST_PROCEDURE: granules  */
    size_t code_count, host_count;
    struct serial_entry *serials; /* shared first, by key; then private by offset */
    size_t shared_serials;
    struct image_address *addresses;
    uint32_t *frames; /* private T_SEGMENT and T_CONTINUATION: granules */
    size_t frame_count;
};

/* -- what image_make.c needs too ---------------------------------------------------- */
bool image_fail(char *error, size_t n, const char *reason, const char *detail)
{
    const char *parts[] = {reason, detail};
    size_t at = 0;
    for (size_t p = 0; p < 2 && n > 0; p++) {
        for (const char *s = parts[p]; *s != 0 && at + 1 < n; s++)
            error[at++] = *s;
    }
    if (n > 0)
        error[at] = 0;
    return false;
}

uint64_t image_checksum(const uint8_t *bytes, size_t length)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i + 8 <= length; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 29;
    }
    return sum;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    while (*text++ != 0);
    return hash;
}

uint64_t image_tables_hash(void)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        const struct type_layout *t = &type_layouts[i];
        hash = hash_text(hash, t->name) ^
               ((uint64_t)t->fields << 16 | (uint64_t)t->raw << 8 | t->body);
    }
    for (size_t i = 0; i < primitive_count; i++) {
        const struct primitive *p = &primitive_table[i];
        hash = hash_text(hash, p->name) ^ ((uint64_t)(uint16_t)p->minimum << 32) ^
               ((uint64_t)(uint16_t)p->maximum << 16) ^ p->kind;
    }
    return hash;
}

bool image_layout(const struct image_header *header, struct image_layout *out)
{
    if (header->shared_pages > IMAGE_PAGES_MOST || header->private_pages > IMAGE_PAGES_MOST ||
        header->slot_count > (uint64_t)1 << 32 || header->root_count > 256 ||
        header->serial_count > (uint64_t)1 << 32 || header->address_count > (uint64_t)1 << 32)
        return false;
    out->shared = sizeof *header;
    out->private_part = out->shared + (size_t)header->shared_pages * CHUNK;
    out->slots = out->private_part + (size_t)header->private_pages * CHUNK;
    out->roots = out->slots + (size_t)header->slot_count * 8;
    out->serials = out->roots + (size_t)header->root_count * 8;
    out->addresses = out->serials + (size_t)header->serial_count * 16;
    out->checksum = out->addresses + (size_t)header->address_count * sizeof(struct image_address);
    out->end = out->checksum + 8;
    return true;
}

/* -- check: structure --------------------------------------------------------------- */
size_t image_object_size(const uint8_t *at, size_t room)
{
    uint64_t first;
    memcpy(&first, at, 8);
    if ((first & TAG_MASK) != TAG_HEADER)
        return 16;
    uint64_t type = (first >> 8) & 0xff;
    if (type >= TYPE_COUNT || (type_layouts[type].body != BODY_NONE && header_length(first) > room))
        return 0;
    size_t bytes = header_size(first);
    return bytes <= room ? bytes : 0;
}

static bool check_small(const uint8_t *page, const struct block *b)
{
    unsigned end = BLOCK_FIRST;
    if (b->pages != 1 || (b->marks[0] & 15) != 0)
        return false;
    for (unsigned g = BLOCK_FIRST; g < BLOCK_GRANULES; g++) {
        if (!block_marked(b, g))
            continue;
        size_t bytes = image_object_size(page + (size_t)g * GRANULE, CHUNK - (size_t)g * GRANULE);
        if (g < end || bytes == 0)
            return false;
        end = g + (unsigned)(bytes / GRANULE);
    }
    return true;
}

static bool check_large(const uint8_t *page, const struct block *b, size_t pages_left)
{
    if (b->pages == 0 || b->pages > pages_left || b->marks[0] != 1u << BLOCK_FIRST ||
        (b->marks[1] | b->marks[2] | b->marks[3]) != 0)
        return false;
    size_t room = (size_t)b->pages * CHUNK - sizeof *b;
    size_t bytes = image_object_size(page + sizeof *b, room);
    return bytes >= LARGE_OBJECT && room - bytes < CHUNK;
}

/* The blocks of one section; notes where they start. */
static bool check_section(uint8_t *section, size_t pages, uint8_t *starts, bool shared)
{
    for (size_t p = 0; p < pages;) {
        uint8_t *page = section + p * CHUNK;
        const struct block *b = (const struct block *)(void *)page;
        uint32_t flags = b->flags & ~(uint32_t)BLOCK_LARGE;
        if (b->next != NULL || b->queue != NULL || b->spare != 0)
            return false;
        if (shared ? flags != (BLOCK_IMAGE | BLOCK_CONSTANT)
                   : flags != 0 && flags != BLOCK_CONSTANT && flags != BLOCK_CODE)
            return false;
        if (!((b->flags & BLOCK_LARGE) ? check_large(page, b, pages - p) : check_small(page, b)))
            return false;
        starts[p] = 1;
        p += b->pages;
    }
    return true;
}

/* -- check: references; relocation ---------------------------------------------------- */
struct relocator {
    struct image *image;
    bool in_shared; /* looking at a shared object: no private references */
    bool bad;
};

/* Is this the reference of an object, with the right tag? */
static bool reference_exists(const struct image *image, val v)
{
    bool private_one = (v.bits & IMAGE_PRIVATE) != 0;
    uint64_t offset = v.bits & ~IMAGE_REFERENCE_BITS;
    uint64_t pages = private_one ? image->header.private_pages : image->header.shared_pages;
    const uint8_t *section = private_one ? image->private_part : image->shared;
    const uint8_t *starts = image->starts + (private_one ? image->header.shared_pages : 0);
    if (offset >= pages * CHUNK || !starts[offset / CHUNK])
        return false;
    const struct block *b =
        (const struct block *)(const void *)(section + (offset & ~(uint64_t)(CHUNK - 1)));
    if (!block_marked(b, (unsigned)(offset % CHUNK) / GRANULE))
        return false;
    return is_eq(val_at((uintptr_t)section + offset),
                 VAL((uintptr_t)section + offset + val_tag(v)));
}

/* A shared reference becomes an address, a private one an offset with a tag;
 * `*private_one` says which. False: no good value. */
static bool relocate(const struct image *image, val *slot, bool *private_one)
{
    val v = *slot;
    *private_one = false;
    if (val_tag(v) == TAG_HEADER)
        return false;
    if (!is_pointer(v))
        return true;
    if (!reference_exists(image, v))
        return false;
    *private_one = (v.bits & IMAGE_PRIVATE) != 0;
    *slot = VAL(*private_one ? v.bits & ~IMAGE_PRIVATE : (uintptr_t)image->shared + v.bits);
    return true;
}

static void relocate_field(void *context, val *slot)
{
    struct relocator *r = context;
    struct image *image = r->image;
    bool private_one;
    if (r->bad || !relocate(image, slot, &private_one) || (private_one && r->in_shared)) {
        r->bad = true;
        return;
    }
    if (private_one)
        image->relocations[image->relocation_count++] =
            (uint32_t)((size_t)((uint8_t *)slot - image->private_part) / 8);
}

/* Continuations are private: their frames are put right in each context. */
static bool is_type_saved(enum type type, bool shared)
{
    bool frames = type == T_CONTINUATION || type == T_SEGMENT;
    return type != T_FOREIGN && !(shared && frames);
}

static void note_private(struct image *image, val object)
{
    uint32_t granule = (uint32_t)(((uint8_t *)val_address(object) - image->private_part) / GRANULE);
    if (object_type(object) == T_CODE)
        image->codes[image->code_count++] = granule;
    else if (object_type(object) == T_HOST_PROCEDURE)
        image->hosts[image->host_count++] = granule;
    else if (object_type(object) == T_SEGMENT || object_type(object) == T_CONTINUATION)
        image->frames[image->frame_count++] = granule;
}

static void relocate_object(void *context, val object)
{
    struct relocator *r = context;
    if (is_object(object)) {
        r->bad = r->bad || !is_type_saved(object_type(object), r->in_shared);
        if (!r->in_shared)
            note_private(r->image, object);
    }
    trace_fields(object, relocate_field, r);
}

/* The tag test of references needs headers only, which relocation leaves alone. A
 * pair's first word never has a header's tag: check_section took it for a pair. */
static bool relocate_section(struct image *image, uint8_t *section, size_t pages, bool shared)
{
    struct relocator r = {image, shared, false};
    for (size_t p = 0; p < pages && !r.bad;) {
        struct block *b = (struct block *)(void *)(section + p * CHUNK);
        block_walk(b, relocate_object, &r);
        p += b->pages;
    }
    return !r.bad;
}

static bool relocate_words(struct image *image, val *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool private_one;
        if (!relocate(image, &words[i], &private_one))
            return false;
        if (private_one)
            words[i].bits |= IMAGE_PRIVATE; /* no address has it: copy_words sees it */
    }
    return true;
}

static bool relocate_serials(struct image *image)
{
    bool private_seen = false;
    uint64_t last = 0;
    for (size_t i = 0; i < image->header.serial_count; i++) {
        val key = VAL(image->serials[i].key);
        bool private_one;
        if (!is_pointer(key) || !relocate(image, &key, &private_one) ||
            (private_seen && !private_one) || image->serials[i].serial >= image->header.serial)
            return false;
        if (private_one != private_seen)
            last = 0;
        if (key.bits <= last)
            return false;
        private_seen = private_one;
        image->serials[i].key = last = key.bits;
        image->shared_serials += !private_one;
    }
    return true;
}

struct shapes {
    struct shape_base base;
    bool good;
};

static void check_shape(void *context, val object)
{
    struct shapes *s = context;
    s->good = s->good && (is_pair(object) || shape_is_good(object, s->base));
}

/* In the private section a word with an offset is not an address yet. */
static bool check_shapes(struct image *image, bool private_one)
{
    uint8_t *section = private_one ? image->private_part : image->shared;
    size_t pages = (size_t)(private_one ? image->header.private_pages : image->header.shared_pages);
    struct shapes s = {{(uintptr_t)section, private_one ? pages * CHUNK : 0}, true};
    for (size_t p = 0; p < pages && s.good;) {
        struct block *b = (struct block *)(void *)(section + p * CHUNK);
        block_walk(b, check_shape, &s);
        p += b->pages;
    }
    return s.good;
}

static bool check_roots(const struct image *image)
{
    val roots[ROOT_COUNT];
    for (size_t i = 0; i < ROOT_COUNT; i++) {
        roots[i] = image->roots[i];
        if (is_pointer(roots[i]) && (roots[i].bits & IMAGE_PRIVATE))
            roots[i].bits += (uintptr_t)image->private_part - IMAGE_PRIVATE;
    }
    return shape_roots_are_good(roots);
}

static void refresh_visited(void *context, val object)
{
    bool *good = context;
    if (is_object(object) && object_type(object) == T_CODE)
        *good = code_restore(object) && *good;
}

static bool refresh_shared(struct image *image)
{
    bool good = true;
    for (size_t p = 0; p < image->header.shared_pages;) {
        struct block *b = (struct block *)(void *)(image->shared + p * CHUNK);
        block_walk(b, refresh_visited, &good);
        p += b->pages;
    }
    return good;
}

/* -- load --------------------------------------------------------------------------------- */
static const char *check_header(const struct image_header *header, size_t length,
                                const uint8_t *bytes, struct image_layout *layout)
{
    if (header->magic != IMAGE_MAGIC)
        return "this is not an image";
    if (header->version != IMAGE_VERSION)
        return "the image has another format version";
    if (memchr(header->fingerprint, 0, sizeof header->fingerprint) == NULL)
        return "the image is damaged: fingerprint";
    if (header->length != length || length % 8 != 0)
        return "the image is damaged: wrong length";
    if (!image_layout(header, layout) || layout->end != length)
        return "the image is damaged: wrong sizes";
    uint64_t sum;
    memcpy(&sum, bytes + layout->checksum, 8);
    if (sum != image_checksum(bytes, layout->checksum))
        return "the image is damaged: wrong checksum";
    if (header->root_count != ROOT_COUNT)
        return "the image has another number of roots";
    return NULL;
}

static void *table(size_t count, size_t item)
{
    return alloc_new(count * item + 8);
}

static bool allocate(struct image *image, const uint8_t *bytes, size_t length)
{
    const struct image_header *header = &image->header;
    size_t words = (size_t)header->private_pages * (CHUNK / 8);
    size_t granules = (size_t)header->private_pages * BLOCK_GRANULES;
    size_t pages = (size_t)(header->shared_pages + header->private_pages);
    image->bytes = alloc_new(length);
    image->starts = table(pages, 1);
    image->slots = table(header->slot_count, 8);
    image->roots = table(header->root_count, 8);
    image->serials = table(header->serial_count, sizeof *image->serials);
    image->relocations = table(words, sizeof(uint32_t));
    image->codes = table(granules, sizeof(uint32_t));
    image->hosts = table(granules, sizeof(uint32_t));
    image->frames = table(granules, sizeof(uint32_t));
    image->addresses = table(header->address_count, sizeof *image->addresses);
    image->map_bytes = size_max(pages, 1) * CHUNK;
    image->map = alloc_map(image->map_bytes);
    if (image->bytes == NULL || image->starts == NULL || image->slots == NULL ||
        image->roots == NULL || image->serials == NULL || image->relocations == NULL ||
        image->codes == NULL || image->hosts == NULL || image->frames == NULL ||
        image->addresses == NULL || image->map == NULL)
        return false;
    memcpy(image->bytes, bytes, length);
    image->length = length;
    memset(image->starts, 0, pages);
    image->shared = image->map;
    image->private_part = image->map + (size_t)header->shared_pages * CHUNK;
    return true;
}

/* Give back what the worst case of a table did not need. */
static void trim(uint32_t **array, size_t count)
{
    uint32_t *smaller = alloc_resize(*array, count * sizeof(uint32_t) + 8);
    if (smaller != NULL)
        *array = smaller;
}

static const char *map_image(struct image *image, const struct image_layout *layout)
{
    const struct image_header *header = &image->header;
    size_t shared_pages = (size_t)header->shared_pages;
    size_t private_pages = (size_t)header->private_pages;
    memcpy(image->map, image->bytes + layout->shared, layout->slots - layout->shared);
    memcpy(image->slots, image->bytes + layout->slots, layout->roots - layout->slots);
    memcpy(image->roots, image->bytes + layout->roots, layout->serials - layout->roots);
    memcpy(image->serials, image->bytes + layout->serials, layout->addresses - layout->serials);
    memcpy(image->addresses, image->bytes + layout->addresses,
           layout->checksum - layout->addresses);
    if (!check_section(image->shared, shared_pages, image->starts, true) ||
        !check_section(image->private_part, private_pages, image->starts + shared_pages, false))
        return "the image is damaged: bad block or object";
    if (!relocate_section(image, image->shared, shared_pages, true) ||
        !relocate_section(image, image->private_part, private_pages, false))
        return "the image is damaged: bad reference";
    if (!relocate_words(image, image->slots, (size_t)header->slot_count) ||
        !relocate_words(image, image->roots, (size_t)header->root_count) ||
        !relocate_serials(image))
        return "the image is damaged: bad slot, root or identity number";
    if (!check_roots(image))
        return "the image is damaged: bad root";
    if (!check_shapes(image, false) || !check_shapes(image, true))
        return "the image is damaged: bad object";
    if (!refresh_shared(image))
        return "the image is damaged: bad code";
    trim(&image->relocations, image->relocation_count);
    trim(&image->codes, image->code_count);
    trim(&image->hosts, image->host_count);
    trim(&image->frames, image->frame_count);
    return alloc_protect(image->map, image->map_bytes) ? NULL : "the image cannot be protected";
}

bool image_load(struct engine *engine, const uint8_t *bytes, size_t length, struct image **out,
                char *error, size_t n)
{
    struct image_header header;
    struct image_layout layout;
    *out = NULL;
    if (length < sizeof header)
        return image_fail(error, n, "this is not an image: too short", "");
    memcpy(&header, bytes, sizeof header);
    const char *reason = check_header(&header, length, bytes, &layout);
    if (reason != NULL)
        return image_fail(error, n, reason, "");
    if (strcmp(header.fingerprint, engine_fingerprint()) != 0)
        return image_fail(error, n, "the image was made by another engine: ", header.fingerprint);
    if (header.tables != image_tables_hash())
        return image_fail(error, n, "the image was made with other types or primitives", "");
    struct image *image = alloc_new(sizeof *image);
    if (image == NULL)
        return image_fail(error, n, "no memory for the image", "");
    memset(image, 0, sizeof *image);
    image->engine = engine;
    image->header = header;
    reason = allocate(image, bytes, length) ? map_image(image, &layout) : "no memory for the image";
    if (reason != NULL) {
        image_free(image);
        return image_fail(error, n, reason, "");
    }
    *out = image;
    return true;
}

void image_free(struct image *image)
{
    if (image == NULL)
        return;
    void *parts[] = {image->bytes,   image->starts,      image->slots, image->roots,
                     image->serials, image->relocations, image->codes, image->hosts,
                     image->frames,  image->addresses};
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        alloc_free(parts[i]);
    alloc_unmap(image->map, image->map_bytes);
    alloc_free(image);
}

bool image_bytes(struct image *image, uint8_t **out, size_t *length)
{
    *out = alloc_new(image->length);
    *length = image->length;
    if (*out == NULL)
        return false;
    memcpy(*out, image->bytes, image->length);
    return true;
}

val image_symbols(const struct image *image)
{
    val symbols = image->roots[ROOT_SYMBOLS];
    return is_pointer(symbols) && (symbols.bits & IMAGE_PRIVATE) ? FALSE : symbols;
}

void image_view(const struct image *image, struct image_view *out)
{
    *out = (struct image_view){.shared = image->shared,
                               .private_part = image->private_part,
                               .private_pages = (size_t)image->header.private_pages,
                               .shared_pages = (size_t)image->header.shared_pages,
                               .starts = image->starts,
                               .slots = image->slots,
                               .slot_count = (size_t)image->header.slot_count};
    out->identity = image_identity(image);
}

uint64_t image_identity(const struct image *image)
{
    uint64_t identity;
    memcpy(&identity, image->bytes + image->length - 8, 8);
    return identity;
}

void image_sizes(const struct image *image, size_t *shared, size_t *private_part)
{
    *shared = (size_t)image->header.shared_pages * CHUNK;
    *private_part = (size_t)image->header.private_pages * CHUNK;
}

/* -- instantiate ------------------------------------------------------------------------------ */
/* Where each page of the private section came to lie. */
struct copier {
    struct heap *h;
    const struct image *image;
    uintptr_t *pages;
};

static val moved(const struct copier *c, uint64_t reference)
{
    return VAL(c->pages[reference / CHUNK] + reference % CHUNK);
}

/* The tagged value of the object at a granule of the private section. */
static val moved_object(const struct copier *c, uint32_t granule)
{
    return moved(c, (uint64_t)granule * GRANULE + TAG_OBJECT);
}

static struct block **block_list(struct heap *h, uint32_t flags)
{
    if (flags & BLOCK_LARGE)
        return &h->space->large;
    return &h->space
                ->old[flags & BLOCK_CONSTANT ? SPACE_CONSTANT
                      : flags & BLOCK_CODE   ? SPACE_CODE
                                             : SPACE_PLAIN]
                .blocks;
}

static bool copy_blocks(struct copier *c)
{
    struct heap *h = c->h;
    size_t pages = (size_t)c->image->header.private_pages;
    if (pages * CHUNK > heap_room(h))
        return false;
    for (size_t p = 0; p < pages;) {
        const uint8_t *from = c->image->private_part + p * CHUNK;
        size_t run = ((const struct block *)(const void *)from)->pages;
        struct block *b = pool_take(h->space->pool, run);
        if (b == NULL)
            return false;
        memcpy(b, from, run * CHUNK);
        b->spare = p + 1; /* where it comes from: see image_view */
        heap_count(h, run * CHUNK);
        struct block **list = block_list(h, b->flags);
        b->next = *list;
        *list = b;
        for (size_t i = 0; i < run; i++)
            c->pages[p + i] = (uintptr_t)b + i * CHUNK;
        p += run;
    }
    return true;
}

static bool copy_relocate(const struct copier *c)
{
    bool good = true;
    const struct image *image = c->image;
    for (size_t i = 0; i < image->relocation_count; i++) {
        uint32_t at = image->relocations[i];
        val *slot = (val *)(c->pages[at / (CHUNK / 8)] + (at % (CHUNK / 8)) * 8);
        *slot = moved(c, slot->bits);
    }
    for (size_t i = 0; i < image->code_count; i++)
        good = code_restore(moved_object(c, image->codes[i])) && good;
    return good;
}

/* The addresses stand by segments, within one from the topmost frame down. */
struct address_reader {
    const struct copier *copier;
    size_t next;
    uint64_t base; /* word of the section where the frames in work begin */
};

static bool next_address(void *context, size_t at, const uint64_t **pc)
{
    struct address_reader *r = context;
    const struct image *image = r->copier->image;
    if (r->next >= image->header.address_count)
        return false;
    struct image_address a = image->addresses[r->next++];
    val code = VAL(a.code);
    if (a.word != r->base + at || a.pc == 0 || (a.code != 0 && val_tag(code) != TAG_OBJECT))
        return false;
    if (a.code == 0)
        code = FALSE;
    else if (!reference_exists(image, code))
        return false;
    else
        code = a.code & IMAGE_PRIVATE ? moved(r->copier, a.code & ~IMAGE_PRIVATE)
                                      : VAL((uintptr_t)image->shared + a.code);
    return frame_pc(code, a.pc, pc);
}

/* The granule of the segment or continuation that a word may lie in. */
static uint32_t frames_around(const struct image *image, uint64_t word)
{
    size_t low = 0, high = image->frame_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if ((uint64_t)image->frames[middle] * (GRANULE / 8) <= word)
            low = middle;
        else
            high = middle;
    }
    return image->frames[low];
}

static bool copy_segments(const struct copier *c)
{
    struct address_reader r = {c, 0, 0};
    const struct image *image = c->image;
    size_t left = 0;
    for (size_t i = 0; i < image->frame_count; i++)
        left += is_type(moved_object(c, image->frames[i]), T_SEGMENT);
    for (; r.next < image->header.address_count && left > 0; left--) {
        uint32_t granule = frames_around(image, image->addresses[r.next].word);
        val v = moved_object(c, granule);
        r.base = (uint64_t)granule * (GRANULE / 8) + 3;
        if (!is_type(v, T_SEGMENT) || object_length(v) == 0 || object_words(v)[3] != 0 ||
            !frame_put_places((val *)object_words(v) + 3, object_length(v), next_address, &r))
            return false;
    }
    return left == 0 && r.next == image->header.address_count;
}

static bool copy_frames(const struct copier *c)
{
    const struct image *image = c->image;
    bool good = copy_segments(c);
    for (size_t i = 0; i < image->frame_count && good; i++) {
        val v = moved_object(c, image->frames[i]);
        good = frame_is_top(object_field(v, 0), object_raw(v)[0]);
    }
    return good;
}

static bool copy_hosts(const struct copier *c)
{
    for (size_t i = 0; i < c->image->host_count; i++) {
        if (!hosts_make_room(c->h))
            return false;
        hosts_add(c->h, moved_object(c, c->image->hosts[i]));
    }
    return true;
}

static bool copy_serials(const struct copier *c)
{
    const struct image *image = c->image;
    c->h->space->shared_serials = image->serials;
    c->h->space->shared_serial_count = image->shared_serials;
    c->h->serial = image->header.serial;
    for (size_t i = image->shared_serials; i < image->header.serial_count; i++) {
        if (!serial_put(c->h, moved(c, image->serials[i].key), image->serials[i].serial))
            return false;
    }
    return true;
}

static void copy_words(const struct copier *c, val *to, const val *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool private_one = is_pointer(from[i]) && (from[i].bits & IMAGE_PRIVATE) != 0;
        to[i] = private_one ? moved(c, from[i].bits & ~IMAGE_PRIVATE) : from[i];
    }
}

static bool copy_slots(const struct copier *c)
{
    struct heap *h = c->h;
    size_t count = (size_t)c->image->header.slot_count;
    size_t capacity = count + 16;
    CHECK(h->slots == NULL);
    h->slots = heap_malloc(h, capacity * sizeof(val));
    if (h->slots == NULL)
        return false;
    h->slot_capacity = capacity;
    h->slot_count = count;
    copy_words(c, h->slots, c->image->slots, count);
    copy_words(c, h->roots, c->image->roots, ROOT_COUNT);
    return true;
}

bool image_instantiate(struct heap *h, struct image *image)
{
    struct copier c = {h, image, NULL};
    size_t bytes = size_max((size_t)image->header.private_pages, 1) * sizeof *c.pages;
    c.pages = heap_malloc(h, bytes);
    if (c.pages == NULL)
        return false;
    bool ok = copy_blocks(&c);
    if (ok) {
        ok = copy_relocate(&c);
        for (size_t i = 0; i < SPACE_COUNT; i++)
            old_rewind(&h->space->old[i]);
        ok = ok && copy_frames(&c) && copy_hosts(&c) && copy_serials(&c) && copy_slots(&c);
    }
    heap_mfree(h, c.pages, bytes);
    h->image = image;
    h->space->live_after_full = h->used - h->nursery_size;
    return ok;
}
