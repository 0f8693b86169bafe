/* T7 primitives: bytevectors, and their conversion from and to UTF-8.
 *
 * Everything is one block move: PURE, paid before it is done. */
#include "../prim.h"
#include "../string.h"
#include "../vector.h"

static MUST_USE val pay(struct heap *h, size_t bytes)
{
    TRY(heap_afford(h, bytes / 64));
    heap_work(h, bytes);
    return TRUE;
}

static MUST_USE val arg_byte(struct heap *h, const val *args, size_t i)
{
    return arg_index(h, args, i, 256);
}

PRIM("make-bytevector", prim_make_bytevector, 1, 2, PURE, "(make-bytevector k [byte])",
     "Return a new bytevector of K bytes, each BYTE (or 0).")
{
    size_t k = (size_t)fixnum_value(TRY(arg_index(h, args, 0, VECTOR_MAX)));
    int fill = n > 1 ? (int)fixnum_value(TRY(arg_byte(h, args, 1))) : 0;
    TRY(pay(h, k));
    val v = TRY(heap_alloc(h, T_BYTEVECTOR, k, 0));
    if (k > 0)
        memset(object_bytes(v), fill, k);
    return v;
}

PRIM("bytevector", prim_bytevector, 0, -1, PURE, "(bytevector byte ...)",
     "Return a new bytevector of the arguments.")
{
    for (size_t i = 0; i < n; i++)
        TRY(arg_byte(h, args, i));
    TRY(pay(h, n * sizeof(val)));
    val v = TRY(heap_alloc(h, T_BYTEVECTOR, n, 0));
    for (size_t i = 0; i < n; i++)
        object_bytes(v)[i] = (uint8_t)fixnum_value(args[i]);
    return v;
}

PRIM("bytevector-length", prim_bytevector_length, 1, 1, SHORT, "(bytevector-length bytevector)",
     "Return the number of bytes of BYTEVECTOR.")
{
    return fixnum((int64_t)object_length(TRY(arg_bytevector(h, args, 0))));
}

PRIM("bytevector-u8-ref", prim_bytevector_ref, 2, 2, SHORT, "(bytevector-u8-ref bytevector k)",
     "Return byte K of BYTEVECTOR, counted from 0.")
{
    val v = TRY(arg_bytevector(h, args, 0));
    val k = TRY(arg_index(h, args, 1, object_length(v)));
    return fixnum(object_bytes(v)[fixnum_value(k)]);
}

PRIM("bytevector-u8-set!", prim_bytevector_set, 3, 3, SHORT,
     "(bytevector-u8-set! bytevector k byte)", "Store BYTE as byte K of BYTEVECTOR.")
{
    val v = TRY(arg_bytevector(h, args, 0));
    val k = TRY(arg_index(h, args, 1, object_length(v)));
    val byte = TRY(arg_byte(h, args, 2));
    TRY(arg_mutable(h, args, 0));
    object_bytes(v)[fixnum_value(k)] = (uint8_t)fixnum_value(byte);
    return UNSPECIFIED;
}

PRIM("bytevector-fill!", prim_bytevector_fill, 2, 4, PURE,
     "(bytevector-fill! bytevector byte [start [end]])",
     "Store BYTE in the bytes of BYTEVECTOR from START to END.")
{
    size_t start, end;
    val v = TRY(arg_bytevector(h, args, 0));
    val byte = TRY(arg_byte(h, args, 1));
    TRY(arg_span(h, args, n, 2, object_length(v), &start, &end));
    TRY(arg_mutable(h, args, 0));
    TRY(pay(h, end - start));
    if (end > start)
        memset(object_bytes(v) + start, (int)fixnum_value(byte), end - start);
    return UNSPECIFIED;
}

PRIM("bytevector-copy", prim_bytevector_copy, 1, 3, PURE,
     "(bytevector-copy bytevector [start [end]])",
     "Return a new bytevector of the bytes of BYTEVECTOR from START to END.")
{
    size_t start, end;
    val v = TRY(arg_bytevector(h, args, 0));
    TRY(arg_span(h, args, n, 1, object_length(v), &start, &end));
    TRY(pay(h, end - start));
    return bytevector_new(h, object_bytes(v) + start, end - start);
}

PRIM("bytevector-copy!", prim_bytevector_copy_to, 3, 5, PURE,
     "(bytevector-copy! to at from [start [end]])",
     "Copy the bytes of FROM from START to END into TO from AT on.")
{
    size_t start, end;
    val to = TRY(arg_bytevector(h, args, 0));
    size_t length = object_length(to);
    size_t at = (size_t)fixnum_value(TRY(arg_index(h, args, 1, length + 1)));
    val from = TRY(arg_bytevector(h, args, 2));
    TRY(arg_span(h, args, n, 3, object_length(from), &start, &end));
    size_t count = end - start;
    if (count > length - at)
        return raise_range(h, 1, args[1], 0, count > length ? 0 : length - count + 1);
    TRY(arg_mutable(h, args, 0));
    TRY(pay(h, count));
    if (count > 0)
        memmove(object_bytes(to) + at, object_bytes(from) + start, count);
    return UNSPECIFIED;
}

PRIM("bytevector-append", prim_bytevector_append, 0, -1, PURE, "(bytevector-append bytevector ...)",
     "Return a new bytevector of the bytes of all BYTEVECTORs in order.")
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++) {
        val v = TRY(arg_bytevector(h, args, i));
        if (!size_add(total, object_length(v), &total) || total >= VECTOR_MAX)
            return raise_range(h, i, fixnum((int64_t)object_length(v)), 0, VECTOR_MAX);
    }
    TRY(pay(h, total + n * sizeof(val)));
    val out = TRY(heap_alloc(h, T_BYTEVECTOR, total, 0));
    uint8_t *at = object_bytes(out);
    for (size_t i = 0; i < n; i++) {
        size_t length = object_length(args[i]);
        if (length > 0)
            memcpy(at, object_bytes(args[i]), length);
        at += length;
    }
    return out;
}

PRIM("utf8->string", prim_utf8_to_string, 1, 3, PURE, "(utf8->string bytevector [start [end]])",
     "Return the string that the UTF-8 bytes of BYTEVECTOR from START to END stand for.")
{
    size_t start, end;
    val v = TRY(arg_bytevector(h, args, 0));
    TRY(arg_span(h, args, n, 1, object_length(v), &start, &end));
    TRY(pay(h, (end - start) * 4));
    return string_from_utf8(h, (const char *)object_bytes(v) + start, end - start);
}

PRIM("string->utf8", prim_string_to_utf8, 1, 3, PURE, "(string->utf8 string [start [end]])",
     "Return the UTF-8 bytes of STRING from START to END as a new bytevector.")
{
    size_t start, end;
    val s = TRY(arg_string(h, args, 0));
    TRY(arg_span(h, args, n, 1, string_length(s), &start, &end));
    TRY(pay(h, (end - start) * 4));
    size_t bytes = string_utf8_length_of(s, start, end);
    val v = TRY(heap_alloc(h, T_BYTEVECTOR, bytes, 0));
    if (bytes > 0)
        string_store_utf8_of(s, start, end, (char *)object_bytes(v));
    return v;
}
