/* T4 ports: see port.h. The bytes of a storage and a port's raw words are not
 * traced and are stored to directly. An output port's storage doubles; a console
 * has its buffer in counted memory, which the host empties. */
#include "port.h"

#define OUTPUT_FIRST ((size_t)64)

/* -- making ------------------------------------------------------------------------ */

static val port_make(struct heap *h, uint64_t flags, val content)
{
    val port = TRY(heap_alloc(h, T_PORT, 0, 0));
    val *fields = object_fields(port);
    fields[PORT_CONTENT] = content;
    for (size_t i = PORT_NAME; i <= PORT_SPARE2; i++)
        fields[i] = FALSE;
    memset(object_raw(port), 0, 6 * sizeof(uint64_t));
    object_raw(port)[PORT_FLAGS] = flags | PORT_OPEN;
    return port;
}

val port_open_input(struct heap *h, val content, uint64_t more_flags)
{
    uint64_t flags = PORT_INPUT | more_flags;
    return port_make(h, flags | (is_string(content) ? PORT_TEXTUAL : PORT_BINARY), content);
}

val port_open_output(struct heap *h, uint64_t textual_or_binary)
{
    return port_make(h, PORT_OUTPUT | textual_or_binary, FALSE);
}

val port_console(struct heap *h, int which)
{
    if (which == 2) {
        val empty = TRY(string_constant_from_utf8(h, "", 0));
        return port_open_input(h, empty, PORT_CONSOLE);
    }
    val port = TRY(port_make(h, PORT_OUTPUT | PORT_TEXTUAL | PORT_CONSOLE, FALSE));
    object_raw(port)[PORT_WHICH] = (uint64_t)which;
    return port;
}

/* -- consoles ---------------------------------------------------------------------------- */

static val console_reserve(struct heap *h, int which, size_t bytes)
{
    struct console_buffer *c = &h->console[which];
    if (bytes <= c->capacity - c->length)
        return TRUE;
    size_t need = 0;
    if (!size_add(c->length, bytes, &need) || need > SIZE_MAX / 4) {
        h->wanted = bytes;
        return RETRY;
    }
    size_t room = size_max(need + need / 2, 256);
    char *data = heap_realloc(h, c->data, c->capacity, room);
    if (data == NULL && room > need) {
        room = need;
        data = heap_realloc(h, c->data, c->capacity, room);
    }
    if (data == NULL)
        return RETRY;
    c->data = data;
    c->capacity = room;
    return TRUE;
}

/* No more than `most` bytes, cut before a character. */
static size_t cut(const char *text, size_t bytes, uint64_t most)
{
    if (bytes <= most)
        return bytes;
    size_t n = (size_t)most;
    while (n > 0 && ((uint8_t)text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

val console_write(struct heap *h, int which, const char *text, size_t bytes)
{
    uint64_t left = h->output_limit > h->output_used ? h->output_limit - h->output_used : 0;
    size_t n = cut(text, bytes, left);
    TRY(console_reserve(h, which, n));
    struct console_buffer *c = &h->console[which];
    if (n != 0)
        memcpy(c->data + c->length, text, n);
    c->length += n;
    h->output_used += n;
    if (n == bytes)
        return TRUE;
    h->limit_reason = LIMIT_OUTPUT;
    return LIMIT;
}

/* -- output --------------------------------------------------------------------------------- */

val port_reserve(struct heap *h, val port, size_t bytes)
{
    if (port_has(port, PORT_CONSOLE)) {
        uint64_t left = h->output_limit > h->output_used ? h->output_limit - h->output_used : 0;
        return console_reserve(h, (int)object_raw(port)[PORT_WHICH],
                               bytes < left ? bytes : (size_t)left);
    }
    val old = object_field(port, PORT_CONTENT);
    size_t used = (size_t)object_raw(port)[PORT_POSITION];
    size_t capacity = is_object(old) ? object_length(old) : 0;
    size_t need = 0;
    if (bytes <= capacity - used)
        return TRUE;
    if (!size_add(used, bytes, &need) || need > h->limit) {
        h->wanted = bytes;
        return RETRY;
    }
    size_t room = size_max(size_max(need, capacity * 2), OUTPUT_FIRST);
    val storage = heap_alloc(h, T_STORAGE, room, 0);
    if (is_eq(storage, RETRY) && room > need)
        storage = heap_alloc(h, T_STORAGE, need, 0);
    TRY(storage);
    if (used != 0)
        memcpy(object_bytes(storage), object_bytes(old), used);
    heap_store(h, port, &object_fields(port)[PORT_CONTENT], storage);
    return TRUE;
}

/* Count characters and the widest of them in valid UTF-8. */
static void measure(val port, const char *text, size_t bytes)
{
    uint64_t *raw = object_raw(port);
    const uint8_t *p = (const uint8_t *)text;
    uint32_t c = 0;
    size_t plain = 0, wide = 0;
    for (; plain < bytes && p[plain] < 0x80; plain++)
        wide |= p[plain];
    raw[PORT_CHARS] += plain;
    raw[PORT_WIDEST] = wide > raw[PORT_WIDEST] ? wide : raw[PORT_WIDEST];
    for (size_t i = plain; i < bytes;) {
        size_t size = utf8_decode(p + i, bytes - i, &c);
        raw[PORT_CHARS]++;
        raw[PORT_WIDEST] = c > raw[PORT_WIDEST] ? c : raw[PORT_WIDEST];
        i += size_max(size, 1);
    }
}

val port_append(struct heap *h, val port, const char *text, size_t bytes)
{
    uint64_t *raw = object_raw(port);
    if (port_has(port, PORT_CONSOLE))
        return console_write(h, (int)raw[PORT_WHICH], text, bytes);
    TRY(port_reserve(h, port, bytes));
    if (bytes == 0)
        return TRUE;
    memcpy(object_bytes(object_field(port, PORT_CONTENT)) + raw[PORT_POSITION], text, bytes);
    raw[PORT_POSITION] += bytes;
    if (port_has(port, PORT_TEXTUAL))
        measure(port, text, bytes);
    return TRUE;
}

val port_append_string(struct heap *h, val port, val s, size_t start, size_t end)
{
    char text[1024];
    TRY(port_reserve(h, port, string_utf8_length_of(s, start, end)));
    while (start < end) {
        size_t n = size_min(end - start, sizeof text / UTF8_MAX);
        size_t bytes = string_utf8_length_of(s, start, start + n);
        string_store_utf8_of(s, start, start + n, text);
        TRY(port_append(h, port, text, bytes));
        start += n;
    }
    return TRUE;
}

static val contents_text(struct heap *h, val port)
{
    const uint64_t *raw = object_raw(port);
    unsigned width = width_for((uint32_t)raw[PORT_WIDEST]);
    val s = TRY(string_new(h, (size_t)raw[PORT_CHARS], width));
    val storage = object_field(port, PORT_CONTENT);
    size_t bytes = (size_t)raw[PORT_POSITION];
    uint32_t c = 0;
    if (bytes != 0 && bytes == raw[PORT_CHARS]) {
        memcpy(string_storage(s), object_bytes(storage), bytes);
        return s;
    }
    for (size_t at = 0, i = 0; at < bytes; i++) {
        at += utf8_decode(object_bytes(storage) + at, bytes - at, &c);
        code_put(string_storage(s), width, i, c);
    }
    return s;
}

val port_contents(struct heap *h, val port)
{
    if (port_has(port, PORT_TEXTUAL))
        return contents_text(h, port);
    size_t bytes = (size_t)object_raw(port)[PORT_POSITION];
    val out = TRY(heap_alloc(h, T_BYTEVECTOR, bytes, 0));
    if (bytes != 0)
        memcpy(object_bytes(out), object_bytes(object_field(port, PORT_CONTENT)), bytes);
    return out;
}

/* -- input ------------------------------------------------------------------------------------ */

size_t port_left(val port)
{
    val content = object_field(port, PORT_CONTENT);
    size_t length = is_string(content) ? string_length(content) : object_length(content);
    size_t at = (size_t)object_raw(port)[PORT_POSITION];
    return at < length ? length - at : 0;
}

val port_at_end(val port)
{
    return (port_flags(port) & (PORT_HOST | PORT_END)) == PORT_HOST ? DEFAULT_OBJECT : EOF_OBJECT;
}

static val joined_text(struct heap *h, val old, size_t at, size_t left, val block)
{
    size_t n = string_length(block);
    unsigned width = string_width(block);
    if (left != 0)
        width = width > string_width(old) ? width : string_width(old);
    val s = TRY(string_new(h, left + n, width));
    if (left != 0)
        codes_copy(string_storage(s), width, 0, string_data(old), string_width(old), at, left);
    codes_copy(string_storage(s), width, left, string_data(block), string_width(block), 0, n);
    return s;
}

static val joined_bytes(struct heap *h, val old, size_t at, size_t left, val block)
{
    size_t n = object_length(block);
    val out = TRY(heap_alloc(h, T_BYTEVECTOR, left + n, 0));
    if (left != 0)
        memcpy(object_bytes(out), object_bytes(old) + at, left);
    if (n != 0)
        memcpy(object_bytes(out) + left, object_bytes(block), n);
    return out;
}

val port_feed(struct heap *h, val port, val block)
{
    uint64_t *raw = object_raw(port);
    if (!is_true(block)) {
        raw[PORT_FLAGS] |= PORT_END;
        return TRUE;
    }
    val old = object_field(port, PORT_CONTENT);
    size_t left = port_left(port), at = (size_t)raw[PORT_POSITION];
    size_t n = is_string(block) ? string_length(block) : object_length(block);
    TRY(afford_bytes(h, left + n));
    val content = TRY(is_string(block) ? joined_text(h, old, at, left, block)
                                       : joined_bytes(h, old, at, left, block));
    heap_store(h, port, &object_fields(port)[PORT_CONTENT], content);
    raw[PORT_POSITION] = 0;
    return TRUE;
}
