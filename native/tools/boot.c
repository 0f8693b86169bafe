/* boot SCHEME_DIR OUTPUT: makes the boot image, over the public header only.
 *
 * In a bare context it runs the files of SCHEME_DIR/boot/manifest as units of
 * the core environment, then imports every library of SCHEME_DIR/lib/manifest
 * (one written name a line), so that they are in the image. It is the host of
 * these runs: it answers `library` and `include` from SCHEME_DIR/lib and refuses
 * everything else. Files are named as below SCHEME_DIR (lib/scheme/base.sld). What goes wrong is
 * printed with its position; then exit 1. The same sources give the same bytes: nothing else is
 * read. */
#include "chibi_bridge.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_LENGTH 4096
#define MEMORY ((size_t)1 << 30)

struct boot {
    cb_engine *engine;
    cb_context *context;
    const char *directory;
};

struct text {
    char *data;
    size_t length;
};

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("boot: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void check(cb_status status, const char *what)
{
    if (status != CB_OK)
        fail("%s: status %d", what, (int)status);
}

/* -- files ------------------------------------------------------------------- */

/* The whole file, NUL-terminated; data NULL where there is none. */
static struct text read_file(const char *path)
{
    struct text text = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return text;
    size_t room = 4096;
    text.data = malloc(room);
    for (;;) {
        if (text.data == NULL)
            fail("no memory for %s", path);
        text.length += fread(text.data + text.length, 1, room - text.length - 1, file);
        if (text.length < room - 1)
            break;
        room *= 2;
        text.data = realloc(text.data, room);
    }
    if (ferror(file))
        fail("cannot read %s", path);
    fclose(file);
    text.data[text.length] = 0;
    return text;
}

static struct text read_below(const struct boot *b, const char *name)
{
    char path[PATH_LENGTH];
    int n = snprintf(path, sizeof path, "%s/%s", b->directory, name);
    if (n < 0 || (size_t)n >= sizeof path)
        fail("path too long: %s", name);
    return read_file(path);
}

static struct text need_below(const struct boot *b, const char *name)
{
    struct text text = read_below(b, name);
    if (text.data == NULL)
        fail("no file %s/%s", b->directory, name);
    return text;
}

/* The next line of a manifest that is not empty; NULL at the end. */
static char *next_line(char **at)
{
    for (;;) {
        char *line = *at;
        if (*line == 0)
            return NULL;
        char *end = line + strcspn(line, "\n");
        *at = *end != 0 ? end + 1 : end;
        *end = 0;
        if (*line != 0 && *line != ';')
            return line;
    }
}

/* -- packed values ------------------------------------------------------------- */

struct packed {
    const uint8_t *at;
    const uint8_t *end;
};

struct item {
    enum { NIL, BOOLEAN, INTEGER, FLOAT, STRING, BINARY, ARRAY, EXTENSION } kind;
    int8_t type;          /* EXTENSION */
    int64_t integer;      /* INTEGER, BOOLEAN */
    double real;          /* FLOAT */
    size_t count;         /* ARRAY */
    const uint8_t *bytes; /* STRING, BINARY, EXTENSION */
    size_t length;
};

static uint64_t take(struct packed *p, size_t n)
{
    uint64_t value = 0;
    if ((size_t)(p->end - p->at) < n)
        fail("an event's data is cut short");
    while (n-- > 0)
        value = value << 8 | *p->at++;
    return value;
}

static void take_bytes(struct packed *p, struct item *item, size_t n)
{
    if ((size_t)(p->end - p->at) < n)
        fail("an event's data is cut short");
    item->bytes = p->at;
    item->length = n;
    p->at += n;
}

static void take_extension(struct packed *p, struct item *item, size_t n)
{
    item->kind = EXTENSION;
    item->type = (int8_t)take(p, 1);
    take_bytes(p, item, n);
}

static void take_number(struct packed *p, struct item *item, uint8_t tag)
{
    item->kind = INTEGER;
    if (tag == 0xcb) {
        uint64_t bits = take(p, 8);
        item->kind = FLOAT;
        memcpy(&item->real, &bits, sizeof bits);
    } else if (tag <= 0xcf) {
        item->integer = (int64_t)take(p, (size_t)1 << (tag - 0xcc));
    } else {
        unsigned width = 8u << (tag - 0xd0);
        uint64_t value = take(p, width / 8);
        item->integer =
            width == 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
    }
}

/* One item without what an array holds. */
static struct item next_item(struct packed *p)
{
    struct item item = {.kind = NIL};
    uint8_t tag = (uint8_t)take(p, 1);
    if (tag < 0x80 || tag >= 0xe0) {
        item.kind = INTEGER;
        item.integer = (int8_t)tag;
    } else if (tag >= 0xa0 && tag < 0xc0) {
        item.kind = STRING;
        take_bytes(p, &item, tag & 31u);
    } else if (tag >= 0x90 && tag < 0xa0) {
        item.kind = ARRAY;
        item.count = tag & 15u;
    } else if (tag == 0xc2 || tag == 0xc3) {
        item.kind = BOOLEAN;
        item.integer = tag & 1;
    } else if (tag >= 0xc4 && tag <= 0xc6) {
        item.kind = BINARY;
        take_bytes(p, &item, (size_t)take(p, (size_t)1 << (tag - 0xc4)));
    } else if (tag >= 0xc7 && tag <= 0xc9) {
        take_extension(p, &item, (size_t)take(p, (size_t)1 << (tag - 0xc7)));
    } else if (tag >= 0xcb && tag <= 0xd3) {
        take_number(p, &item, tag);
    } else if (tag >= 0xd4 && tag <= 0xd8) {
        take_extension(p, &item, (size_t)1 << (tag - 0xd4));
    } else if (tag >= 0xd9 && tag <= 0xdb) {
        item.kind = STRING;
        take_bytes(p, &item, (size_t)take(p, (size_t)1 << (tag - 0xd9)));
    } else if (tag == 0xdc || tag == 0xdd) {
        item.kind = ARRAY;
        item.count = (size_t)take(p, tag == 0xdc ? 2 : 4);
    } else if (tag != 0xc0) {
        fail("an event's data holds the unknown tag %02x", tag);
    }
    return item;
}

/* -- printing what was raised ----------------------------------------------------- */

static void print_item(struct packed *p);

static void print_items(struct packed *p, size_t count, const char *between)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputs(between, stderr);
        print_item(p);
    }
}

static void print_bytes(const struct item *item)
{
    fwrite(item->bytes, 1, item->length, stderr);
}

static void print_item(struct packed *p)
{
    struct item item = next_item(p);
    switch (item.kind) {
    case NIL:
        fputs("-", stderr);
        break;
    case BOOLEAN:
        fputs(item.integer ? "#t" : "#f", stderr);
        break;
    case INTEGER:
        fprintf(stderr, "%lld", (long long)item.integer);
        break;
    case FLOAT:
        fprintf(stderr, "%g", item.real);
        break;
    case STRING:
        print_bytes(&item);
        break;
    case BINARY:
        fputs("#u8(...)", stderr);
        break;
    case ARRAY:
        fputc('(', stderr);
        print_items(p, item.count, " ");
        fputc(')', stderr);
        break;
    case EXTENSION:
        if (item.type == 1)
            print_bytes(&item);
        else
            fprintf(stderr, "#<extension %d>", item.type);
        break;
    }
}

static void print_line(const char *title, struct packed *p)
{
    fputs(title, stderr);
    print_item(p);
    fputc('\n', stderr);
}

/* kind, message, irritants, who, position, trace, hint, extra, handle */
static void print_condition(struct packed p)
{
    next_item(&p);
    print_line("kind:      ", &p);
    print_line("message:   ", &p);
    print_line("irritants: ", &p);
    print_line("who:       ", &p);
    print_line("position:  ", &p);
    struct item trace = next_item(&p);
    fputs("trace:\n", stderr);
    for (size_t i = 0; i < trace.count; i++)
        print_line("  ", &p);
    print_line("hint:      ", &p);
}

static _Noreturn void fail_event(const char *what, const cb_event *event)
{
    struct packed p = {event->data, event->data + event->length};
    fprintf(stderr, "boot: %s ended with event %u\n", what, event->kind);
    if (event->kind == CB_RAISED) {
        struct packed whole = p;
        struct item item = next_item(&p);
        if (item.kind == EXTENSION && item.type == 13)
            print_condition((struct packed){item.bytes, item.bytes + item.length});
        else
            print_line("raised: ", &whole);
    }
    exit(1);
}

/* -- being the host ------------------------------------------------------------------ */

struct answer {
    uint8_t *data;
    size_t length;
};

static void put(struct answer *a, const void *bytes, size_t n)
{
    a->data = realloc(a->data, a->length + n);
    if (a->data == NULL)
        fail("no memory");
    memcpy(a->data + a->length, bytes, n);
    a->length += n;
}

static void put_string(struct answer *a, const char *text, size_t n)
{
    uint8_t head[5] = {0xdb, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};
    put(a, head, sizeof head);
    put(a, text, n);
}

/* "(a b 1)" -> "lib/a/b/1.sld" */
static void library_file(const struct item *name, char *out, size_t room)
{
    if (name->kind != STRING || name->length < 3 || name->length + 9 > room)
        fail("a library's name is no string, or too long");
    size_t n = name->length - 2;
    memcpy(out, "lib/", 4);
    for (size_t i = 0; i < n; i++) {
        char c = (char)name->bytes[i + 1];
        out[4 + i] = c == ' ' ? '/' : c;
    }
    memcpy(out + 4 + n, ".sld", 5);
}

/* The answer: #f, or (text file #t). */
static struct answer answer_library(const struct boot *b, const struct item *name)
{
    char file[PATH_LENGTH];
    struct answer a = {NULL, 0};
    library_file(name, file, sizeof file);
    struct text text = read_below(b, file);
    if (text.data == NULL) {
        put(&a, "\xc2", 1);
        return a;
    }
    put(&a, "\x93", 1);
    put_string(&a, text.data, text.length);
    put_string(&a, file, strlen(file));
    put(&a, "\xc3", 1);
    free(text.data);
    return a;
}

static struct answer answer_include(const struct boot *b, const struct item *path)
{
    char file[PATH_LENGTH];
    struct answer a = {NULL, 0};
    if (path->kind != STRING || path->length >= sizeof file)
        fail("an include's path is no string, or too long");
    memcpy(file, path->bytes, path->length);
    file[path->length] = 0;
    struct text text = need_below(b, file);
    put_string(&a, text.data, text.length);
    free(text.data);
    return a;
}

static struct answer answer_event(const struct boot *b, const cb_event *event)
{
    struct packed p = {event->data, event->data + event->length};
    struct item call = next_item(&p);
    if (call.kind != ARRAY || call.count < 2)
        fail_event("a host call", event);
    struct item op = next_item(&p);
    struct item argument = next_item(&p);
    if (op.length == 7 && memcmp(op.bytes, "library", 7) == 0)
        return answer_library(b, &argument);
    if (op.length == 7 && memcmp(op.bytes, "include", 7) == 0)
        return answer_include(b, &argument);
    fail("host call %.*s while booting", (int)op.length, (const char *)op.bytes);
}

static void run_unit(const struct boot *b, const char *name, const char *text, size_t length)
{
    cb_event event = {.size = sizeof event};
    check(cb_boot_unit(b->context, text, length, name, strlen(name), &event), name);
    while (event.kind == CB_HOST_CALL || event.kind == CB_PAUSED) {
        cb_run *run = event.run;
        if (event.kind == CB_PAUSED) {
            check(cb_advance(b->context, run, UINT64_MAX, &event), name);
            continue;
        }
        struct answer a = answer_event(b, &event);
        check(cb_answer(b->context, run, a.data, a.length, UINT64_MAX, &event), name);
        free(a.data);
    }
    if (event.kind != CB_DONE)
        fail_event(name, &event);
}

/* -- the image ---------------------------------------------------------------------------- */

static void run_boot_files(const struct boot *b)
{
    struct text manifest = need_below(b, "boot/manifest");
    char *at = manifest.data;
    for (char *name = next_line(&at); name != NULL; name = next_line(&at)) {
        char file[PATH_LENGTH];
        int n = snprintf(file, sizeof file, "boot/%s", name);
        if (n < 0 || (size_t)n >= sizeof file)
            fail("a boot file's name is too long: %s", name);
        struct text text = need_below(b, file);
        run_unit(b, file, text.data, text.length);
        free(text.data);
    }
    free(manifest.data);
}

static void import_libraries(const struct boot *b)
{
    struct text manifest = need_below(b, "lib/manifest");
    char *at = manifest.data;
    for (char *name = next_line(&at); name != NULL; name = next_line(&at)) {
        char text[PATH_LENGTH];
        int n = snprintf(text, sizeof text, "(environment '%s)", name);
        if (n < 0 || (size_t)n >= sizeof text)
            fail("a library's name is too long: %s", name);
        run_unit(b, name, text, (size_t)n);
    }
    free(manifest.data);
}

static void write_image(const struct boot *b, const char *path)
{
    char error[256] = "";
    cb_image *image;
    uint8_t *bytes;
    size_t length;
    if (cb_image_make(b->context, &image, error, sizeof error) != CB_OK)
        fail("cannot make the image: %s", error);
    check(cb_image_bytes(image, &bytes, &length), "image bytes");
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        fail("cannot write %s", path);
    cb_bytes_free(bytes);
    cb_image_free(image);
    fprintf(stderr, "boot: %s, %zu bytes\n", path, length);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: boot SCHEME_DIR OUTPUT\n", stderr);
        return 2;
    }
    struct boot b = {.directory = argv[1]};
    cb_limits limits = {.size = sizeof limits, .memory = MEMORY};
    check(cb_engine_new(&b.engine), "engine");
    check(cb_context_new(b.engine, NULL, &limits, &b.context), "context");
    run_boot_files(&b);
    import_libraries(&b);
    write_image(&b, argv[2]);
    cb_context_free(b.context);
    cb_engine_free(b.engine);
    return 0;
}
