// Tiles for each instruction set, and the choice among them.
#include "products/tiles.h"
#include <stdatomic.h>
#include <stddef.h>

#ifdef OC_X86
#define VECTOR 64
#define TILE_ROWS 14
#define TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,fma")))
#define NAME(x) x##_512
#include "products/tile.h"
#undef VECTOR
#undef TILE_ROWS
#undef TARGET
#undef NAME
#define VECTOR 32
#define TILE_ROWS 6
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(x) x##_256
#include "products/tile.h"
#undef VECTOR
#undef TILE_ROWS
#undef TARGET
#undef NAME
#endif

#define VECTOR 16
#define TILE_ROWS 6
#define TARGET
#define NAME(x) x##_128
#include "products/tile.h"

static const oc_tiles *found(void) {
#ifdef OC_X86
    const int bytes = oc_register_bytes();
    if (bytes >= 32) return bytes == 64 ? &tiles_512 : &tiles_256;
#endif
    return &tiles_128;
}

const oc_tiles *oc_tiles_here(void) {
    static _Atomic(const oc_tiles *) here;
    const oc_tiles *tiles = atomic_load_explicit(&here, memory_order_relaxed);
    if (!tiles) atomic_store_explicit(&here, tiles = found(), memory_order_relaxed);
    return tiles;
}
