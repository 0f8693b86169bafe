/* T1 chars: see chars.h. A code point's block number stands in char_index, its
 * record number in that block of char_blocks; records are few. Full mappings
 * that differ from the simple ones stand in char_specials, in order. */
#include "chars.h"

struct char_record {
    uint16_t flags;
    uint8_t digit;
    int32_t upper, lower, fold; /* to be added */
};

struct char_special {
    uint32_t code;
    uint32_t map[3][CHAR_EXPANSION]; /* upper, lower, fold; 0 ends */
};

#include "chars_table.inc"

/* as in gen_unicode.py */
enum {
    ALPHABETIC = 1,
    UPPER = 2,
    LOWER = 4,
    SPACE = 8,
    DIGIT = 16,
    PRINT = 32,
    CASED = 64,
    IGNORABLE = 128,
    SPECIAL = 256
};

enum mapping { MAP_UPPER, MAP_LOWER, MAP_FOLD };

#define BLOCK 128u

static const struct char_record *record_of(uint32_t c)
{
    if (c >= BLOCK * ARRAY_LENGTH(char_index))
        return &char_records[char_blocks[(size_t)char_index[0xD800 / BLOCK] * BLOCK]];
    return &char_records[char_blocks[(size_t)char_index[c / BLOCK] * BLOCK + c % BLOCK]];
}

static bool has(uint32_t c, unsigned flag)
{
    return (record_of(c)->flags & flag) != 0;
}

bool char_is_alphabetic(uint32_t c)
{
    return has(c, ALPHABETIC);
}

bool char_is_upper(uint32_t c)
{
    return has(c, UPPER);
}

bool char_is_lower(uint32_t c)
{
    return has(c, LOWER);
}

bool char_is_whitespace(uint32_t c)
{
    return has(c, SPACE);
}

bool char_is_numeric(uint32_t c)
{
    return has(c, DIGIT);
}

bool char_is_printable(uint32_t c)
{
    return has(c, PRINT);
}

bool char_is_cased(uint32_t c)
{
    return has(c, CASED);
}

bool char_is_case_ignorable(uint32_t c)
{
    return has(c, IGNORABLE);
}

int char_digit(uint32_t c)
{
    const struct char_record *r = record_of(c);
    return r->flags & DIGIT ? r->digit : -1;
}

static uint32_t shifted(uint32_t c, int32_t delta)
{
    return (uint32_t)((int64_t)c + delta);
}

uint32_t char_upcase(uint32_t c)
{
    return shifted(c, record_of(c)->upper);
}

uint32_t char_downcase(uint32_t c)
{
    return shifted(c, record_of(c)->lower);
}

uint32_t char_foldcase(uint32_t c)
{
    return shifted(c, record_of(c)->fold);
}

static const struct char_special *special_of(uint32_t c)
{
    size_t low = 0, high = ARRAY_LENGTH(char_specials);
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (char_specials[middle].code <= c)
            low = middle;
        else
            high = middle;
    }
    return &char_specials[low];
}

static size_t full(uint32_t c, enum mapping mapping, uint32_t out[CHAR_EXPANSION])
{
    const struct char_record *r = record_of(c);
    if (LIKELY(!(r->flags & SPECIAL))) {
        int32_t delta = mapping == MAP_UPPER ? r->upper : mapping == MAP_LOWER ? r->lower : r->fold;
        out[0] = shifted(c, delta);
        return 1;
    }
    const uint32_t *map = special_of(c)->map[mapping];
    size_t n = 0;
    while (n < CHAR_EXPANSION && map[n] != 0) {
        out[n] = map[n];
        n++;
    }
    return n;
}

size_t char_full_upcase(uint32_t c, uint32_t out[CHAR_EXPANSION])
{
    return full(c, MAP_UPPER, out);
}

size_t char_full_downcase(uint32_t c, uint32_t out[CHAR_EXPANSION])
{
    return full(c, MAP_LOWER, out);
}

size_t char_full_foldcase(uint32_t c, uint32_t out[CHAR_EXPANSION])
{
    return full(c, MAP_FOLD, out);
}

/* The first name of a code point is the one that is written. */
static const struct {
    const char *name;
    uint32_t code;
} names[] = {
    {"space", ' '},     {"newline", '\n'}, {"tab", '\t'},     {"return", '\r'},
    {"null", 0},        {"alarm", 7},      {"backspace", 8},  {"escape", 0x1B},
    {"delete", 0x7F},   {"nul", 0},        {"altmode", 0x1B}, {"esc", 0x1B},
    {"linefeed", '\n'}, {"page", '\f'},    {"rubout", 0x7F},  {"vtab", 0x0B},
};

int64_t char_by_name(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        if (strlen(names[i].name) == n && memcmp(names[i].name, name, n) == 0)
            return names[i].code;
    return -1;
}

const char *char_name(uint32_t c)
{
    if (c == '\f' || c == 0x0B)
        return NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        if (names[i].code == c)
            return names[i].name;
    return NULL;
}
