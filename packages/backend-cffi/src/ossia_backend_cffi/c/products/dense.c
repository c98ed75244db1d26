// Tiles of up to six rows by four vectors, or fourteen by one or two, for AVX-512: they end with the bias and the activation, and partial
// vectors are masked, so that nothing is laid out but a turned second factor.
#include "products/dense.h"
#include "program/program.h"
#include "products/tiles.h"

OC_CLONES void oc_dense_finish(const oc_dense *d) {
    for (int64_t r = 0; r < d->m; r++) {
        float *restrict c = d->c + r * d->ldc;
        if (d->bias) for (int64_t j = 0; j < d->n; j++) c[j] += d->bias[j];
        if (d->relu) for (int64_t j = 0; j < d->n; j++) c[j] = c[j] > 0.0f || c[j] != c[j] ? c[j] : 0.0f;
        if (d->gate) {
            const float *restrict gate = d->gate + r * d->ldc;
            for (int64_t j = 0; j < d->n; j++) c[j] = gate[j] > 0.0f ? c[j] : c[j] * 0.0f;
        }
    }
}

#ifdef OC_X86
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,fma")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum {
    DEEPEST = 256,     // elements along k up to which four vectors of each stay in the first-level cache
};

#define AT(r) ((r) < 5 ? p0 : (r) < 10 ? p1 : p2)[(r) % 5 * row]

#define TILE_STEP(R, NV)                                                                                                    \
    {                                                                                                                       \
        __m512 column[NV];                                                                                                  \
        _Pragma("GCC unroll 4") for (int v = 0; v < NV - 1; v++) column[v] = _mm512_loadu_ps(b + 16 * v);                   \
        column[NV - 1] = _mm512_maskz_loadu_ps(mask, b + 16 * (NV - 1));                                                    \
        _Pragma("GCC unroll 14") for (int r = 0; r < R; r++) {                                                              \
            const __m512 x = _mm512_set1_ps(AT(r));                                                                         \
            _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++) sum[r][v] = _mm512_fmadd_ps(x, column[v], sum[r][v]);      \
        }                                                                                                                   \
        b += ldb; p0 += deep; p1 += deep; p2 += deep;                                                                       \
    }

// Rows r0 to r0 + R, columns j0 to j0 + 16 NV, the last vector of which is masked.
#define TILE_OF(R, NV, NAME, MASK)                                                                                          \
    TARGET static void NAME##_##R##_##NV(const oc_dense *d, int64_t r0, int64_t j0, __mmask16 given) {                      \
        const __mmask16 mask = MASK;                                                                                        \
        (void)given;                                                                                                        \
        const int64_t row = d->ta ? 1 : d->lda, deep = d->ta ? d->lda : 1, ldb = d->ldb;                                    \
        const float *p0 = d->a + r0 * row, *p1 = p0 + 5 * row, *p2 = p0 + 10 * row, *b = d->b + j0;                         \
        (void)p1; (void)p2;                                                                                                 \
        __m512 sum[R][NV];                                                                                                  \
        _Pragma("GCC unroll 14") for (int r = 0; r < R; r++)                                                                \
            _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++) sum[r][v] = _mm512_setzero_ps();                           \
        int64_t left = d->k;                                                                                                \
        if (d->ahead) {                                                                                                     \
            const char *next = d->ahead + 4 * (r0 * d->ahead_row + j0);                                                     \
            for (int r = 0; r < R && left >= NV; r++, left -= NV, next += 4 * d->ahead_row)                                 \
                for (int v = 0; v < NV; v++) {                                                                              \
                    __builtin_prefetch(next + 64 * v);                                                                      \
                    __builtin_prefetch(next + d->ahead_1 + 64 * v);                                                         \
                    __builtin_prefetch(next + d->ahead_2 + 64 * v);                                                         \
                    TILE_STEP(R, NV)                                                                                        \
                }                                                                                                           \
        }                                                                                                                   \
        for (; left; left--) TILE_STEP(R, NV)                                                                               \
        /* What follows is decided once for all of them. */                                                                 \
        const __m512 zero = _mm512_setzero_ps();                                                                            \
        float *c = d->c + r0 * d->ldc + j0;                                                                                 \
        const int64_t ldc = d->ldc;                                                                                         \
        if (d->bias)                                                                                                        \
            _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++) {                                                          \
                const __m512 x = _mm512_maskz_loadu_ps(v < NV - 1 ? 0xFFFF : mask, d->bias + j0 + 16 * v);                  \
                _Pragma("GCC unroll 14") for (int r = 0; r < R; r++) sum[r][v] = _mm512_add_ps(sum[r][v], x);               \
            }                                                                                                               \
        if (d->relu)                                                                                                        \
            _Pragma("GCC unroll 14") for (int r = 0; r < R; r++)                                                            \
                _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++) sum[r][v] = _mm512_max_ps(zero, sum[r][v]);            \
        if (d->gate) {                                                                                                      \
            const float *gate = d->gate + r0 * ldc + j0;                                                                    \
            _Pragma("GCC unroll 14") for (int r = 0; r < R; r++, gate += ldc)                                               \
                _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++) {                                                      \
                    const __m512 x = _mm512_maskz_loadu_ps(v < NV - 1 ? 0xFFFF : mask, gate + 16 * v);                      \
                    sum[r][v] = _mm512_mask_mul_ps(sum[r][v], _mm512_cmp_ps_mask(x, zero, _CMP_NGT_UQ), sum[r][v], zero);   \
                }                                                                                                           \
        }                                                                                                                   \
        _Pragma("GCC unroll 14") for (int r = 0; r < R; r++, c += ldc) {                                                    \
            _Pragma("GCC unroll 4") for (int v = 0; v < NV - 1; v++) _mm512_storeu_ps(c + 16 * v, sum[r][v]);               \
            _mm512_mask_storeu_ps(c + 16 * (NV - 1), mask, sum[r][NV - 1]);                                                 \
        }                                                                                                                   \
    }

// Tiles whose vectors are whole have no masks.
#define TILE(R, NV) TILE_OF(R, NV, tile, given) TILE_OF(R, NV, whole, 0xFFFF)

TILE(1, 1) TILE(2, 1) TILE(3, 1) TILE(4, 1) TILE(5, 1) TILE(6, 1) TILE(7, 1) TILE(8, 1) TILE(9, 1) TILE(10, 1) TILE(11, 1) TILE(12, 1)
TILE(13, 1) TILE(14, 1)
TILE(1, 2) TILE(2, 2) TILE(3, 2) TILE(4, 2) TILE(5, 2) TILE(6, 2) TILE(7, 2) TILE(8, 2) TILE(9, 2) TILE(10, 2) TILE(11, 2) TILE(12, 2)
TILE(13, 2) TILE(14, 2)
TILE(1, 3) TILE(2, 3) TILE(3, 3) TILE(4, 3) TILE(5, 3) TILE(6, 3) TILE(7, 3) TILE(8, 3)
TILE(1, 4) TILE(2, 4) TILE(3, 4) TILE(4, 4) TILE(5, 4) TILE(6, 4)

typedef void (*tile_fn)(const oc_dense *, int64_t r0, int64_t j0, __mmask16 mask);

static const int tallest[] = {14, 14, 8, 6};
#define FOURTEEN(NAME, NV)                                                                                                  \
    {NAME##_1_##NV, NAME##_2_##NV, NAME##_3_##NV, NAME##_4_##NV, NAME##_5_##NV, NAME##_6_##NV, NAME##_7_##NV,               \
     NAME##_8_##NV, NAME##_9_##NV, NAME##_10_##NV, NAME##_11_##NV, NAME##_12_##NV, NAME##_13_##NV, NAME##_14_##NV}
#define ALL_TILES(NAME)                                                                                                     \
    {FOURTEEN(NAME, 1), FOURTEEN(NAME, 2),                                                                                  \
     {NAME##_1_3, NAME##_2_3, NAME##_3_3, NAME##_4_3, NAME##_5_3, NAME##_6_3, NAME##_7_3, NAME##_8_3},                      \
     {NAME##_1_4, NAME##_2_4, NAME##_3_4, NAME##_4_4, NAME##_5_4, NAME##_6_4}}

static const tile_fn tiles[2][4][14] = {ALL_TILES(tile), ALL_TILES(whole)};

static void straight(const oc_dense *d) {
    for (int64_t j = 0; j < d->n;) {
        const int64_t left = (d->n - j + 15) / 16;
        // Five vectors are three and two: one alone would wait for its sums.
        const int64_t wide = left == 5 ? 3 : left < 4 ? left : 4, end = j + 16 * wide;
        const __mmask16 mask = end > d->n ? (__mmask16)((1u << (d->n - end + 16)) - 1) : 0xFFFF;
        // Tiles of nearly the same height.
        const int64_t tall = (d->m + tallest[wide - 1] - 1) / tallest[wide - 1], height = d->m / tall, higher = d->m - height * tall;
        const tile_fn *choice = tiles[mask == 0xFFFF][wide - 1];
        for (int64_t t = 0, r = 0; t < tall; t++) {
            const int64_t rows = height + (t < higher);
            choice[rows - 1](d, r, j, mask);
            r += rows;
        }
        j = end;
    }
}

// Turns sixteen vectors of sixteen round.
INLINE void turn_16x16(__m512 x[16]) {
    __m512 y[16];
#pragma GCC unroll 16
    for (int q = 0; q < 16; q += 4) {
        const __m512d a = _mm512_castps_pd(_mm512_unpacklo_ps(x[q], x[q + 1])), b = _mm512_castps_pd(_mm512_unpackhi_ps(x[q], x[q + 1]));
        const __m512d c = _mm512_castps_pd(_mm512_unpacklo_ps(x[q + 2], x[q + 3])), e = _mm512_castps_pd(_mm512_unpackhi_ps(x[q + 2], x[q + 3]));
        y[q] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
        y[q + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
        y[q + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, e));
        y[q + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, e));
    }
#pragma GCC unroll 4
    for (int q = 0; q < 4; q++) {
        const __m512 a = _mm512_shuffle_f32x4(y[q], y[q + 4], 0x88), b = _mm512_shuffle_f32x4(y[q], y[q + 4], 0xdd);
        const __m512 c = _mm512_shuffle_f32x4(y[q + 8], y[q + 12], 0x88), e = _mm512_shuffle_f32x4(y[q + 8], y[q + 12], 0xdd);
        x[q] = _mm512_shuffle_f32x4(a, c, 0x88);
        x[q + 8] = _mm512_shuffle_f32x4(a, c, 0xdd);
        x[q + 4] = _mm512_shuffle_f32x4(b, e, 0x88);
        x[q + 12] = _mm512_shuffle_f32x4(b, e, 0xdd);
    }
}

// d[p * wide + j] = b[j * ldb + p] for columns j from `first` to `last`, which are multiples of 16 or the end.
TARGET static void turn_columns(float *d, int64_t wide, const float *b, int64_t ldb, int64_t k, int64_t n, int64_t first, int64_t last) {
    for (int64_t j = first; j < last; j += 16)
        for (int64_t p = 0; p < k; p += 16) {
            const int64_t depth = k - p < 16 ? k - p : 16, columns = n - j < 16 ? n - j : 16;
            const __mmask16 mask = (__mmask16)((1u << depth) - 1);
            const float *from = b + j * ldb + p;
            float *to = d + p * wide + j;
            __m512 x[16];
            if (columns == 16) {
#pragma GCC unroll 16
                for (int r = 0; r < 16; r++) x[r] = _mm512_maskz_loadu_ps(mask, from + r * ldb);
            } else {
#pragma GCC unroll 16
                for (int r = 0; r < 16; r++) x[r] = _mm512_maskz_loadu_ps(r < columns ? mask : 0, r < columns ? from + r * ldb : from);
            }
            turn_16x16(x);
            if (depth == 16) {
#pragma GCC unroll 16
                for (int r = 0; r < 16; r++) _mm512_storeu_ps(to + r * wide, x[r]);
            } else {
#pragma GCC unroll 16
                for (int r = 0; r < 16; r++) if (r < depth) _mm512_storeu_ps(to + r * wide, x[r]);
            }
        }
}
#endif

int oc_dense_fits(int ta, int tb, int64_t m, int64_t n, int64_t k) {
#ifdef OC_X86
    if (oc_tiles_here()->lanes != 16 || k < 1 || n < 1 || m < 1) return 0;
    if (tb) return !ta && k <= DEEPEST && n <= OC_PANEL_COLUMNS;
    return k <= DEEPEST || n <= 16;
#else
    (void)ta; (void)tb; (void)m; (void)n; (void)k;
    return 0;
#endif
}

void oc_dense_turn(float *turned, const oc_dense *d, int64_t first, int64_t last) {
#ifdef OC_X86
    turn_columns(turned, (d->n + 15) / 16 * 16, d->b, d->ldb, d->k, d->n, first, last);
#else
    (void)turned; (void)d; (void)first; (void)last;
#endif
}

void oc_dense_rows(const oc_dense *d, float *scratch) {
#ifdef OC_X86
    if (!d->tb) {
        straight(d);
        return;
    }
    oc_dense s = *d;
    s.ldb = (d->n + 15) / 16 * 16;
    s.b = scratch;
    s.tb = 0;
    oc_dense_turn(scratch, d, 0, d->n);
    straight(&s);
#else
    (void)d; (void)scratch;
#endif
}
