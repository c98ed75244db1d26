// Tiles of products: what matrix products and convolutions are put together from.
#ifndef OSSIA_TILES_H
#define OSSIA_TILES_H

#include "program/isa.h"
#include <stdint.h>

// c[rows, columns] = (c +) a b (+ bias). Element k of row r of a lies at a[offsets[run] + r * step + k], or at
// a[offsets[run] + k * step + r] by columns, where the runs of `len` elements follow each other; row k of b at b + k * ldb, and whole
// vectors of it are read. The second half of the rows (the smaller one) begins at a2 (not by columns) and at c2. Every four elements,
// a row of what is needed next is fetched ahead, as wide as the tile's rows of b, if `ahead` says where the first one begins: each lies
// `ahead_line` bytes behind the one before, and after each `ahead_lines` of them (if not 0) `ahead_jump` bytes further on.
typedef struct {
    const float *a, *a2, *b, *bias;
    float *c, *c2;
    const int64_t *offsets;
    int64_t step, runs, len, ldb, ldc, columns;
    int add;
    const char *ahead;
    int64_t ahead_line, ahead_lines, ahead_jump;
} oc_tile;

typedef void (*oc_tile_fn)(const oc_tile *);

typedef struct {
    int rows, lanes;            // rows of the largest tile, floats of a vector; a tile has one or two vectors of columns
    oc_tile_fn fn[14][2][2];    // by rows - 1, by columns or not, vectors - 1
} oc_tiles;

// The tiles for this processor.
const oc_tiles *oc_tiles_here(void);

#endif
