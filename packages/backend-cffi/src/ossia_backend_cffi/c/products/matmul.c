// Matrix products, put together from tiles. The second factor is laid out in panels as wide as a tile where that pays; rows and columns
// of the result are shared out among threads, the sums along k never are, so that every number of threads gives the same result.
#include "products/dense.h"
#include "images/image_groups.h"
#include "products/tiles.h"
#include <string.h>

enum {
    DEPTH = 512,        // elements along k that a tile sums at a time, half as many where vectors are short
    SHALLOW = 96,
    BLOCK_ROWS = 252,   // rows of a that are worked on at a time, a multiple of every tile's rows
    FEW_ROWS = 168,     // up to so many rows take b where it lies: laying it out costs as much as one tile
    BLOCK_DEPTH = OC_PANEL_DEPTH, BLOCK_COLUMNS = OC_PANEL_COLUMNS,  // the part of b that is laid out at a time
    NEAR = 1 << 16,     // elements of b up to which its rows are taken as they lie where a tile is deep enough
    LAID_OUT_ROWS = 256,  // rows of a up to which b is turned round for all of them
    NOT, IN_TURN, ALL,  // whether b is laid out in panels: each just before its use, or all of the part at hand
};

typedef float four __attribute__((vector_size(16), aligned(4)));
typedef int32_t order __attribute__((vector_size(16)));

// d[c * wide + r] = s[r * step + c], for 4 by 4 elements.
static inline void turn_4x4(float *d, int64_t wide, const float *s, int64_t step) {
    const four a = *(const four *)s, b = *(const four *)(s + step), c = *(const four *)(s + 2 * step), e = *(const four *)(s + 3 * step);
    const four ab0 = __builtin_shuffle(a, b, (order){0, 4, 1, 5}), ab1 = __builtin_shuffle(a, b, (order){2, 6, 3, 7});
    const four ce0 = __builtin_shuffle(c, e, (order){0, 4, 1, 5}), ce1 = __builtin_shuffle(c, e, (order){2, 6, 3, 7});
    *(four *)d = __builtin_shuffle(ab0, ce0, (order){0, 1, 4, 5});
    *(four *)(d + wide) = __builtin_shuffle(ab0, ce0, (order){2, 3, 6, 7});
    *(four *)(d + 2 * wide) = __builtin_shuffle(ab1, ce1, (order){0, 1, 4, 5});
    *(four *)(d + 3 * wide) = __builtin_shuffle(ab1, ce1, (order){2, 3, 6, 7});
}

#ifdef OC_X86
#include <immintrin.h>

// The same for sixteen columns at a time; what lies beyond them is masked.
__attribute__((target("avx512f"))) static void lay_out_512(float *d, int64_t wide, const float *b, int64_t ldb, int turned, int64_t depth, int64_t columns) {
    for (int64_t j = 0; j < wide; j += 16) {
        const int64_t left = columns - j < 0 ? 0 : columns - j;
        const __mmask16 there = left < 16 ? (__mmask16)((1u << left) - 1) : 0xFFFF, stored = wide - j < 16 ? (__mmask16)((1u << (wide - j)) - 1) : 0xFFFF;
        if (!turned || !left) {
            for (int64_t p = 0; p < depth; p++) _mm512_mask_storeu_ps(d + p * wide + j, stored, _mm512_maskz_loadu_ps(there, b + (left ? p * ldb + j : 0)));
            continue;
        }
        const float *s[16];
        for (int64_t q = 0; q < 16; q++) s[q] = b + (j + (q < left ? q : left - 1)) * ldb;
        int64_t p = 0;
        for (; p + 4 <= depth; p += 4) {
            __m512 row[4];
#pragma GCC unroll 4
            for (int q = 0; q < 4; q++) {
                row[q] = _mm512_castps128_ps512(_mm_loadu_ps(s[q] + p));
                row[q] = _mm512_insertf32x4(row[q], _mm_loadu_ps(s[q + 4] + p), 1);
                row[q] = _mm512_insertf32x4(row[q], _mm_loadu_ps(s[q + 8] + p), 2);
                row[q] = _mm512_insertf32x4(row[q], _mm_loadu_ps(s[q + 12] + p), 3);
            }
            const __m512d a = _mm512_castps_pd(_mm512_unpacklo_ps(row[0], row[1])), e = _mm512_castps_pd(_mm512_unpackhi_ps(row[0], row[1]));
            const __m512d c = _mm512_castps_pd(_mm512_unpacklo_ps(row[2], row[3])), f = _mm512_castps_pd(_mm512_unpackhi_ps(row[2], row[3]));
            float *to = d + p * wide + j;
            _mm512_mask_storeu_ps(to, stored, _mm512_maskz_mov_ps(there, _mm512_castpd_ps(_mm512_unpacklo_pd(a, c))));
            _mm512_mask_storeu_ps(to + wide, stored, _mm512_maskz_mov_ps(there, _mm512_castpd_ps(_mm512_unpackhi_pd(a, c))));
            _mm512_mask_storeu_ps(to + 2 * wide, stored, _mm512_maskz_mov_ps(there, _mm512_castpd_ps(_mm512_unpacklo_pd(e, f))));
            _mm512_mask_storeu_ps(to + 3 * wide, stored, _mm512_maskz_mov_ps(there, _mm512_castpd_ps(_mm512_unpackhi_pd(e, f))));
        }
        for (; p < depth; p++)
            for (int64_t q = 0; q < 16 && j + q < wide; q++) d[p * wide + j + q] = q < left ? s[q][p] : 0.0f;
    }
}
#endif

void oc_lay_out(float *d, int64_t wide, const float *b, int64_t ldb, int turned, int64_t depth, int64_t columns) {
#ifdef OC_X86
    if (oc_tiles_here()->lanes == 16) {
        lay_out_512(d, wide, b, ldb, turned, depth, columns);
        return;
    }
#endif
    if (!turned) {
        for (int64_t p = 0; p < depth; p++, d += wide) {
            const float *s = b + p * ldb;
            if (columns >= 4) {
                for (int64_t j = 0; j + 4 <= columns; j += 4) *(four *)(d + j) = *(const four *)(s + j);
                *(four *)(d + columns - 4) = *(const four *)(s + columns - 4);
            } else for (int64_t j = 0; j < columns; j++) d[j] = s[j];
            if (columns < wide) memset(d + columns, 0, (size_t)(wide - columns) * sizeof(float));
        }
        return;
    }
    int64_t j = 0;
    // Four columns at a time; the last four may overlap those before.
    for (; columns >= 4 && j < columns; j = j + 8 <= columns || j + 4 == columns ? j + 4 : columns - 4) {
        int64_t p = 0;
        for (; p + 4 <= depth; p += 4) turn_4x4(d + p * wide + j, wide, b + j * ldb + p, ldb);
        for (; p < depth; p++) for (int64_t q = j; q < j + 4; q++) d[p * wide + q] = b[q * ldb + p];
    }
    for (; j < wide; j++) for (int64_t p = 0; p < depth; p++) d[p * wide + j] = j < columns ? b[j * ldb + p] : 0.0f;
}

typedef struct {
    const oc_tiles *tiles;
    int ta, tb, laid_out;
    int64_t m, n, k, lda, ldb, ldc;
    const float *a, *b, *bias;
    float *c, *panels;
    int64_t width;                                     // of a panel
    int64_t first_column, columns, first_depth, depth; // the part of b at hand
    int64_t row_parts, column_parts;
    int add;
    const oc_dense *finish;                            // what follows, or NULL
} product;

static void lay_out_panel(void *context, int64_t panel) {
    const product *p = context;
    const int64_t at = panel * p->width, left = p->columns - at, columns = left < p->width ? left : p->width;
    const float *b = p->tb ? p->b + (p->first_column + at) * p->ldb + p->first_depth : p->b + p->first_depth * p->ldb + p->first_column + at;
    oc_lay_out(p->panels + at * p->depth, p->width, b, p->ldb, p->tb, p->depth, columns);
}

// Rows of a that are `step` apart fall into few sets of a cache if that is a large power of two.
static inline int collides(int64_t step) { return step % 512 == 0; }

// Lets a tile fetch one share of the panel of b at `column` and `k0`.
static void fetch_ahead(const product *p, oc_tile *t, int64_t column, int64_t k0, int64_t depth, int64_t share, int64_t shares) {
    const int64_t row = (int64_t)sizeof(float) * p->ldb, first = oc_bound(p->tb ? p->width : depth, shares, share, 1);
    if (p->tb) {
        t->ahead = (const char *)(p->b + (column + first) * p->ldb + k0);
        t->ahead_line = 128;
        t->ahead_lines = (depth + 31) / 32;
        t->ahead_jump = row - t->ahead_lines * t->ahead_line;
    } else {
        t->ahead = (const char *)(p->b + (k0 + first) * p->ldb + column);
        t->ahead_line = row;
    }
}

// Rows [row0, row1) and columns [col0, col1) of the part of b at hand, counted from its start.
static void multiply_block(const product *p, int64_t row0, int64_t row1, int64_t col0, int64_t col1) {
    static _Thread_local float own_a[BLOCK_ROWS * DEPTH] __attribute__((aligned(64)));
    static _Thread_local float own_b[DEPTH * 32] __attribute__((aligned(64)));
    const oc_tiles *tiles = p->tiles;
    const int64_t most = tiles->rows, lanes = tiles->lanes, none = 0;
    // a is laid out as well, element by element down a tile, where it is used often enough.
    const int copied = col1 - col0 > 2 * p->width && (p->laid_out != IN_TURN || collides(p->lda) || (p->ta && col1 - col0 > 4 * p->width));
    // Shallow products write more than they read: each row of c from end to end, then. Else a panel of b meets all rows of a block.
    const int64_t stretch = p->depth <= SHALLOW && p->laid_out != IN_TURN ? 1 : BLOCK_ROWS;
    const int64_t deepest = lanes == 16 ? DEPTH : DEPTH / 2, pieces = (p->depth + deepest - 1) / deepest;
    for (int64_t piece = 0; piece < pieces; piece++) {
        const int64_t depth0 = oc_bound(p->depth, pieces, piece, 4), end = oc_bound(p->depth, pieces, piece + 1, 4);
        const int64_t depth = end - depth0, k0 = p->first_depth + depth0;
        const int first = !p->add && !k0, last = k0 + depth == p->k;
        for (int64_t block = row0; block < row1; block += BLOCK_ROWS) {
            const int64_t rows = row1 - block < BLOCK_ROWS ? row1 - block : BLOCK_ROWS;
            // Tiles of nearly the same height: one of few rows at the end would wait for its own sums.
            const int64_t tall = (rows + most - 1) / most;
            for (int64_t tile = 0; copied && tile < tall; tile++) {
                const int64_t r = oc_bound(rows, tall, tile, 1), height = oc_bound(rows, tall, tile + 1, 1) - r;
                const float *s = p->ta ? p->a + k0 * p->lda + block + r : p->a + (block + r) * p->lda + k0;
                oc_lay_out(own_a + r * DEPTH, height, s, p->lda, !p->ta, depth, height);
            }
            for (int64_t low = 0; low < tall; low += stretch)
            for (int64_t at = col0; at < col1; at += p->width) {
                const int64_t left = col1 - at, columns = left < p->width ? left : p->width, column = p->first_column + at;
                oc_tile t = {.offsets = &none, .runs = 1, .len = depth, .ldc = p->ldc, .columns = columns, .add = !first, .ldb = p->width};
                if (p->laid_out == ALL) t.b = p->panels + at * p->depth + depth0 * p->width;
                else if (p->laid_out == IN_TURN) {
                    oc_lay_out(own_b, p->width, p->tb ? p->b + column * p->ldb + k0 : p->b + k0 * p->ldb + column, p->ldb, p->tb, depth, columns);
                    t.b = own_b;
                } else if (columns % lanes) t.b = p->panels + depth0 * p->width;
                else { t.b = p->b + k0 * p->ldb + column; t.ldb = p->ldb; }
                if (last && p->bias) t.bias = p->bias + column;
                const int64_t shares = tall < 4 ? tall : 4;
                for (int64_t tile = low; tile < tall && tile < low + stretch; tile++) {
                    const int64_t r = oc_bound(rows, tall, tile, 1), height = oc_bound(rows, tall, tile + 1, 1) - r;
                    t.a = copied ? own_a + r * DEPTH : p->ta ? p->a + k0 * p->lda + block + r : p->a + (block + r) * p->lda + k0;
                    t.step = copied ? height : p->lda;
                    t.c = p->c + (block + r) * p->ldc + column;
                    t.a2 = t.a + (height + 1) / 2 * t.step;
                    t.c2 = t.c + (height + 1) / 2 * t.ldc;
                    t.ahead = NULL;
                    t.ahead_line = t.ahead_lines = t.ahead_jump = 0;
                    // The first tiles fetch the panel after this one.
                    if (tile < shares && stretch > 1) {
                        if (p->laid_out == ALL && at + p->width < col1) {
                            t.ahead = (const char *)(t.b + p->depth * p->width + oc_bound(depth, shares, tile, 1) * p->width);
                            t.ahead_line = (int64_t)sizeof(float) * p->width;
                        } else if (p->laid_out != ALL && at + p->width < col1) fetch_ahead(p, &t, column + p->width, k0, depth, tile, shares);
                        else if (p->laid_out != ALL && piece + 1 < pieces)
                            fetch_ahead(p, &t, p->first_column + col0, k0 + depth, oc_bound(p->depth, pieces, piece + 2, 4) - end, tile, shares);
                    }
                    tiles->fn[height - 1][p->ta || copied][columns > lanes](&t);
                }
            }
        }
    }
}

static void multiply_part(void *context, int64_t part) {
    const product *p = context;
    const int64_t across = part % p->column_parts, down = part / p->column_parts;
    const int64_t row0 = oc_bound(p->m, p->row_parts, down, p->tiles->rows), row1 = oc_bound(p->m, p->row_parts, down + 1, p->tiles->rows);
    const int64_t col0 = oc_bound(p->columns, p->column_parts, across, p->width), col1 = oc_bound(p->columns, p->column_parts, across + 1, p->width);
    multiply_block(p, row0, row1, col0, col1);
    if (p->finish && p->first_depth + p->depth == p->k) {
        oc_dense d = *p->finish;
        const int64_t at = row0 * p->ldc + p->first_column + col0;
        d.m = row1 - row0;
        d.n = col1 - col0;
        d.c = p->c + at;
        if (d.gate) d.gate += at;
        oc_dense_finish(&d);
    }
}

// For few rows: the rows of b are added up as they lie in memory, columns [first, last).
OC_CLONES static void add_up_rows(const product *p, int64_t first, int64_t last) {
    for (int64_t i = 0; i < p->m; i++) {
        float *restrict c = p->c + i * p->ldc;
        if (!p->add) memset(c + first, 0, (size_t)(last - first) * sizeof(float));
        const int64_t e = p->ta ? p->lda : 1;
        const float *a = p->ta ? p->a + i : p->a + i * p->lda;
        int64_t q = 0;
        for (; q + 4 <= p->k; q += 4) {
            const float x0 = a[q * e], x1 = a[(q + 1) * e], x2 = a[(q + 2) * e], x3 = a[(q + 3) * e];
            const float *restrict b0 = p->b + q * p->ldb, *restrict b1 = b0 + p->ldb, *restrict b2 = b1 + p->ldb, *restrict b3 = b2 + p->ldb;
            for (int64_t j = first; j < last; j++) c[j] += (x0 * b0[j] + x1 * b1[j]) + (x2 * b2[j] + x3 * b3[j]);
        }
        for (; q < p->k; q++) for (int64_t j = first; j < last; j++) c[j] += a[q * e] * p->b[q * p->ldb + j];
        if (p->bias) for (int64_t j = first; j < last; j++) c[j] += p->bias[j];
    }
}

OC_CLONES static float dot(const float *restrict x, int64_t step, const float *restrict y, int64_t n) {
    float part[32] = {0};
    int64_t k = 0;
    if (step == 1) for (; k + 32 <= n; k += 32) for (int q = 0; q < 32; q++) part[q] += x[k + q] * y[k + q];
    for (int half = 16; half; half /= 2) for (int q = 0; q < half; q++) part[q] += part[q + half];
    float total = part[0];
    for (; k < n; k++) total += x[k * step] * y[k];
    return total;
}

static void few_rows_part(void *context, int64_t part) {
    const product *p = context;
    const int64_t first = oc_bound(p->n, p->column_parts, part, 64), last = oc_bound(p->n, p->column_parts, part + 1, 64);
    if (!p->tb) { add_up_rows(p, first, last); return; }
    for (int64_t j = first; j < last; j++)
        for (int64_t i = 0; i < p->m; i++) {
            const float y = dot(p->ta ? p->a + i : p->a + i * p->lda, p->ta ? p->lda : 1, p->b + j * p->ldb, p->k);
            float *c = p->c + i * p->ldc + j;
            *c = (p->add ? *c : 0.0f) + y + (p->bias ? p->bias[j] : 0.0f);
        }
}

// Few columns leave most of a vector empty; where a lies along m, the columns of the turned product fill it.
static int is_better_turned(int ta, int64_t m, int64_t n) { return ta && n > 1 && n <= OC_FEW_COLUMNS && m >= 64; }

// So do few rows of a if b would have to be turned: a and the result are smaller.
static int is_smaller_turned(int ta, int tb, int64_t m, int64_t n, int64_t k) {
    return tb && !ta && m <= OC_TURNED_ROWS && (16 - m % 16) % 16 < 5 && 2 * m <= n && 2 * m * (n + k) <= n * k;
}

typedef struct { const float *turned; float *c; int64_t m, n, ldc, parts; } turning;

// c[i, j] = turned[j, i], a range of columns.
static void turn_part(void *context, int64_t part) {
    const turning *t = context;
    const int64_t last = oc_bound(t->n, t->parts, part + 1, 16);
    for (int64_t j = oc_bound(t->n, t->parts, part, 16); j < last; j += 16) {
        const int64_t columns = last - j < 16 ? last - j : 16;
        int64_t i = 0;
        for (; i + 4 <= t->m; i += 4) {
            int64_t q = 0;
            for (; q + 4 <= columns; q += 4) turn_4x4(t->c + i * t->ldc + j + q, t->ldc, t->turned + (j + q) * t->m + i, t->m);
            for (; q < columns; q++) for (int64_t e = i; e < i + 4; e++) t->c[e * t->ldc + j + q] = t->turned[(j + q) * t->m + e];
        }
        for (; i < t->m; i++) for (int64_t q = 0; q < columns; q++) t->c[i * t->ldc + j + q] = t->turned[(j + q) * t->m + i];
    }
}

// Returns whether it has done what follows, too.
static int multiply(int threads, float *scratch, int ta, int tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
                    const float *b, int64_t ldb, int add, const float *bias, float *c, int64_t ldc, const oc_dense *finish) {
    const oc_tiles *tiles = oc_tiles_here();
    product p = {.tiles = tiles, .ta = ta, .tb = tb, .m = m, .n = n, .k = k, .lda = lda, .ldb = ldb, .ldc = ldc, .a = a,
                 .b = b, .bias = bias, .c = c, .panels = scratch, .width = 2 * tiles->lanes, .add = add, .finish = finish};
    if (!m || !n) return 1;
    if (!bias && n == 1 && ldc == 1 && m > 1) {
        // A column is a row as it lies in memory: (a b)' = b' a'.
        multiply(threads, scratch, !tb, !ta, 1, m, k, b, ldb, a, lda, add, NULL, c, m, NULL);
        return 0;
    }
    if ((is_better_turned(ta, m, n) || is_smaller_turned(ta, tb, m, n, k)) && !bias && !add) {
        multiply(threads, scratch + (m * n + 15) / 16 * 16, !tb, !ta, n, m, k, b, ldb, a, lda, 0, NULL, scratch, m, NULL);
        turning t = {scratch, c, m, n, ldc, oc_parts(threads, (double)(m * n) * 0.5, (n + 15) / 16)};
        oc_parallel(threads, t.parts, turn_part, &t);
        return 0;
    }
    const double work = (double)m * (double)n * (double)k;
    if (m < 4 && (n >= 64 || tb)) {
        p.column_parts = oc_parts(threads, work / 8.0, (n + 63) / 64);
        oc_parallel(threads, p.column_parts, few_rows_part, &p);
        return 0;
    }
    const int in_place = m <= FEW_ROWS || k * n <= 8192;
    // Rows of b a multiple of 4 KiB apart push each other out of the caches before the next tile comes to read them.
    const int apart = ldb % 1024 || m <= 2 * tiles->rows || k * n <= NEAR;
    p.laid_out = !tb && in_place && apart ? NOT : m <= FEW_ROWS ? IN_TURN : ALL;
    const int64_t across = p.laid_out == ALL ? BLOCK_COLUMNS : n, blocks = p.laid_out == ALL ? (k + BLOCK_DEPTH - 1) / BLOCK_DEPTH : 1;
    for (p.first_column = 0; p.first_column < n; p.first_column += across) {
        p.columns = n - p.first_column < across ? n - p.first_column : across;
        const int64_t panels = (p.columns + p.width - 1) / p.width;
        for (int64_t block = 0; block < blocks; block++) {
            p.first_depth = oc_bound(k, blocks, block, 4);
            p.depth = oc_bound(k, blocks, block + 1, 4) - p.first_depth;
            const double share = (double)m * (double)p.columns * (double)p.depth / 50.0;
            if (p.laid_out == ALL) oc_parallel(oc_parts(threads, share, 2) > 1 ? threads : 1, panels, lay_out_panel, &p);
            if (p.laid_out == NOT && p.columns % tiles->lanes) {
                // Only the last columns, which do not fill a vector.
                const int64_t at = (panels - 1) * p.width;
                oc_lay_out(p.panels, p.width, b + at, ldb, 0, k, n - at);
            }
            const int64_t parts = oc_parts(threads, share, 1 << 20), heights = (m + tiles->rows - 1) / tiles->rows;
            if (m <= FEW_ROWS) {
                // Few parts, each of which reads columns of b that no other does; wide ones where a is laid out for each.
                const int64_t most = collides(lda) || ta ? 2 * threads : 4 * threads, few = parts < most ? parts : most;
                p.column_parts = few < panels ? few : panels;
                p.row_parts = p.laid_out == IN_TURN ? 1 : few / p.column_parts < heights ? few / p.column_parts : heights;
            } else {
                p.row_parts = parts < heights ? parts : heights;
                p.column_parts = (parts + p.row_parts - 1) / p.row_parts;
                if (p.column_parts > panels) p.column_parts = panels;
            }
            oc_parallel(threads, p.row_parts * p.column_parts, multiply_part, &p);
        }
    }
    return 1;
}

void oc_gemm(int threads, float *scratch, int ta, int tb, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
             int64_t ldb, int add, const float *bias, float *c, int64_t ldc) {
    multiply(threads, scratch, ta, tb, m, n, k, a, lda, b, ldb, add, bias, c, ldc, NULL);
}

typedef struct { const oc_dense *d; int64_t parts; } sharing;

static void dense_part(void *context, int64_t part) {
    const sharing *s = context;
    oc_dense d = *s->d;
    const int64_t first = oc_bound(d.m, s->parts, part, 1);
    d.m = oc_bound(d.m, s->parts, part + 1, 1) - first;
    d.a += first * d.lda;
    d.c += first * d.ldc;
    if (d.gate) d.gate += first * d.ldc;
    oc_dense_rows(&d, NULL);
}

// A product and what follows it.
static void dense(int threads, float *scratch, const oc_dense *d) {
    const double cost = (double)d->m * (double)d->n * (double)d->k / 50.0;
    // A turned factor is laid out by one thread.
    if (!d->ta && (d->tb ? oc_parts(threads, cost, 2) < 2 && d->m <= LAID_OUT_ROWS : d->k * d->n <= NEAR) &&
        oc_dense_fits(0, d->tb, d->m, d->n, d->k)) {
        sharing s = {d, d->tb ? 1 : oc_parts(threads, cost, d->m / 8)};
        if (s.parts > 1) oc_parallel(threads, s.parts, dense_part, &s);
        else oc_dense_rows(d, scratch);
        return;
    }
    oc_dense rest = *d;
    rest.bias = NULL;
    const int follows = d->relu || d->gate;
    if (!multiply(threads, scratch, d->ta, d->tb, d->m, d->n, d->k, d->a, d->lda, d->b, d->ldb, 0, d->bias, d->c, d->ldc,
                  follows ? &rest : NULL) && follows) oc_dense_finish(&rest);
}

static oc_dense dense_of(const oc_instr *in, const oc_state *state, int64_t first, int64_t rows) {
    const int64_t n = in->matmul.n, k = in->matmul.k;
    const int ta = in->matmul.ta != 0;
    oc_dense d = {
        .ta = ta, .tb = in->matmul.tb != 0, .relu = in->matmul.follows == OC_RELU, .m = rows, .n = n, .k = k, .lda = ta ? in->matmul.m : k,
        .ldb = in->matmul.tb ? k : n, .ldc = n, .a = OC_F32(matmul.a) + first * k, .b = OC_F32(matmul.b), .bias = in->matmul.bias < 0 ? NULL : OC_F32(matmul.bias),
        .gate = in->matmul.follows == OC_GATE ? OC_F32(matmul.gate) + first * n : NULL, .c = OC_F32(matmul.out) + first * n,
    };
    return d;
}

OC_KERNEL(oc_matmul) {
    const int64_t m = in->matmul.m, n = in->matmul.n, k = in->matmul.k;
    const int ta = (int)in->matmul.ta, tb = (int)in->matmul.tb;
    const float *bias = in->matmul.bias < 0 ? NULL : OC_F32(matmul.bias);
    float *c = OC_F32(matmul.out);
    if (!k && in->matmul.adds) return OC_OK;
    if (!k) {
        for (int64_t i = 0; i < m * n; i++) c[i] = 0.0f;
        const oc_dense d = dense_of(in, state, 0, m);
        oc_dense_finish(&d);
    } else if (in->matmul.adds) {
        oc_gemm(state->threads, (float *)state->scratch, ta, tb, m, n, k, OC_F32(matmul.a), ta ? m : k, OC_F32(matmul.b), tb ? k : n, 1, bias, c, n);
    } else {
        const oc_dense d = dense_of(in, state, 0, m);
        dense(state->threads, (float *)state->scratch, &d);
    }
    return OC_OK;
}

// In a group the images are rows of a. A second factor that lies turned is turned back for all of them, where that is worth it.
static void prepare_matmul(const oc_instr *in, const oc_state *state, float *shared, int64_t part, int64_t parts) {
    const oc_dense d = dense_of(in, state, 0, in->matmul.m);
    if (d.tb && oc_dense_fits(0, 1, d.m, d.n, d.k)) oc_dense_turn(shared, &d, oc_bound(d.n, parts, part, 16), oc_bound(d.n, parts, part + 1, 16));
}

static void matmul_images(const oc_images_part *p) {
    oc_dense d = dense_of(p->in, p->state, p->first, p->last - p->first);
    if (p->shared && d.tb && oc_dense_fits(0, 1, d.m, d.n, d.k)) {
        d.tb = 0;
        d.b = p->shared;
        d.ldb = (d.n + 15) / 16 * 16;
        oc_dense_rows(&d, NULL);
    } else dense(1, p->own, &d);
}

const oc_member oc_matmul_member = {prepare_matmul, matmul_images, NULL};
