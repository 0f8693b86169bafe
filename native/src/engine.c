/* T2 the engine. See engine.h. */
#include "engine.h"
#if __has_include("fingerprint.inc")
#include "fingerprint.inc"
#else
#define ENGINE_FINGERPRINT "chibi_bridge-development"
#endif

_Static_assert(sizeof ENGINE_FINGERPRINT <= 64, "an image has 64 bytes for it");

const char *engine_fingerprint(void)
{
    return ENGINE_FINGERPRINT;
}

struct engine *engine_new(void)
{
    struct engine *engine = alloc_new(sizeof *engine);
    if (engine == NULL)
        return NULL;
    memset(engine, 0, sizeof *engine);
    pool_init(&engine->pool);
    return engine;
}

void engine_free(struct engine *engine)
{
    if (engine == NULL)
        return;
    pool_drop(&engine->pool);
    alloc_free(engine);
}
