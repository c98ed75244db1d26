// One tile of a product, kept in registers: up to TILE_ROWS rows of a, and one or two vectors of columns of b. Included by tiles.c once
// for each instruction set, with VECTOR bytes in a register, TILE_ROWS, TARGET and NAME(x) defined.

typedef float NAME(vec) __attribute__((vector_size(VECTOR), aligned(4), may_alias));
enum { NAME(LANES) = VECTOR / 4 };

// Both kinds of tile walk `runs` stretches of `len` elements that begin at a + offsets[run]. By rows, the elements of a stretch lie next
// to each other and rows are `step` apart; by columns, the rows lie next to each other and elements are `step` apart.
// One element of each of the rows times a row of b.
#define TILE_STEP(R, NV, BY_COLUMNS)                                                                                        \
    {                                                                                                                       \
        NAME(vec) column[NV];                                                                                               \
        _Pragma("GCC unroll 2") for (int v = 0; v < NV; v++) column[v] = *(const NAME(vec) *)(b + v * NAME(LANES));         \
        _Pragma("GCC unroll 16") for (int r = 0; r < R; r++) {                                                              \
            const int h = r < HALF ? r : r - HALF;                                                                          \
            const float *p = r < HALF ? (h < 3 ? p0 : h < 6 ? p1 : p2) : (h < 3 ? q0 : h < 6 ? q1 : q2);                    \
            const float x = BY_COLUMNS ? p0[r] : p[(h % 3) * step];                                                         \
            _Pragma("GCC unroll 2") for (int v = 0; v < NV; v++) sum[r][v] += x * column[v];                                \
        }                                                                                                                   \
        b += ldb;                                                                                                           \
        if (BY_COLUMNS) p0 += step;                                                                                         \
        else { p0++; p1++; p2++; q0++; q1++; q2++; }                                                                        \
    }

#define TILE_BODY(R, NV, BY_COLUMNS)                                                                                        \
    enum { HALF = (R + 1) / 2 };                                                                                            \
    NAME(vec) sum[R][NV];                                                                                                   \
    _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                                                    \
        _Pragma("GCC unroll 2") for (int v = 0; v < NV; v++) sum[r][v] = (NAME(vec)){0};                                    \
    const float *b = t->b;                                                                                                  \
    const int64_t ldb = t->ldb, ldc = t->ldc, step = t->step, len = t->len, ahead_line = t->ahead_line;                     \
    const int add = t->add;                                                                                                 \
    const float *const bias = t->bias;                                                                                      \
    float *const top = t->c, *const low = t->c2;                                                                            \
    const char *ahead = t->ahead;                                                                                           \
    int64_t lines = t->ahead_lines;                                                                                         \
    _Pragma("GCC unroll 16") for (int r = 0; r < R; r++) {                                                                  \
        const float *c = r < HALF ? top + r * ldc : low + (r - HALF) * ldc;                                                     \
        __builtin_prefetch(c, 1);                                                                                           \
        if (NV * VECTOR > 64) __builtin_prefetch(c + 16, 1);                                                                \
    }                                                                                                                       \
    for (int64_t run = 0; run < t->runs; run++) {                                                                           \
        const float *p0 = t->a + t->offsets[run], *q0 = t->a2 + t->offsets[run];                                            \
        const float *p1 = p0 + 3 * step, *p2 = p0 + 6 * step, *q1 = q0 + 3 * step, *q2 = q0 + 6 * step;                     \
        (void)p1; (void)p2; (void)q1; (void)q2;                                                                             \
        int64_t k = 0;                                                                                                      \
        for (; k + 4 <= len; k += 4) {                                                                                      \
            if (ahead) {                                                                                                    \
                __builtin_prefetch(ahead, 0, 2);                                                                            \
                if (NV * VECTOR > 64) __builtin_prefetch(ahead + 64, 0, 2);                                                 \
                ahead += ahead_line;                                                                                        \
                if (!--lines) { ahead += t->ahead_jump; lines = t->ahead_lines; }                                           \
            }                                                                                                               \
            TILE_STEP(R, NV, BY_COLUMNS) TILE_STEP(R, NV, BY_COLUMNS) TILE_STEP(R, NV, BY_COLUMNS) TILE_STEP(R, NV, BY_COLUMNS)\
        }                                                                                                                   \
        for (; k < len; k++) TILE_STEP(R, NV, BY_COLUMNS)                                                                   \
    }                                                                                                                       \
    if (t->columns == NV * NAME(LANES)) {                                                                                   \
        _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                                                \
            _Pragma("GCC unroll 2") for (int v = 0; v < NV; v++) {                                                          \
                float *c = (r < HALF ? top + r * ldc : low + (r - HALF) * ldc) + v * NAME(LANES);                           \
                NAME(vec) y = sum[r][v];                                                                                    \
                if (add) y += *(NAME(vec) *)c;                                                                              \
                if (bias) y += *(const NAME(vec) *)(bias + v * NAME(LANES));                                                \
                *(NAME(vec) *)c = y;                                                                                        \
            }                                                                                                               \
    } else {                                                                                                                \
        float part[R * NV * NAME(LANES)];                                                                                   \
        _Pragma("GCC unroll 16") for (int r = 0; r < R; r++)                                                                \
            _Pragma("GCC unroll 2") for (int v = 0; v < NV; v++) *(NAME(vec) *)(part + (r * NV + v) * NAME(LANES)) = sum[r][v];\
        for (int r = 0; r < R; r++) {                                                                                       \
            float *c = r < HALF ? t->c + r * t->ldc : t->c2 + (r - HALF) * t->ldc;                                          \
            for (int64_t k = 0; k < t->columns; k++) {                                                                      \
                float y = part[r * NV * NAME(LANES) + k];                                                                   \
                if (t->add) y += c[k];                                                                                      \
                if (t->bias) y += t->bias[k];                                                                               \
                c[k] = y;                                                                                                   \
            }                                                                                                               \
        }                                                                                                                   \
    }

#define TILES(R)                                                                                  \
    TARGET static void NAME(rows_##R##_1)(const oc_tile *t) { TILE_BODY(R, 1, 0) }                \
    TARGET static void NAME(rows_##R##_2)(const oc_tile *t) { TILE_BODY(R, 2, 0) }                \
    TARGET static void NAME(columns_##R##_1)(const oc_tile *t) { TILE_BODY(R, 1, 1) }             \
    TARGET static void NAME(columns_##R##_2)(const oc_tile *t) { TILE_BODY(R, 2, 1) }

#define TILE_ENTRY(R) {{NAME(rows_##R##_1), NAME(rows_##R##_2)}, {NAME(columns_##R##_1), NAME(columns_##R##_2)}}

TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6)
#if TILE_ROWS == 14
TILES(7) TILES(8) TILES(9) TILES(10) TILES(11) TILES(12) TILES(13) TILES(14)
#endif

static const oc_tiles NAME(tiles) = {
    TILE_ROWS, NAME(LANES),
    {
        TILE_ENTRY(1), TILE_ENTRY(2), TILE_ENTRY(3), TILE_ENTRY(4), TILE_ENTRY(5), TILE_ENTRY(6),
#if TILE_ROWS == 14
        TILE_ENTRY(7), TILE_ENTRY(8), TILE_ENTRY(9), TILE_ENTRY(10), TILE_ENTRY(11), TILE_ENTRY(12), TILE_ENTRY(13), TILE_ENTRY(14),
#endif
    },
};

#undef TILE_STEP
#undef TILE_BODY
#undef TILES
#undef TILE_ENTRY
