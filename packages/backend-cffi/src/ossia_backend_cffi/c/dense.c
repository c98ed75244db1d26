// Tiles of up to six rows by four vectors, or fourteen by one or two, for AVX-512: they end with the bias and the activation, and partial
// vectors are masked, so that nothing is laid out but a turned second factor.
#include "dense.h"
#include "program.h"
#include "tiles.h"

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
    TURNED = 16,       // columns that are computed turned round at a time
    FEW_TURNED = 32,   // rows up to which a product by a turned factor is computed turned round
    DEEPEST = 256,     // elements along k up to which four vectors of each stay in the first-level cache
};

// The end of a vector of row r, from column j on.
INLINE void leave(const oc_dense *d, int64_t r, int64_t j, __mmask16 mask, __m512 x) {
    float *c = d->c + r * d->ldc + j;
    const __m512 zero = _mm512_setzero_ps();
    if (d->bias) x = _mm512_add_ps(x, _mm512_maskz_loadu_ps(mask, d->bias + j));
    if (d->relu) x = _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, zero, _CMP_LE_OQ), zero);
    if (d->gate) {
        const __m512 gate = _mm512_maskz_loadu_ps(mask, d->gate + r * d->ldc + j);
        x = _mm512_mask_mul_ps(x, _mm512_cmp_ps_mask(gate, zero, _CMP_NGT_UQ), x, zero);
    }
    _mm512_mask_storeu_ps(c, mask, x);
}

// One line of each of the three stretches that are needed next.
#define FETCH lines--; __builtin_prefetch(next, 0, 2); __builtin_prefetch(next + d->ahead_1, 0, 2); \
    __builtin_prefetch(next + d->ahead_2, 0, 2); next += 64;

// Lets a tile fetch its share, from `first` to `last` of `all`.
static inline void share_out(oc_dense *d, const oc_dense *whole, int64_t first, int64_t last, int64_t all) {
    const int64_t line = oc_bound(whole->lines, all, first, 1);
    d->ahead = whole->ahead + 64 * line;
    d->lines = oc_bound(whole->lines, all, last, 1) - line;
    d->every = 4 * d->lines <= d->k ? 3 : 2 * d->lines <= d->k ? 1 : 0;
}

#define AT(r) ((r) < 5 ? p0 : (r) < 10 ? p1 : p2)[(r) % 5 * row]

// Rows r0 to r0 + R, columns j0 to j0 + 16 NV, the last vector of which is masked.
#define TILE(R, NV)                                                                                                         \
    TARGET static void tile_##R##_##NV(const oc_dense *d, int64_t r0, int64_t j0, __mmask16 mask) {                         \
        const int64_t row = d->ta ? 1 : d->lda, deep = d->ta ? d->lda : 1, ldb = d->ldb;                                    \
        const float *p0 = d->a + r0 * row, *p1 = p0 + 5 * row, *p2 = p0 + 10 * row, *b = d->b + j0;                         \
        (void)p1; (void)p2;                                                                                                 \
        const char *next = d->ahead;                                                                                        \
        int64_t lines = d->lines;                                                                                           \
        const int64_t every = d->every;                                                                                     \
        __m512 sum[R][NV];                                                                                                  \
        _Pragma("GCC unroll 14") for (int r = 0; r < R; r++)                                                                \
            _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++) sum[r][v] = _mm512_setzero_ps();                           \
        for (int64_t p = 0; p < d->k; p++) {                                                                                \
            if (lines && !(p & every)) { FETCH }                                                                            \
            __m512 column[NV];                                                                                              \
            _Pragma("GCC unroll 4") for (int v = 0; v < NV - 1; v++) column[v] = _mm512_loadu_ps(b + 16 * v);               \
            column[NV - 1] = _mm512_maskz_loadu_ps(mask, b + 16 * (NV - 1));                                                \
            _Pragma("GCC unroll 14") for (int r = 0; r < R; r++) {                                                          \
                const __m512 x = _mm512_set1_ps(AT(r));                                                                     \
                _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++) sum[r][v] = _mm512_fmadd_ps(x, column[v], sum[r][v]);  \
            }                                                                                                               \
            b += ldb; p0 += deep; p1 += deep; p2 += deep;                                                                   \
        }                                                                                                                   \
        _Pragma("GCC unroll 14") for (int r = 0; r < R; r++)                                                                \
            _Pragma("GCC unroll 4") for (int v = 0; v < NV; v++)                                                            \
                leave(d, r0 + r, j0 + 16 * v, v < NV - 1 ? 0xFFFF : mask, sum[r][v]);                                       \
    }

TILE(1, 1) TILE(2, 1) TILE(3, 1) TILE(4, 1) TILE(5, 1) TILE(6, 1) TILE(7, 1) TILE(8, 1) TILE(9, 1) TILE(10, 1) TILE(11, 1) TILE(12, 1)
TILE(13, 1) TILE(14, 1)
TILE(1, 2) TILE(2, 2) TILE(3, 2) TILE(4, 2) TILE(5, 2) TILE(6, 2) TILE(7, 2) TILE(8, 2) TILE(9, 2) TILE(10, 2) TILE(11, 2) TILE(12, 2)
TILE(13, 2) TILE(14, 2)
TILE(1, 3) TILE(2, 3) TILE(3, 3) TILE(4, 3) TILE(5, 3) TILE(6, 3) TILE(7, 3) TILE(8, 3)
TILE(1, 4) TILE(2, 4) TILE(3, 4) TILE(4, 4) TILE(5, 4) TILE(6, 4)

typedef void (*tile_fn)(const oc_dense *, int64_t r0, int64_t j0, __mmask16 mask);

static const int tallest[] = {14, 14, 8, 6};
static const tile_fn tiles[4][14] = {
    {tile_1_1, tile_2_1, tile_3_1, tile_4_1, tile_5_1, tile_6_1, tile_7_1, tile_8_1, tile_9_1, tile_10_1, tile_11_1, tile_12_1, tile_13_1,
     tile_14_1},
    {tile_1_2, tile_2_2, tile_3_2, tile_4_2, tile_5_2, tile_6_2, tile_7_2, tile_8_2, tile_9_2, tile_10_2, tile_11_2, tile_12_2, tile_13_2,
     tile_14_2},
    {tile_1_3, tile_2_3, tile_3_3, tile_4_3, tile_5_3, tile_6_3, tile_7_3, tile_8_3},
    {tile_1_4, tile_2_4, tile_3_4, tile_4_4, tile_5_4, tile_6_4},
};

static void straight(const oc_dense *whole) {
    oc_dense own = *whole, *d = &own;
    const int64_t columns = (d->n + 15) / 16;
    for (int64_t j = 0; j < d->n;) {
        const int64_t left = (d->n - j + 15) / 16;
        // Five vectors are three and two: one alone would wait for its sums.
        const int64_t wide = left == 5 ? 3 : left < 4 ? left : 4, end = j + 16 * wide;
        const __mmask16 mask = end > d->n ? (__mmask16)((1u << (d->n - end + 16)) - 1) : 0xFFFF;
        const int64_t tall = (d->m + tallest[wide - 1] - 1) / tallest[wide - 1];
        for (int64_t t = 0; t < tall; t++) {
            const int64_t r = oc_bound(d->m, tall, t, 1);
            const int64_t done = j / 16 * tall + wide * t;
            if (whole->lines) share_out(d, whole, done, done + wide, columns * tall);
            tiles[wide - 1][oc_bound(d->m, tall, t + 1, 1) - r - 1](d, r, j, mask);
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

// Sixteen columns of c, the rows of b from j on, for the sixteen rows of a from r0 on, which lie side by side in `turned`.
TARGET static void turned_tile(const oc_dense *d, const float *turned, int64_t r0, int64_t j) {
    const int64_t row = d->ldb;
    const float *p0 = d->b + j * row, *p1 = p0 + 5 * row, *p2 = p0 + 10 * row, *p3 = p0 + 15 * row;
    __m512 sum[TURNED];
#pragma GCC unroll 16
    for (int r = 0; r < TURNED; r++) sum[r] = _mm512_setzero_ps();
    for (int64_t p = 0; p < d->k; p++) {
        const __m512 x = _mm512_load_ps(turned + 16 * p);
#pragma GCC unroll 15
        for (int r = 0; r < 15; r++) sum[r] = _mm512_fmadd_ps(_mm512_set1_ps(AT(r)), x, sum[r]);
        sum[15] = _mm512_fmadd_ps(_mm512_set1_ps(*p3), x, sum[15]);
        p0++; p1++; p2++; p3++;
    }
    turn_16x16(sum);
    const int64_t rows = d->m - r0 < 16 ? d->m - r0 : 16;
#pragma GCC unroll 16
    for (int r = 0; r < TURNED; r++) if (r < rows) leave(d, r0 + r, j, 0xFFFF, sum[r]);
}

TARGET static void turn_rows(float *turned, const oc_dense *d, int64_t r0) {
    const int64_t rows = d->m - r0 < 16 ? d->m - r0 : 16;
    for (int64_t p = 0; p < d->k; p += 16) {
        const __mmask16 mask = d->k - p < 16 ? (__mmask16)((1u << (d->k - p)) - 1) : 0xFFFF;
        __m512 x[16];
#pragma GCC unroll 16
        for (int r = 0; r < 16; r++) x[r] = _mm512_maskz_loadu_ps(r < rows ? mask : 0, d->a + (r0 + (r < rows ? r : 0)) * d->lda + p);
        turn_16x16(x);
#pragma GCC unroll 16
        for (int r = 0; r < 16; r++) _mm512_store_ps(turned + 16 * (p + r), x[r]);
    }
}

static int is_turned(int64_t m, int64_t n) { return m <= FEW_TURNED && n % TURNED == 0; }
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

void oc_dense_rows(const oc_dense *d, float *scratch) {
#ifdef OC_X86
    if (!d->tb) {
        straight(d);
        return;
    }
    if (is_turned(d->m, d->n)) {
        static _Thread_local float turned[16 * (DEEPEST + 16)] __attribute__((aligned(64)));
        (void)scratch;
        for (int64_t r = 0; r < d->m; r += 16) {
            turn_rows(turned, d, r);
            for (int64_t j = 0; j < d->n; j += TURNED) turned_tile(d, turned, r, j);
        }
        return;
    }
    oc_dense s = *d;
    s.ldb = (d->n + 15) / 16 * 16;
    s.b = scratch;
    s.tb = 0;
    oc_lay_out(scratch, s.ldb, d->b, d->ldb, 1, d->k, d->n);
    straight(&s);
#else
    (void)d; (void)scratch;
#endif
}
