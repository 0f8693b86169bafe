/* T7 the table of all primitives, collected from prims/ by
 * native/tools/gen_tables.py. Its order is part of the engine's fingerprint. */
#include "prim.h"

#include "prim_table.inc"
