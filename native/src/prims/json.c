/* T7 primitives: JSON. The libraries (tein json) and (chibi json) put the checks
 * and the ports around them; the work is json_parse.c's and json_write.c's. */
#include "../json.h"
#include "port_args.h"

PRIM("%json-parse", prim_json_parse, 1, 1, STEPPED, "(%json-parse string)",
     "Return the value of a JSON text: alists with string keys, and lists.")
{
    return json_parse(h, TRY(arg_string(h, args, 0)), JSON_TEIN, "json-parse");
}

PRIM("%json-read", prim_json_read, 1, 1, STEPPED, "(%json-read port)",
     "Read one JSON value: alists with symbol keys, and vectors; eof at the end.")
{
    return json_parse(h, TRY(arg_text_input(h, args, 0)), JSON_CHIBI, "json-read");
}

PRIM("%string->json", prim_string_to_json, 1, 1, STEPPED, "(%string->json string)",
     "Return the value of a JSON text: alists with symbol keys, and vectors.")
{
    return json_parse(h, TRY(arg_string(h, args, 0)), JSON_CHIBI, "string->json");
}

PRIM("%json-stringify", prim_json_stringify, 2, 2, STEPPED, "(%json-stringify value port)",
     "Write the JSON text of VALUE: alists with string or symbol keys are objects.")
{
    val port = TRY(arg_text_output(h, args, 1));
    return json_write(h, args[0], port, JSON_TEIN, "json-stringify");
}

PRIM("%json-write", prim_json_write, 2, 2, STEPPED, "(%json-write value port)",
     "Write the JSON text of VALUE, in ASCII: lists are objects, vectors arrays.")
{
    val port = TRY(arg_text_output(h, args, 1));
    return json_write(h, args[0], port, JSON_CHIBI, "json-write");
}
