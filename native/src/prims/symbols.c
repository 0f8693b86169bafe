/* T7 primitives: symbols. */
#include "../prim.h"
#include "../symbol.h"

PRIM("symbol->string", prim_symbol_to_string, 1, 1, SHORT, "(symbol->string symbol)",
     "Return the name of SYMBOL, an immutable string.")
{
    return symbol_name(TRY(arg_symbol(h, args, 0)));
}

PRIM("string->symbol", prim_string_to_symbol, 1, 1, PURE, "(string->symbol string)",
     "Return the symbol whose name is STRING.")
{
    val s = TRY(arg_string(h, args, 0));
    TRY(afford_bytes(h, string_length(s) << string_width(s)));
    return symbol_intern(h, s);
}

PRIM("string->uninterned-symbol", prim_string_to_uninterned_symbol, 1, 1, PURE,
     "(string->uninterned-symbol string)", "Return a new symbol named STRING, equal to no other.")
{
    val s = TRY(arg_string(h, args, 0));
    TRY(afford_bytes(h, string_length(s) << string_width(s)));
    return symbol_uninterned(h, s);
}

PRIM("generate-uninterned-symbol", prim_generate_uninterned_symbol, 0, 1, SHORT,
     "(generate-uninterned-symbol [prefix])",
     "Return a new symbol named PREFIX (a string, or g) and a number.")
{
    char name[96];
    size_t length = 0;
    val prefix = n > 0 ? TRY(arg_string(h, args, 0)) : FALSE;
    if (is_string(prefix) && string_length(prefix) <= 16) {
        length = string_utf8_length(prefix);
        string_store_utf8(prefix, name);
    } else {
        name[length++] = 'g';
    }
    char digits[24];
    size_t i = sizeof digits;
    for (uint64_t k = h->serial + 1; k != 0; k /= 10)
        digits[--i] = (char)('0' + k % 10);
    memcpy(name + length, digits + i, sizeof digits - i);
    val s = TRY(string_from_utf8(h, name, length + sizeof digits - i));
    return symbol_uninterned(h, s);
}

PRIM("%symbol-interned?", prim_symbol_is_interned, 1, 1, SHORT, "(%symbol-interned? symbol)",
     "Return #t unless SYMBOL was made by string->uninterned-symbol or its like.")
{
    return val_bool(symbol_is_interned(TRY(arg_symbol(h, args, 0))));
}

PRIM("symbol=?", prim_symbol_equal, 1, -1, PURE, "(symbol=? symbol1 symbol2 ...)",
     "Return #t if all the symbols are the same.")
{
    bool same = true;
    TRY(afford_bytes(h, n * 8));
    for (size_t i = 0; i < n; i++)
        same &= is_eq(TRY(arg_symbol(h, args, i)), args[0]);
    return val_bool(same);
}
