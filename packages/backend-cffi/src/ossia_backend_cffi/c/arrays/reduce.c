// Reductions of [outer, size, inner] along the middle.
#include "images/image_groups.h"
#include <math.h>

enum { CHUNKS = 16, WIDE = 512, LONG = 200000 };
enum { R_SUM, R_MEAN, R_MAX, R_MIN, R_PROD };

OC_CLONES static float sum_row(const float *x, int64_t n) {
    // Sixteen partial sums: fast, and closer to the true sum than one running total.
    float part[16] = {0};
    int64_t k = 0;
    for (; k + 16 <= n; k += 16)
        for (int q = 0; q < 16; q++) part[q] += x[k + q];
    float total = 0.0f;
    for (int q = 0; q < 16; q++) total += part[q];
    for (; k < n; k++) total += x[k];
    return total;
}

static float sum_pairwise(const float *x, int64_t n) {
    if (n <= 4096) return sum_row(x, n);
    const int64_t half = (n / 2) & ~(int64_t)15;
    return sum_pairwise(x, half) + sum_pairwise(x + half, n - half);
}

OC_CLONES static void add_rows(float *restrict d, const float *restrict x, int64_t rows, int64_t n) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t k = 0; k < n; k++) d[k] += x[r * n + k];
}

// The larger of two numbers, or the smaller one: the second where they do not compare.
#define LARGER(v, w) ((v) > (w) ? (v) : (w))
#define SMALLER(v, w) ((v) < (w) ? (v) : (w))
#define TIMES(v, w) ((w) * (v))

#define FOLD_ROW(JOIN)                                                                   \
    do {                                                                                 \
        for (; k + 16 <= n; k += 16)                                                     \
            for (int q = 0; q < 16; q++) part[q] = JOIN(x[k + q], part[q]);              \
        for (int q = 0; q < 16; q++) total = JOIN(part[q], total);                       \
        for (; k < n; k++) total = JOIN(x[k], total);                                    \
    } while (0)

// The extreme or the product of a row, from `total`, which changes nothing.
OC_CLONES static float fold_row(int kind, float total, const float *x, int64_t n) {
    float part[16];
    int64_t k = 0;
    for (int q = 0; q < 16; q++) part[q] = total;
    if (kind == R_MAX) FOLD_ROW(LARGER);
    else if (kind == R_MIN) FOLD_ROW(SMALLER);
    else FOLD_ROW(TIMES);
    return total;
}

#define FOLD_ROWS(JOIN)                                                                  \
    do {                                                                                 \
        for (int64_t r = 0; r < rows; r++)                                               \
            for (int64_t k = 0; k < n; k++) d[k] = JOIN(x[r * n + k], d[k]);             \
    } while (0)

OC_CLONES static void fold_rows(int kind, float *restrict d, const float *restrict x, int64_t rows, int64_t n) {
    if (kind == R_MAX) FOLD_ROWS(LARGER);
    else if (kind == R_MIN) FOLD_ROWS(SMALLER);
    else FOLD_ROWS(TIMES);
}

typedef struct {
    int kind;
    int64_t outer, size, inner, parts, chunks;
    float *d;
    const float *x;
    float *sums;  // of chunks
} reduction;

static void reduce_rows(const reduction *p, int64_t first, int64_t last) {
    const int kind = p->kind;
    const int64_t size = p->size, inner = p->inner;
    for (int64_t o = first; o < last; o++) {
        const float *block = p->x + o * size * inner;
        float *row = p->d + o * inner;
        if (kind == R_SUM || kind == R_MEAN) {
            if (inner == 1) row[0] = sum_pairwise(block, size);
            else { memset(row, 0, (size_t)inner * sizeof(float)); add_rows(row, block, size, inner); }
            if (kind == R_MEAN) for (int64_t k = 0; k < inner; k++) row[k] /= (float)size;
            continue;
        }
        if (size == 1) { memcpy(row, block, (size_t)inner * sizeof(float)); continue; }  // NaN stays
        const float none = kind == R_MAX ? -INFINITY : kind == R_MIN ? INFINITY : 1.0f;
        if (inner == 1) { row[0] = fold_row(kind, none, block, size); continue; }
        for (int64_t k = 0; k < inner; k++) row[k] = none;
        fold_rows(kind, row, block, size, inner);
    }
}

static void reduce_part(void *context, int64_t part) {
    const reduction *p = context;
    reduce_rows(p, oc_bound(p->outer, p->parts, part, 1), oc_bound(p->outer, p->parts, part + 1, 1));
}

static void sum_chunk(void *context, int64_t chunk) {
    const reduction *p = context;
    const int64_t first = oc_bound(p->size, p->chunks, chunk, 16), last = oc_bound(p->size, p->chunks, chunk + 1, 16);
    float *d = p->sums + chunk * p->inner;
    if (p->inner == 1) { d[0] = sum_pairwise(p->x + first, last - first); return; }
    memset(d, 0, (size_t)p->inner * sizeof(float));
    add_rows(d, p->x + first * p->inner, last - first, p->inner);
}

OC_KERNEL(oc_reduce) {
    reduction p = {.kind = (int)in->reduce.kind, .outer = in->reduce.outer, .size = in->reduce.size, .inner = in->reduce.inner, .d = OC_F32(reduce.out), .x = OC_F32(reduce.x)};
    const double elements = (double)p.outer * (double)p.size * (double)p.inner;
    if (p.outer == 1 && p.inner <= WIDE && p.kind <= R_MEAN && elements >= LONG) {
        // One long sum: in chunks that follow from the sizes alone, whose sums are added in order.
        float sums[CHUNKS * WIDE];
        p.chunks = p.size < 16 * CHUNKS ? 1 : CHUNKS;
        p.sums = sums;
        oc_parallel(state->threads, p.chunks, sum_chunk, &p);
        for (int64_t k = 0; k < p.inner; k++) {
            float total = sums[k];
            for (int64_t c = 1; c < p.chunks; c++) total += sums[c * p.inner + k];
            p.d[k] = p.kind == R_MEAN ? total / (float)p.size : total;
        }
        return OC_OK;
    }
    p.parts = oc_parts(state->threads, elements * (p.kind <= R_MEAN ? 0.1 : 0.5), p.outer);
    oc_parallel(state->threads, p.parts, reduce_part, &p);
    return OC_OK;
}

// In a group, sums over them, and over what lies in them before the last dimension.
static void sum_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const int64_t n = in->reduce.inner, each = in->reduce.size / p->images;
    float *sums = p->shared + p->chunk * n;
    if (p->fresh) memset(sums, 0, (size_t)n * sizeof(float));
    add_rows(sums, OC_F32(reduce.x) + p->first * each * n, (p->last - p->first) * each, n);
}

static void finish_sum(const oc_instr *in, const oc_state *state, const float *shared, int64_t chunks) {
    oc_add_chunks(1, OC_F32(reduce.out), shared, in->reduce.inner, chunks);
}

const oc_member oc_sum_member = {NULL, sum_images, finish_sum};
