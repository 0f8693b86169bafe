/* T2 the engine: what the contexts of a process share.
 *
 * A page pool (thread-safe) and nothing else that changes. Contexts and images
 * point to it; it must outlive them. */
#ifndef CB_ENGINE_H
#define CB_ENGINE_H

#include "alloc.h"

struct engine {
    struct page_pool pool;
};

/* NULL without memory. */
MUST_USE struct engine *engine_new(void);
/* Every context and image of it must be gone. */
void engine_free(struct engine *engine);
/* Names this build to people and images: version, and a hash of the sources where
 * the build generates one (fingerprint.inc: #define ENGINE_FINGERPRINT "..."). At
 * most 63 ASCII characters. */
const char *engine_fingerprint(void);

#endif
