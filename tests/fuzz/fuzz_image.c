/* Images with damage that the checksum does not show: the input is a list of
 * patches (offset of three bytes, new byte) to a small image, whose checksum is
 * made right again, and a cut. Loading must be safe, and making a context of what
 * loads; running is out of scope. */
#include "harness.h"
#include "image_format.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *whole;
static size_t whole_length;

static void make_whole(void)
{
    static const char text[] = "(%set-top-environment! (%make-environment (%core-environment)))";
    cb_limits limits = {.size = sizeof limits, .memory = 8 << 20};
    cb_event event = {.size = sizeof event};
    cb_context *c = NULL;
    cb_image *image = NULL;
    char error[100];
    MUST(cb_context_new(fuzz_engine(), NULL, &limits, &c) == CB_OK);
    MUST(cb_boot_unit(c, text, sizeof text - 1, "t", 1, &event) == CB_OK && !event.run);
    static const char more[] =
        "(define l (list 1 2.5 \"abc\" 'sym #\\x (vector 1 2) 12345678901234567890 1/3))"
        "(define (f x) (let loop ((i 0)) (if (eq? i x) l (loop (cdr i)))))"
        "(define t (%make-table 'equal))"
        "(define k (cons 1 (%call/cc (lambda (c) c))))";
    MUST(cb_boot_unit(c, more, sizeof more - 1, "t", 1, &event) == CB_OK && !event.run);
    MUST(cb_image_make(c, &image, error, sizeof error) == CB_OK);
    MUST(cb_image_bytes(image, &whole, &whole_length) == CB_OK);
    cb_image_free(image);
    cb_context_free(c);
}

static void reseal(uint8_t *bytes, size_t length)
{
    struct image_header header;
    if (length < sizeof header + 8)
        return;
    memcpy(&header, bytes, sizeof header);
    header.length = length;
    memcpy(bytes, &header, sizeof header);
    uint64_t sum = image_checksum(bytes, length - 8);
    memcpy(bytes + length - 8, &sum, 8);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    char error[256];
    cb_image *image = NULL;
    if (!whole)
        make_whole();
    uint8_t *bytes = malloc(whole_length);
    if (!bytes || size < 2) {
        free(bytes);
        return;
    }
    memcpy(bytes, whole, whole_length);
    size_t length = whole_length;
    if (data[0] == 0xff)
        length = whole_length - size_min(whole_length, (size_t)data[1] * 8);
    for (size_t i = 2; i + 4 <= size; i += 4) {
        size_t at = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) % whole_length;
        bytes[at] = data[i + 3];
    }
    reseal(bytes, length);
    if (cb_image_load(fuzz_engine(), bytes, length, &image, error, sizeof error) == CB_OK) {
        cb_limits limits = {.size = sizeof limits, .memory = 8 << 20};
        cb_context *c = NULL;
        if (cb_context_new(fuzz_engine(), image, &limits, &c) == CB_OK)
            cb_context_free(c);
        cb_image_free(image);
    }
    free(bytes);
}
