/* The shared half of the fuzz targets. See harness.h. */
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifndef BOOT_IMAGE
#define BOOT_IMAGE "chibi_bridge/_native/boot.img"
#endif

enum { USES = 500, SLICE = 1 << 16, ADVANCES = 1 << 12 };

static cb_engine *engine;
static cb_image *boot;
static cb_event event = {.size = sizeof event};

_Noreturn void fuzz_broken(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: broken: %s\n", file, line, what);
    abort();
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    size_t room = 1 << 16, n = 0, got;
    uint8_t *bytes = malloc(room);
    while (bytes && (got = fread(bytes + n, 1, room - n, f)) > 0) {
        n += got;
        if (n == room)
            bytes = realloc(bytes, room *= 2);
    }
    fclose(f);
    *size = n;
    return bytes;
}

cb_engine *fuzz_engine(void)
{
    if (!engine)
        MUST(cb_engine_new(&engine) == CB_OK);
    return engine;
}

cb_image *fuzz_image(void)
{
    if (boot)
        return boot;
    size_t size;
    char error[256];
    uint8_t *bytes = read_file(BOOT_IMAGE, &size);
    if (!bytes) {
        fprintf(stderr, "no file %s: run from the project's folder, after building\n", BOOT_IMAGE);
        exit(2);
    }
    if (cb_image_load(fuzz_engine(), bytes, size, &boot, error, sizeof error) != CB_OK) {
        fprintf(stderr, "%s: %s\n", BOOT_IMAGE, error);
        exit(2);
    }
    free(bytes);
    return boot;
}

cb_context *fuzz_context(size_t memory)
{
    cb_limits limits = {.size = sizeof limits, .memory = memory};
    cb_context *c = NULL;
    MUST(cb_context_new(fuzz_engine(), fuzz_image(), &limits, &c) == CB_OK);
    fuzz_eval(c, "(import (scheme base) (scheme write))", 37,
              (struct fuzz_limits){memory, UINT64_MAX});
    return c;
}

cb_context *fuzz_shared(struct fuzz_limits limits, bool reset)
{
    static cb_context *shared;
    static unsigned uses;
    if (shared && (reset || ++uses % USES == 0)) {
        cb_context_free(shared);
        shared = NULL;
    }
    if (!shared)
        shared = fuzz_context(limits.memory);
    return shared;
}

const cb_event *fuzz_event(void)
{
    return &event;
}

/* [kind "sandbox", message "no", irritants (), extra nil] */
static const uint8_t refusal[] = "\x94\xa7sandbox\xa2no\x90\xc0";

/* Drive the run in `event` to its end. */
static uint32_t finish(cb_context *c, cb_status status)
{
    const char *text;
    size_t length;
    for (unsigned i = 0; status == CB_OK && event.run; i++) {
        if (i == ADVANCES) {
            MUST(cb_abandon(c, event.run) == CB_OK);
            return CB_INTERRUPTED;
        }
        if (event.kind == CB_HOST_CALL)
            status = cb_answer_error(c, event.run, refusal, sizeof refusal - 1, SLICE, &event);
        else
            status = cb_advance(c, event.run, SLICE, &event);
    }
    MUST(status == CB_OK || status == CB_NO_MEMORY || status == CB_BAD_DATA ||
         status == CB_NOT_FOUND);
    uint32_t kind = status == CB_OK ? event.kind : CB_OUT_OF_MEMORY;
    MUST(cb_output(c, 0, &text, &length) == CB_OK);
    MUST(cb_output(c, 1, &text, &length) == CB_OK);
    cb_stats stats = {.size = sizeof stats};
    MUST(cb_stats_get(c, &stats) == CB_OK && stats.used <= stats.limit);
    return kind;
}

static cb_budget budget_of(struct fuzz_limits limits)
{
    return (cb_budget){.size = sizeof(cb_budget),
                       .written = 1,
                       .fuel = limits.fuel,
                       .output = 1 << 16,
                       .slice = SLICE};
}

uint32_t fuzz_eval(cb_context *c, const char *text, size_t size, struct fuzz_limits limits)
{
    cb_budget budget = budget_of(limits);
    return finish(c, cb_run_source(c, text, size, "fuzz", 4, &budget, &event));
}

uint32_t fuzz_apply(cb_context *c, const char *name, const uint8_t *arguments, size_t size,
                    struct fuzz_limits limits)
{
    uint8_t target[64] = {0xc7, (uint8_t)strlen(name), 1};
    cb_budget budget = budget_of(limits);
    memcpy(target + 3, name, strlen(name));
    return finish(c, cb_run_apply(c, target, strlen(name) + 3, arguments, size, &budget, &event));
}

#ifdef FUZZ_REPLAY
static size_t replayed;

static void replay(const char *path)
{
    struct stat what;
    if (stat(path, &what) != 0)
        return;
    if (S_ISDIR(what.st_mode)) {
        DIR *folder = opendir(path);
        struct dirent *entry;
        char inner[4096];
        while (folder && (entry = readdir(folder)) != NULL)
            if (entry->d_name[0] != '.' &&
                snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) < (int)sizeof inner)
                replay(inner);
        if (folder)
            closedir(folder);
        return;
    }
    size_t size;
    uint8_t *bytes = read_file(path, &size);
    if (getenv("FUZZ_VERBOSE"))
        fprintf(stderr, "%s\n", path);
    fuzz_one(bytes, size);
    free(bytes);
    replayed++;
}

int main(int count, char **arguments)
{
    fuzz_one((const uint8_t *)"", 0);
    for (int i = 1; i < count; i++)
        replay(arguments[i]);
    fuzz_shared((struct fuzz_limits){1 << 20, 0}, true);
    printf("%zu inputs replayed\n", replayed);
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_one(data, size);
    return 0;
}
#endif
