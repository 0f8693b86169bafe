/* T4 JSON, shared between json_parse.c and json_text.c only: the text that is read
 * and the place in it. */
#ifndef CB_JSON_INNER_H
#define CB_JSON_INNER_H

#include "json.h"

#define JSON_END UINT32_MAX

struct json_text {
    struct heap *h;
    const uint8_t *data;
    unsigned width;
    size_t at, end;
    val string;      /* what is read                                        */
    const char *who; /* for messages                                        */
    bool dry;        /* at its end more may come: answer DEFAULT_OBJECT     */
};

static inline uint32_t json_peek(const struct json_text *t)
{
    return t->at < t->end ? code_at(t->data, t->width, t->at) : JSON_END;
}

static inline void json_skip_space(struct json_text *t)
{
    for (; t->at < t->end; t->at++) {
        uint32_t c = code_at(t->data, t->width, t->at);
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
            return;
    }
}

/* RAISE with the place of t->at; DEFAULT_OBJECT where the end is only that of
 * what has come so far. */
MUST_USE val json_fail(struct json_text *t, const char *reason);
/* The string that begins behind t->at, which is a quote: a new mutable one. */
MUST_USE val json_string(struct json_text *t);
/* The same for a key. A short one that occurs again is a constant, made once: the
 * slots of `seen`, which belong to `owner`, hold keys that came lately. */
#define JSON_SEEN 32u
#define JSON_SHORT_KEY 48u
MUST_USE val json_key(struct json_text *t, val owner, val *seen);
/* The number that begins at t->at; `zero` is what "-0" means. */
MUST_USE val json_number(struct json_text *t, val minus_zero);
/* true, false or null at t->at; else RAISE that says what was to be written. */
MUST_USE val json_word(struct json_text *t);

#endif
