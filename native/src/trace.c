/* T1 layouts: the table of types.def, and who points where.
 *
 * The only other readers of the layouts are the inlines of object.h and the
 * collector's own loops in gc.c. */
#include "heap.h"

const struct type_layout type_layouts[TYPE_COUNT] = {
#define TYPE(name, fields, raw, body) {#name, fields, raw, BODY_##body},
#include "types.def"
#undef TYPE
};

_Static_assert(TYPE_COUNT <= 128, "type numbers must fit the header with room to spare");
_Static_assert((T_STRING & 1) == 0 && T_ISTRING == T_STRING + 1, "is_string masks one bit");

void trace_fields(val object, field_visitor *visit, void *context)
{
    if (is_pair(object)) {
        visit(context, &pair_words(object)[0]);
        visit(context, &pair_words(object)[1]);
        return;
    }
    uint64_t header = object_header(object);
    const struct type_layout *layout = &type_layouts[header_type(header)];
    val *fields = object_fields(object);
    for (size_t i = 0; i < layout->fields; i++)
        visit(context, &fields[i]);
    if (layout->body != BODY_VALS && layout->body != BODY_FRAMES)
        return;
    val *body = fields + layout->fields + layout->raw;
    for (size_t i = 0, n = header_length(header); i < n; i++)
        visit(context, &body[i]);
}
