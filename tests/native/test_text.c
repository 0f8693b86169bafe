/* Text: UTF-8, characters, strings, symbols, reader, printer, ports.
 *
 * Primitives are called as the VM calls them: RETRY collects and calls again,
 * STEP calls again (under stress with a collection between). Runs three times:
 * plain, with a collection at every step, with a tiny nursery all the time. */
#include "../../native/src/arena.h"
#include "../../native/src/chars.h"
#include "../../native/src/engine.h"
#include "../../native/src/num.h"
#include "../../native/src/pair.h"
#include "../../native/src/prim.h"
#include "../../native/src/printer.h"
#include "../../native/src/reader.h"
#include "../../native/src/symbol.h"
#include "../../native/src/syntax.h"
#include <stdio.h>
#include <stdlib.h>

static size_t passed, failed;
#undef CHECK
#define CHECK(x)                                                                                   \
    ((x) ? (void)passed++ : (void)(failed++, printf("%s:%d: %s\n", __FILE__, __LINE__, #x)))

static struct heap heap;
static struct heap *const h = &heap;
static struct engine *engine;
static val args[8], kept[8];
static bool stress;
static size_t steps;

static void trace_roots(void *owner, root_visitor *visit, void *collector)
{
    (void)owner;
    for (size_t i = 0; i < 8; i++) {
        visit(collector, &args[i]);
        visit(collector, &kept[i]);
    }
}

static void start(size_t limit)
{
    engine = engine_new();
    if (!heap_init(h, engine, limit))
        abort();
    h->afford = UINT64_MAX / 2;
    h->output_limit = 1 << 20;
    h->depth_max = 10000;
    for (size_t i = 0; i < 8; i++)
        args[i] = kept[i] = NIL;
    heap_owner_add(h, trace_roots, NULL);
}

static void stop(void)
{
    heap_free_all(h);
    CHECK(h->used == 0);
    engine_free(engine);
}

/* Call as the VM does. */
static val run(primitive_function *f, size_t n)
{
    h->step = FALSE;
    uint64_t paid = 0;
    for (size_t tries = 0;;) {
        h->charge = 0;
        val step = h->step;
        val v = f(h, args, n);
        if (is_eq(v, RETRY)) {
            h->step = step;
            if (++tries > 60 ||
                !heap_collect_gc(h, tries > 2 ? COLLECT_FULL : COLLECT_MINOR, h->wanted))
                return RETRY;
            continue;
        }
        tries = 0;
        paid += h->charge;
        if (!is_eq(v, STEP)) {
            h->step = FALSE;
            h->charge = paid;
            return v;
        }
        steps++;
        if (stress) {
            kept[7] = h->step;
            if (!heap_collect_gc(h, COLLECT_MINOR, 0))
                return RETRY;
        }
    }
}

static primitive_function *find(const char *name)
{
    for (size_t i = 0; i < primitive_count; i++)
        if (strcmp(primitive_table[i].name, name) == 0)
            return primitive_table[i].function;
    printf("no primitive %s\n", name);
    abort();
}

static val call(const char *name, size_t n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    for (size_t i = 0; i < n; i++)
        args[i] = __builtin_va_arg(list, val);
    __builtin_va_end(list);
    return run(find(name), n);
}

static val make_text(const char *text, size_t n)
{
    for (;;) {
        val s = string_from_utf8(h, text, n);
        if (!is_eq(s, RETRY))
            return s;
        if (!heap_collect_gc(h, COLLECT_MINOR, h->wanted))
            abort();
    }
}

static val str(const char *text)
{
    return make_text(text, strlen(text));
}

static val port_on(const char *text)
{
    return call("open-input-string", 1, str(text));
}

static val read_text(const char *text)
{
    return call("%read", 1, port_on(text));
}

static char out[1 << 16];

static const char *contents(val port)
{
    val s = call("get-output-string", 1, port);
    size_t n = string_utf8_length(s);
    if (n >= sizeof out)
        n = 0;
    else
        string_store_utf8(s, out);
    out[n] = 0;
    return out;
}

static const char *written(const char *how, val v)
{
    kept[0] = v;
    kept[1] = call("open-output-string", 0);
    val r = call(how, 2, kept[0], kept[1]);
    if (!is_eq(r, UNSPECIFIED))
        return is_eq(r, LIMIT) ? "LIMIT" : "FAILED";
    return contents(kept[1]);
}

static const char *error_text(void)
{
    static char text[600];
    val m = object_field(h->raised, CONDITION_MESSAGE),
        p = object_field(h->raised, CONDITION_POSITION);
    char message[500] = "";
    if (string_utf8_length(m) < sizeof message) {
        string_store_utf8(m, message);
        message[string_utf8_length(m)] = 0;
    }
    if (is_vector(p))
        snprintf(text, sizeof text, "%d:%d %s", (int)fixnum_value(object_field(p, 1)),
                 (int)fixnum_value(object_field(p, 2)), message);
    else
        snprintf(text, sizeof text, "%s", message);
    return text;
}

static const char *hint_text(void)
{
    static char text[600];
    val s = object_field(h->raised, CONDITION_HINT);
    size_t n = is_string(s) ? string_utf8_length(s) : 0;
    if (n)
        string_store_utf8(s, text);
    text[n] = 0;
    return text;
}

static bool same(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    printf("  got      %.300s\n  expected %.300s\n", a, b);
    return false;
}

/* -- UTF-8 and characters ----------------------------------------------------------- */

static void test_utf8(void)
{
    static const char *const bad[] = {
        "\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
        "\xC3", "\xE2\x82", "\xFF",         "a\xC3(",       "\xF5\x80\x80\x80"};
    size_t chars = 0, where = 0;
    uint32_t widest = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
        CHECK(!utf8_scan((const uint8_t *)bad[i], strlen(bad[i]), &chars, &widest, &where));
    CHECK(where == 0);
    for (uint32_t c = 0; c <= CODE_POINT_MAX; c++) {
        char text[4];
        uint32_t back = 0;
        if (!is_scalar_value(c))
            continue;
        size_t n = utf8_encode(c, text);
        if (n != utf8_size(c) || utf8_decode((const uint8_t *)text, n, &back) != n || back != c ||
            utf8_decode((const uint8_t *)text, n - 1, &back) != 0) {
            CHECK(false);
            return;
        }
    }
    CHECK(is_eq(string_from_utf8(h, "ab\xC3", 3), RAISE));
    CHECK(same(error_text(), "invalid UTF-8 at byte 2"));
}

static void test_chars(void)
{
    CHECK(char_is_alphabetic(0xAA) && char_is_lower(0xAA) && char_is_lower(0xDF));
    CHECK(!char_is_upper(0x1C5) && !char_is_lower(0x1C5) && char_is_alphabetic(0x1C5));
    CHECK(char_is_upper(0x2160) && char_is_lower(0x2170) && char_is_alphabetic(0x345));
    CHECK(char_digit(0x664) == 4 && char_digit('a') == -1 && char_is_numeric(0x664));
    CHECK(!char_is_numeric(0xB2) && char_digit(0x1D7FF) == 9);
    CHECK(char_is_whitespace(0xA0) && char_is_whitespace(0x3000) && !char_is_whitespace(0x200B));
    CHECK(char_upcase('a') == 'A' && char_upcase(0xDF) == 0xDF && char_downcase(0x130) == 'i');
    CHECK(char_upcase(0x1F80) == 0x1F88 && char_foldcase(0x1E9E) == 0xDF &&
          char_foldcase(0x3C2) == 0x3C3);
    CHECK(char_upcase(0x1D11E) == 0x1D11E && char_downcase(0x10400) == 0x10428);
    CHECK(char_upcase(0xFFFFFFFF) == 0xFFFFFFFF && !char_is_alphabetic(0x110000));
    CHECK(same(written("%write", call("string-upcase", 1, str("Gau\xC3\x9F"))), "\"GAUSS\""));
    CHECK(same(written("%write", call("string-foldcase", 1, str("Ma\xC3\x9F"))), "\"mass\""));
    CHECK(
        same(written("%display", call("string-downcase", 1,
                                      str("\xCE\xA3\xCE\x91\xCE\xA3 \xCE\xA3 \xCE\x91\xCE\xA3'"))),
             "\xCF\x83\xCE\xB1\xCF\x82 \xCF\x83 \xCE\xB1\xCF\x82'"));
    CHECK(same(written("%display", call("string-upcase", 1, str("\xEF\xAC\x83"))), "FFI"));
    CHECK(is_true(call("string-ci=?", 2,
                       str("Stra\xC3\x9F"
                           "e"),
                       str("STRASSE"))));
    CHECK(!is_true(call("string-ci=?", 2, str("Stra\xC3\x9F"), str("STRASSE"))));
    CHECK(is_true(call("string-ci<?", 3, str("a"), str("B"), str("c"))));
    CHECK(is_eq(call("integer->char", 1, fixnum(0xD800)), RAISE));
    CHECK(is_eq(call("integer->char", 1, fixnum(0x110000)), RAISE));
    CHECK(is_true(call("char-ci=?", 3, char_value('a'), char_value('A'), char_value('a'))));
    CHECK(is_eq(call("char<?", 3, char_value('b'), char_value('a'), fixnum(1)), RAISE));
}

/* -- strings -------------------------------------------------------------------------- */

static void test_strings(void)
{
    kept[2] = str("abc");
    CHECK(string_width(kept[2]) == 0 && string_length(kept[2]) == 3);
    CHECK(is_eq(call("string-set!", 3, kept[2], fixnum(1), char_value(0x3BB)), UNSPECIFIED));
    CHECK(string_width(kept[2]) == 1 && string_ref(kept[2], 1) == 0x3BB &&
          string_ref(kept[2], 2) == 'c');
    CHECK(is_eq(call("string-set!", 3, kept[2], fixnum(0), char_value(0x1D11E)), UNSPECIFIED));
    CHECK(string_width(kept[2]) == 2 && string_ref(kept[2], 1) == 0x3BB);
    CHECK(same(written("%display", kept[2]), "\xF0\x9D\x84\x9E\xCE\xBB"
                                             "c"));
    CHECK(is_eq(call("string-set!", 3, kept[2], fixnum(3), char_value('x')), RAISE));
    kept[3] = call("substring", 3, kept[2], fixnum(2), fixnum(3));
    CHECK(string_width(kept[3]) == 0);
    kept[4] = call("string-copy", 1, kept[2]);
    CHECK(string_equal(kept[2], kept[4]));
    call("string-set!", 3, kept[4], fixnum(0), char_value('a'));
    CHECK(string_compare(kept[4], kept[2]) < 0);
    val wide = call("string-copy", 2, kept[4], fixnum(0));
    call("string-set!", 3, wide, fixnum(1), char_value('b'));
    kept[5] = call("string-copy", 1, args[0]);
    CHECK(string_width(kept[5]) == 0 && string_equal(kept[5], str("abc")) &&
          string_hash(kept[5]) == string_hash(str("abc")));
    kept[5] = str("abcdef");
    call("string-copy!", 5, kept[5], fixnum(2), kept[5], fixnum(0), fixnum(4));
    CHECK(same(written("%display", kept[5]), "ababcd"));
    CHECK(is_eq(call("string-copy!", 3, kept[5], fixnum(5), str("ab")), RAISE));
    CHECK(is_eq(call("string-copy!", 3, str("ab"), fixnum(1), str("\xCE\xBB")), UNSPECIFIED));
    CHECK(same(written("%write", args[0]), "\"a\xCE\xBB\""));
    CHECK(same(
        written("%write", call("string-append", 3, str("a\\\"\n"), str("\xCE\xBB"), str("\x01"))),
        "\"a\\\\\\\"\\n\xCE\xBB\\x1;\""));
    CHECK(is_eq(call("string-set!", 3, symbol_name(symbol_intern_ascii(h, "abc")), fixnum(0),
                     char_value('x')),
                RAISE));
    CHECK(object_field(h->raised, CONDITION_KIND).bits == fixnum(CONDITION_CONSTANT).bits);
    CHECK(is_eq(call("make-string", 1, fixnum(FIXNUM_MAX)), RAISE));
    CHECK(is_eq(call("make-string", 1, fixnum((int64_t)1 << 40)), RETRY));
    CHECK(same(written("%display", call("make-string", 2, fixnum(3), char_value('x'))), "xxx"));
    CHECK(same(written("%write", call("string->list", 3, str("abcd"), fixnum(1), fixnum(3))),
               "(#\\b #\\c)"));
    CHECK(same(written("%write", call("string->vector", 1, str("ab"))), "#(#\\a #\\b)"));
    CHECK(same(written("%write", call("list->string", 1, read_text("(#\\a #\\x3bb)"))),
               "\"a\xCE\xBB\""));
    CHECK(is_eq(call("list->string", 1, read_text("(#\\a . b)")), RAISE));
    CHECK(is_eq(call("list->string", 1, read_text("#0=(#\\a . #0#)")), RAISE));
    CHECK(is_eq(call("list->string", 1, read_text("(1)")), RAISE));
    CHECK(
        is_eq(call("%string-search-forward", 3, str("aab"), str("aaaaab"), fixnum(0)), fixnum(3)));
    CHECK(is_eq(call("%string-search-forward", 3, str("b"), str("aba\xCE\xBB"), fixnum(2)), FALSE));
    CHECK(is_eq(call("%string-index-char", 3, str("ab\xCE\xBB"), char_value(0x3BB), fixnum(0)),
                fixnum(2)));
    CHECK(is_true(call("string<?", 3, str("a"), str("ab"), str("b"))));
    CHECK(is_eq(call("string<?", 2, str("a"), fixnum(1)), RAISE));
    kept[2] = call("make-string", 2, fixnum(100000), char_value(0x3BB));
    kept[3] = call("string->list", 1, kept[2]);
    size_t n = 0;
    for (val l = kept[3]; is_pair(l); l = cdr(l))
        n += is_eq(car(l), char_value(0x3BB));
    CHECK(n == 100000);
    kept[4] = call("list->string", 1, kept[3]);
    CHECK(string_equal(kept[4], kept[2]));
}

static void test_symbols(void)
{
    val a = symbol_intern_ascii(h, "hello");
    CHECK(is_eq(a, call("string->symbol", 1, str("hello"))));
    CHECK(is_eq(symbol_find_utf8(h, "hello", 5), a) &&
          is_eq(symbol_find_utf8(h, "never", 5), HOLE));
    kept[2] = call("string->symbol", 1, str("\xCE\xBB"));
    CHECK(is_eq(symbol_find_utf8(h, "\xCE\xBB", 2), kept[2]));
    kept[3] = call("string->uninterned-symbol", 1, str("hello"));
    CHECK(!is_eq(kept[3], a) && !symbol_is_interned(kept[3]));
    char name[32];
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "sym%d", i);
        call("string->symbol", 1, str(name));
    }
    a = symbol_find_utf8(h, "sym4999", 7);
    CHECK(is_symbol(a) &&
          is_eq(call("string->symbol", 1, str("sym4999")), symbol_find_utf8(h, "sym4999", 7)));
    CHECK(is_symbol(call("generate-uninterned-symbol", 0)));
    CHECK(is_true(call("symbol=?", 2, symbol_intern_ascii(h, "x"), symbol_intern_ascii(h, "x"))));
}

/* -- reading and writing ----------------------------------------------------------------- */

static void test_round_trip(void)
{
    static const char *const rows[][2] = {
        {"#\\;", "#\\;"},
        {"+.!", "+.!"},
        {"->foo", "->foo"},
        {"...", "..."},
        {"1+", "1+"},
        {"-", "-"},
        {"|foo bar|", "|foo bar|"},
        {"||", "||"},
        {"|1|", "|1|"},
        {"|a\\x41;\\|b|", "|aA\\|b|"},
        {"Abc", "Abc"},
        {"|+i|", "|+i|"},
        {"|.|", "|.|"},
        {"|#a|", "|#a|"},
        {"a#b", "a#b"},
        {"(a . (b . (c . d)))", "(a b c . d)"},
        {"(1 2.5 1/2 -3 100000000000000000000)", "(1 2.5 1/2 -3 100000000000000000000)"},
        {"#xFF", "255"},
        {"#e1.5", "3/2"},
        {"#(1 #(2) ())", "#(1 #(2) ())"},
        {"#u8(0 255 #x10)", "#u8(0 255 16)"},
        {"#U8()", "#u8()"},
        {"#()", "#()"},
        {"()", "()"},
        {"#;(a b) #|x #|nested|# y|# 7", "7"},
        {"(1 #;2 3 #;4)", "(1 3)"},
        {"(1 . #;2 3)", "(1 . 3)"},
        {"#;#;1 2 3", "3"},
        {"'a", "(quote a)"},
        {"`(a ,b ,@c)", "(quasiquote (a (unquote b) (unquote-splicing c)))"},
        {"\"a\\   \n     b\"", "\"ab\""},
        {"\"a\\\n b\\x41;\\t\"", "\"abA\\t\""},
        {"\"a\r\nb\"", "\"a\\nb\""},
        {"#true", "#t"},
        {"(#f #false #T)", "(#f #f #t)"},
        {"#!fold-case ABC", "abc"},
        {"(#!fold-case ABC #\\SPACE #!no-fold-case ABC)", "(abc #\\space ABC)"},
        {"(#\\a #\\space #\\x #\\x41 #\\nul #\\null #\\( #\\) #\\x3bb #\\delete #\\altmode)",
         "(#\\a #\\space #\\x #\\A #\\null #\\null #\\( #\\) \xCE\xBB #\\delete #\\escape)"},
        {"#\\x1f", "#\\x1f"},
        {"#\\\xCE\xBB", "#\\\xCE\xBB"},
        {"\xCE\xBB", "\xCE\xBB"},
        {"|a\\nb|", "|a\\nb|"},
        {"#0=(a . #0#)", "#0=(a . #0#)"},
        {"#0=#(1 #0# #0#)", "#0=#(1 #0# #0#)"},
        {"#5=(a #5# . #5#)", "#0=(a #0# . #0#)"},
        {"(#1=(a b) #1#)", "((a b) (a b))"},
        {"#0=(#1=(b #0# #1#) #1#)", "#0=(#1=(b #0# #1#) #1#)"},
        {"#0='(a #0#)", "#0=(quote (a #0#))"},
        {"#0=#1=(x #0# #1#)", "#0=(x #0# #0#)"},
        {"#0=(1 2 . #0#)", "#0=(1 2 . #0#)"},
        {"(x . #0=(1 2 . #0#))", "(x . #0=(1 2 . #0#))"},
        {"#0=#(#1=#(#0# #1#) #1#)", "#0=#(#1=#(#0# #1#) #1#)"},
        {"(a'b)", "(a (quote b))"},
        {"#!/usr/bin/scheme\n5", "5"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        val v = read_text(rows[i][0]);
        if (is_control(v)) {
            printf("%s: %s\n", rows[i][0], is_eq(v, RAISE) ? error_text() : "control");
            CHECK(false);
            continue;
        }
        const char *expected = rows[i][1];
        char buffer[128];
        const char *lambda = strstr(expected, ") \xCE\xBB #");
        if (lambda != NULL) {
            size_t k = (size_t)(lambda - expected) + 2;
            snprintf(buffer, sizeof buffer, "%.*s#\\%s", (int)k, expected, expected + k);
            expected = buffer;
        }
        CHECK(same(written("%write", v), expected));
    }
}

static void test_read_errors(void)
{
    static const char *const rows[][2] = {
        {"'", "1:1 the text ends where a datum was to follow"},
        {"\"abc", "1:1 string that begins here is not closed"},
        {"#| never closed z", "1:1 block comment that begins here is not closed"},
        {"(#t1)", "1:2 unknown syntax #t1"},
        {"#\\xD800", "1:1 #\\xD800 is no Unicode character"},
        {"(1 #;)", "1:4 no datum behind #;"},
        {"#;", "1:1 no datum behind #;"},
        {")", "1:1 closing parenthesis without an opening one"},
        {"(a (b)", "1:1 the text ends inside the parenthesis opened here"},
        {"( . a)", "1:3 no datum before the dot of a list"},
        {"(a . )", "1:6 no datum behind the dot of a list"},
        {"(a . b c)", "1:1 more than one datum behind the dot of this list"},
        {"(a . b . c)", "1:8 a second dot in a list"},
        {".", "1:1 a dot outside a list"},
        {"#(a . b)", "1:5 a dot outside a list"},
        {"\n [a]", "2:2 `[` is not used in R7RS Scheme"},
        {"#lang racket", "1:1 #lang belongs to Racket"},
        {"#:key", "1:1 #: is not used in R7RS Scheme"},
        {"#u8(256)", "1:1 a bytevector has exact integers from 0 to 255 only"},
        {"#u8 (1)", "1:1 unknown syntax #u8"},
        {"#xZZ", "1:1 bad number #xZZ"},
        {"\"\\q\"", "1:2 unknown escape \\q"},
        {"\"\\x41\"", "1:2 bad \\x escape"},
        {"\"\\xD800;\"", "1:2 the \\x escape is no Unicode character"},
        {"#\\foo", "1:1 bad character #\\foo"},
        {"#0#", "1:1 datum label #0# is not defined"},
        {"#0=#0#", "1:1 a datum label stands for itself"},
        {"(#0=a #0=b)", "1:7 datum label #0= is defined twice"},
        {"|abc", "1:1 symbol that begins here with | is not closed"},
        {"#<foo>", "1:1 #<...> cannot be read"},
        {"#!wrong", "1:1 unknown directive #!wrong"},
        {"#", "1:1 the text ends behind #"},
        {"(')", "1:2 no datum between this and the closing parenthesis"},
        {"#99999999999=a", "1:1 the number of this datum label is too large"},
        {"\x01", "1:1 control character 1 in the text"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        val v = read_text(rows[i][0]);
        CHECK(is_eq(v, RAISE));
        if (is_eq(v, RAISE)) {
            CHECK(same(error_text(), rows[i][1]));
            CHECK(is_eq(object_field(h->raised, CONDITION_KIND), fixnum(CONDITION_READ)));
        } else {
            printf("  %s was read\n", rows[i][0]);
        }
    }
}

static void test_ports(void)
{
    kept[2] = port_on("ab cd");
    CHECK(is_eq(call("%peek-char", 1, kept[2]), char_value('a')));
    CHECK(same(written("%write", call("%read", 1, kept[2])), "ab"));
    CHECK(is_eq(call("%read-char", 1, kept[2]), char_value(' ')));
    CHECK(same(written("%write", call("%read", 1, kept[2])), "cd"));
    CHECK(is_eq(call("%read", 1, kept[2]), EOF_OBJECT) &&
          is_eq(call("%read-char", 1, kept[2]), EOF_OBJECT));
    kept[2] = port_on("abc\n\ndef\r\nx\ry");
    CHECK(same(written("%write", call("%read-line", 1, kept[2])), "\"abc\""));
    CHECK(same(written("%write", call("%read-line", 1, kept[2])), "\"\""));
    CHECK(same(written("%write", call("%read-string", 2, fixnum(2), kept[2])), "\"de\""));
    CHECK(same(written("%write", call("%read-line", 1, kept[2])), "\"f\""));
    CHECK(same(written("%write", call("%read-line", 1, kept[2])), "\"x\""));
    CHECK(same(written("%write", call("%read-string", 2, fixnum(9), kept[2])), "\"y\""));
    CHECK(is_eq(call("%read-string", 2, fixnum(1), kept[2]), EOF_OBJECT));
    CHECK(same(written("%write", call("%read-string", 2, fixnum(0), kept[2])), "\"\""));
    call("close-port", 1, kept[2]);
    CHECK(is_eq(call("%read-char", 1, kept[2]), RAISE) &&
          is_eq(call("input-port-open?", 1, kept[2]), FALSE));
    kept[2] = call("open-input-bytevector", 1, read_text("#u8(1 2 9)"));
    CHECK(is_eq(call("%peek-u8", 1, kept[2]), fixnum(1)) &&
          is_eq(call("%read-u8", 1, kept[2]), fixnum(1)));
    CHECK(same(written("%write", call("%read-bytevector", 2, fixnum(1000000000), kept[2])),
               "#u8(2 9)"));
    CHECK(is_eq(call("%read-u8", 1, kept[2]), EOF_OBJECT) &&
          is_true(call("%u8-ready?", 1, kept[2])));
    CHECK(is_eq(call("%read-char", 1, kept[2]), RAISE));
    kept[2] = call("open-output-bytevector", 0);
    call("%write-u8", 2, fixnum(7), kept[2]);
    call("%write-bytevector", 3, read_text("#u8(1 2 3)"), kept[2], fixnum(1));
    args[1] = kept[2];
    CHECK(is_eq(call("%write-bytevector", 3, read_text("#u8(1 2 3)"), kept[2], fixnum(1)),
                UNSPECIFIED));
    CHECK(same(written("%write", call("get-output-bytevector", 1, kept[2])), "#u8(7 2 3 2 3)"));
    CHECK(is_eq(call("%write-char", 2, char_value('x'), kept[2]), RAISE));
    kept[2] = call("open-output-string", 0);
    call("%write", 2, symbol_intern_ascii(h, "a"), kept[2]);
    CHECK(same(contents(kept[2]), "a"));
    call("%write-string", 4, str("x\xCE\xBBy\xCE\xBC"), kept[2], fixnum(1), fixnum(3));
    call("%newline", 1, kept[2]);
    CHECK(same(contents(kept[2]), "a\xCE\xBBy\n"));
    CHECK(string_length(call("get-output-string", 1, kept[2])) == 4);
}

static void test_host_port(void)
{
    kept[2] = call("%make-host-input-port", 3, FALSE, FALSE, fixnum(7));
    CHECK(is_eq(call("%read-char", 1, kept[2]), DEFAULT_OBJECT));
    call("%port-feed!", 2, kept[2], str("(ab c"));
    CHECK(is_eq(call("%read", 1, kept[2]), DEFAULT_OBJECT));
    CHECK(is_eq(call("%read-line", 1, kept[2]), DEFAULT_OBJECT));
    call("%port-feed!", 2, kept[2], str("d) x\xCE\xBB"));
    CHECK(same(written("%write", call("%read", 1, kept[2])), "(ab cd)"));
    CHECK(is_eq(call("%read", 1, kept[2]), DEFAULT_OBJECT));
    CHECK(is_eq(call("%read-string", 2, fixnum(4), kept[2]), DEFAULT_OBJECT));
    call("%port-feed!", 2, kept[2], FALSE);
    CHECK(same(written("%write", call("%read", 1, kept[2])), "x\xCE\xBB"));
    CHECK(is_eq(call("%read", 1, kept[2]), EOF_OBJECT));
}

static void test_console(void)
{
    kept[2] = call("%console-port", 1, fixnum(0));
    h->output_limit = h->output_used + 10;
    call("%write-string", 2, str("abc"), kept[2]);
    call("%write", 2, fixnum(-42), kept[2]);
    CHECK(h->console[0].length >= 6 &&
          memcmp(h->console[0].data + h->console[0].length - 6, "abc-42", 6) == 0);
    CHECK(is_eq(call("%write-string", 2, str("xyz\xCE\xBB\xCE\xBB"), kept[2]), LIMIT));
    CHECK(h->limit_reason == LIMIT_OUTPUT);
    CHECK(h->console[0].length == 9 && memcmp(h->console[0].data, "abc-42xyz", 9) == 0);
    heap_mfree(h, h->console[0].data, h->console[0].capacity);
    memset(&h->console[0], 0, sizeof h->console[0]);
    h->output_limit = h->output_used + 1000;
    val text = call("make-string", 2, fixnum(100000), char_value('x'));
    CHECK(is_eq(call("%display", 2, text, kept[2]), LIMIT) && h->console[0].length == 1000);
    h->output_limit = UINT64_MAX;
    CHECK(is_eq(call("%read-char", 1, call("%console-port", 1, fixnum(2))), EOF_OBJECT));
    kept[2] = call("%console-port", 1, fixnum(0));
    size_t before = h->console[0].length;
    kept[3] = call("string->list", 1, call("make-string", 2, fixnum(20000), char_value('y')));
    CHECK(is_eq(call("%write", 2, kept[3], kept[2]), UNSPECIFIED));
    CHECK(h->console[0].length - before == 20000 * 4 + 1);
    heap_mfree(h, h->console[0].data, h->console[0].capacity);
    memset(&h->console[0], 0, sizeof h->console[0]);
}

static void test_printer(void)
{
    val shared = read_text("(#1=(1) #1#)");
    kept[2] = shared;
    CHECK(same(written("%write", kept[2]), "((1) (1))"));
    CHECK(same(written("%write-shared", kept[2]), "(#0=(1) #0#)"));
    CHECK(same(written("%write-simple", kept[2]), "((1) (1))"));
    CHECK(same(written("%display", read_text("(\"a\" #\\b |c d|)")), "(a b c d)"));
    CHECK(same(written("%display", read_text("#0=(\"a\" . #0#)")), "#0=(a . #0#)"));
    CHECK(same(written("%write", EOF_OBJECT), "#<eof>") &&
          same(written("%write", UNSPECIFIED), "#<unspecified>"));
    CHECK(same(written("%write", DEFAULT_OBJECT), "#!default"));
    CHECK(same(written("%write", fixnum(FIXNUM_MIN)), "-1152921504606846976"));
    CHECK(same(written("%write", call("%console-port", 1, fixnum(0))), "#<port>"));
    val c = raise_type(h, 0, "pair", fixnum(5));
    CHECK(is_eq(c, RAISE));
    CHECK(
        same(written("%write", h->raised), "#<condition wrong-type: argument 1: expected pair 5>"));
    char brief[32];
    size_t n =
        printer_brief(h, read_text("(aaaaaaaaaaaa bbbbbbbbbbbbbbbb ccccccccccccccc)"), brief, 31);
    brief[n] = 0;
    CHECK(same(brief, "(aaaaaaaaaaaa bbbbbbbbbbbbbb..."));
}

static bool collect_soon(void)
{
    return heap_collect_gc(h, COLLECT_MINOR, h->wanted);
}

static val cons_soon(val a, val d)
{
    kept[5] = a;
    kept[6] = d;
    for (;;) {
        val p = cons(h, kept[5], kept[6]);
        if (!is_eq(p, RETRY))
            return p;
        if (!collect_soon())
            abort();
    }
}

/* A port's text without a copy. */
static size_t port_text(val port, const uint8_t **text)
{
    *text = object_bytes(object_field(port, PORT_CONTENT));
    return (size_t)object_raw(port)[PORT_POSITION];
}

static void test_large(size_t count)
{
    kept[2] = NIL;
    for (size_t i = 0; i < count; i++)
        kept[2] = cons_soon(fixnum((int64_t)(i % 10)), kept[2]);
    kept[3] = call("open-output-string", 0);
    CHECK(is_eq(call("%write", 2, kept[2], kept[3]), UNSPECIFIED));
    const uint8_t *text;
    CHECK(port_text(kept[3], &text) == 2 * count + 1 && text[0] == '(' && text[2 * count] == ')');
    kept[2] = call("get-output-string", 1, kept[3]);
    kept[2] = call("open-input-string", 1, kept[2]);
    kept[2] = call("%read", 1, kept[2]);
    size_t n = 0;
    for (val l = kept[2]; is_pair(l); l = cdr(l))
        n++;
    CHECK(n == count);
    kept[2] = NIL; /* nested */
    for (size_t i = 0; i < count; i++)
        kept[2] = cons_soon(kept[2], NIL);
    kept[3] = call("open-output-string", 0);
    CHECK(is_eq(call("%write", 2, kept[2], kept[3]), UNSPECIFIED));
    CHECK(port_text(kept[3], &text) == 2 * count + 2);
    kept[2] = NIL;
    kept[2] = call("get-output-string", 1, kept[3]);
    kept[3] = NIL;
    kept[2] = call("open-input-string", 1, kept[2]);
    kept[2] = call("%read", 1, kept[2]);
    n = 0;
    for (val l = kept[2]; is_pair(l); l = car(l))
        n++;
    CHECK(n == count);
}

static void test_large_cycles(void)
{
    kept[2] = kept[3] = cons_soon(fixnum(0), NIL);
    for (size_t i = 1; i < 20000; i++)
        kept[2] = cons_soon(fixnum((int64_t)(i % 10)), kept[2]);
    heap_store(h, kept[3], &pair_words(kept[3])[1], kept[2]);
    kept[4] = call("open-output-string", 0);
    CHECK(is_eq(call("%write", 2, kept[2], kept[4]), UNSPECIFIED));
    const uint8_t *text;
    size_t n = port_text(kept[4], &text);
    CHECK(n == 20000 * 2 - 1 + 4 + 7 && memcmp(text, "#0=(9 8", 7) == 0 &&
          memcmp(text + n - 7, " . #0#)", 7) == 0);
    kept[2] = NIL; /* many shared ones */
    for (size_t i = 0; i < 20000; i++) {
        kept[3] = cons_soon(fixnum(1), NIL);
        kept[2] = cons_soon(kept[3], kept[2]);
        kept[2] = cons_soon(kept[3], kept[2]);
    }
    kept[4] = call("open-output-string", 0);
    steps = 0;
    CHECK(is_eq(call("%write-shared", 2, kept[2], kept[4]), UNSPECIFIED));
    n = port_text(kept[4], &text);
    CHECK(memcmp(text, "(#0=(1) #0# #1=(1) #1# ", 23) == 0 &&
          memcmp(text + n - 20, "#19999=(1) #19999#)", 19) != 0);
    CHECK(memcmp(text + n - 19, "#19999=(1) #19999#)", 19) == 0 && steps > 10);
    kept[2] = NIL; /* a DAG of 2^40 paths: stopped by the output's size */
    for (size_t i = 0; i < 40; i++)
        kept[2] = cons_soon(kept[2], kept[2]);
    h->output_limit = h->output_used + 100000;
    CHECK(is_eq(call("%write", 2, kept[2], call("%console-port", 1, fixnum(0))), LIMIT));
    h->output_limit = UINT64_MAX;
    heap_mfree(h, h->console[0].data, h->console[0].capacity);
    memset(&h->console[0], 0, sizeof h->console[0]);
    CHECK(strlen(written("%write-shared", kept[2])) > 100);
}

/* -- program text ----------------------------------------------------------------------------- */

static val parse(const char *text, struct arena *a, struct syntax ***forms, size_t *count)
{
    for (int i = 0; i < 20; i++) {
        arena_init(a, h);
        h->charge = 0;
        kept[0] = str(text);
        val r = syntax_read(h, a, kept[0], FALSE, forms, count);
        if (!is_eq(r, RETRY))
            return r;
        arena_drop(a);
        if (!heap_collect_gc(h, COLLECT_FULL, h->wanted))
            abort();
    }
    return RETRY;
}

static void test_syntax(void)
{
    struct arena a;
    struct syntax **forms = NULL;
    size_t count = 0;
    CHECK(is_eq(parse("(define (f x)\n  '(#1=(a b) #1# . c))\n#(1 #u8(2)) \"s\" 1.5e300 "
                      "123456789012345678901234567890 1/3 +i",
                      &a, &forms, &count),
                TRUE));
    CHECK(count == 7);
    struct syntax *s = forms[0];
    CHECK(s->kind == SYN_PAIR && s->at.line == 1 && s->at.column == 1);
    CHECK(s->pair.car->kind == SYN_SYMBOL && s->pair.car->at.column == 2);
    struct syntax *q = s->pair.cdr->pair.cdr->pair.car;
    CHECK(q->kind == SYN_PAIR && q->at.line == 2 && q->at.column == 3 &&
          q->pair.car->atom.bits == symbol_intern_ascii(h, "quote").bits);
    struct syntax *l = q->pair.cdr->pair.car;
    CHECK(l->pair.car->label == 2 && l->pair.cdr->pair.car->kind == SYN_LABEL &&
          l->pair.cdr->pair.car->label == 2);
    CHECK(l->pair.cdr->pair.cdr->kind == SYN_SYMBOL);
    CHECK(forms[1]->kind == SYN_VECTOR && forms[1]->vector.length == 2 &&
          is_bytevector(forms[1]->vector.items[1]->atom));
    CHECK(!heap_is_mutable(h, forms[2]->atom) && !heap_is_mutable(h, forms[4]->atom) &&
          !heap_is_mutable(h, forms[5]->atom));
    CHECK(object_type(forms[2]->atom) == T_ISTRING && !heap_is_young(h, forms[4]->atom));
    CHECK(!heap_is_young(h, object_field(forms[5]->atom, 0)) && !heap_is_young(h, forms[6]->atom));
    kept[2] = forms[4]->atom;
    arena_drop(&a);
    CHECK(same(written("%write", kept[2]), "123456789012345678901234567890"));
}

static void test_syntax_errors(void)
{
    static const char *const rows[][3] = {
        {"(define (f x)\n  (+ x 1)\n\n(define (g) 2)\n",
         "1:1 the parenthesis opened here is never closed (1 open at the end of the text)",
         "by the indentation, ) is missing at the end of line 2"},
        {"(define (f x)\n  (if (> x 1)\n    (g x\n    2))\n",
         "3:5 the parenthesis opened here is never closed (1 open at the end of the text)",
         "by the indentation, ) is missing at the end of line 3"},
        {"(a (b (c",
         "1:1 the parenthesis opened here is never closed (3 open at the end of the text)",
         "add ))) at the end of the text"},
        {"(a\n b))\n", "2:4 closing parenthesis without an opening one",
         "the form that began on line 1 was complete on line 2; one ) too many there or here"},
        {"'", "1:1 the text ends where a datum was to follow", ""},
        {"(let ([x 1]) x)", "1:7 `[` is not used in R7RS Scheme",
         "R7RS has round parentheses only: write ( and ), as in (let ((x 1)) x)"},
        {"\n\"abc", "2:1 string that begins here is not closed",
         "close it with a double quote; inside a string write \\\" for one"},
        {"#lang racket\n(display 1)", "1:1 #lang belongs to Racket",
         "leave the #lang line out; a program may begin with (import (scheme base))"},
        {"(a #0#)", "1:4 datum label #0# is not defined", ""},
        {"#u8(1 x)", "1:7 a bytevector has exact integers from 0 to 255 only", ""},
        {"#0=#0#", "1:4 a datum label stands for itself", ""},
        {"(a . b c)", "1:8 more than one datum behind the dot of a list", ""},
        {"(1 #;)", "1:4 no datum behind #;", "#; leaves out the datum behind it"},
    };
    struct arena a;
    struct syntax **forms = NULL;
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        val r = parse(rows[i][0], &a, &forms, &count);
        CHECK(is_eq(r, RAISE));
        if (is_eq(r, RAISE)) {
            CHECK(same(error_text(), rows[i][1]));
            CHECK(same(hint_text(), rows[i][2]));
        }
        arena_drop(&a);
    }
    char *deep = malloc(1000001);
    memset(deep, '(', 1000000);
    deep[1000000] = 0;
    CHECK(is_eq(parse(deep, &a, &forms, &count), RAISE));
    CHECK(same(error_text(), "1:10001 the text is nested more than 10000 levels deep"));
    arena_drop(&a);
    memset(deep, '\'', 1000000);
    CHECK(is_eq(parse(deep, &a, &forms, &count), RAISE));
    arena_drop(&a);
    free(deep);
}

/* Random bytes made from pieces of syntax: no crash; what reads is written and
 * reads as the same text again. */
static void test_random(size_t rounds)
{
    static const char *const pieces[] = {
        "(",  ")",    " ",   "#(",    "'",   "`",  ",@",      ",",  ".",        "a",
        "1",  "#u8(", "#;",  "#|",    "|#",  "|",  "\"",      "\\", "#\\",      "x41;",
        "#t", "#0=",  "#0#", "#1=",   "#1#", "\n", ";",       "-",  "\xCE\xBB", "#!fold-case ",
        "#",  "[",    "1/2", "1e400", "+i",  "#x", "(a . b)", "))"};
    static uint64_t seed = 12345;
    struct arena a;
    struct syntax **forms = NULL;
    size_t count = 0, read = 0;
    for (size_t i = 0; i < rounds; i++) {
        char text[256] = "", first[4096];
        for (size_t j = 0; j < 12; j++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            strcat(text, pieces[(seed >> 33) % ARRAY_LENGTH(pieces)]);
        }
        val r = parse(text, &a, &forms, &count);
        CHECK(is_eq(r, TRUE) || is_eq(r, RAISE));
        arena_drop(&a);
        val v = read_text(text);
        CHECK(!is_control(v) || is_eq(v, RAISE));
        if (is_control(v) || is_eq(v, EOF_OBJECT))
            continue;
        snprintf(first, sizeof first, "%s", written("%write", v));
        v = read_text(first);
        CHECK(!is_control(v));
        if (!is_control(v)) {
            CHECK(same(written("%write", v), first));
            read++;
        } else {
            printf("  %s <- %s\n", first, text);
        }
    }
    CHECK(read > rounds / 20);
}

/* Every allocation may fail: the answer is the same in the end. */
static void test_failures(void)
{
    static const char *const text =
        "#0=(a \"b\" #(1 #0# 1/3) '(c . d) #u8(1 2) 100000000000000000000 #1=#(x #1#))";
    for (uint64_t i = 1; i < 150; i++) {
        kept[2] = port_on(text);
        h->fail_after = i;
        val v = call("%read", 1, kept[2]);
        h->fail_after = 0;
        CHECK(!is_control(v));
        kept[0] = v;
        kept[1] = call("open-output-string", 0);
        h->fail_after = i;
        CHECK(is_eq(call("%write", 2, kept[0], kept[1]), UNSPECIFIED));
        h->fail_after = 0;
        CHECK(same(contents(kept[1]), "#0=(a \"b\" #(1 #0# 1/3) (quote (c . d)) #u8(1 2) "
                                      "100000000000000000000 #1=#(x #1#))"));
    }
}

/* Fuel is the same with and without collections. */
static void test_fuel(void)
{
    uint64_t paid[2];
    for (int i = 0; i < 2; i++) {
        stress = i == 1;
        kept[2] = call("string->list", 1, call("make-string", 2, fixnum(50000), char_value('y')));
        kept[3] = call("open-output-string", 0);
        call("%write", 2, kept[2], kept[3]);
        paid[i] = h->charge;
        kept[4] = call("open-input-string", 1, call("get-output-string", 1, kept[3]));
        call("%read", 1, kept[4]);
        paid[i] += h->charge;
        if (i == 1 && !heap_collect_gc(h, COLLECT_FULL, 0))
            abort();
    }
    CHECK(paid[0] == paid[1] && paid[0] > 1000);
    stress = false;
}

static void all(size_t large)
{
    start((size_t)512 << 20);
    test_utf8();
    test_chars();
    test_strings();
    test_symbols();
    test_round_trip();
    test_read_errors();
    test_ports();
    test_host_port();
    test_console();
    test_printer();
    test_syntax();
    test_syntax_errors();
    test_random(3000);
    test_failures();
    test_large(large);
    test_large_cycles();
    test_fuel();
    stop();
}

int main(void)
{
    all(1000000);
    stress = true;
    all(20000);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
