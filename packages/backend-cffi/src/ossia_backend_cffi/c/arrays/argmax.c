// The place of the largest or the smallest element along the middle of [outer, size, inner]; of equal ones the first. NaN is passed over.
#include "program/program.h"
#include <math.h>

enum { LANES = 16, BLOCK = 512 };

typedef struct {
    const oc_instr *in;
    const oc_state *state;
    int64_t outer, size, inner, parts;
} places;

// The first place of the extreme of a row; 0 if nothing is larger than minus infinity.
#define EXTREME_OF_ROW(NAME, BETTER, NONE)                                                                         \
    OC_CLONES static int64_t NAME(const float *x, int64_t n) {                                                     \
        float part[LANES], top = NONE;                                                                             \
        int64_t k = 0;                                                                                             \
        for (int q = 0; q < LANES; q++) part[q] = NONE;                                                            \
        for (; k + LANES <= n; k += LANES)                                                                         \
            for (int q = 0; q < LANES; q++) part[q] = x[k + q] BETTER part[q] ? x[k + q] : part[q];                \
        for (int q = 0; q < LANES; q++) top = part[q] BETTER top ? part[q] : top;                                  \
        for (; k < n; k++) top = x[k] BETTER top ? x[k] : top;                                                     \
        if (!(top BETTER NONE)) return 0;                                                                          \
        for (k = 0; k + LANES <= n; k += LANES) {                                                                  \
            int found = 0;                                                                                         \
            for (int q = 0; q < LANES; q++) found |= x[k + q] == top;                                              \
            if (found) break;                                                                                      \
        }                                                                                                          \
        while (k < n && x[k] != top) k++;                                                                          \
        return k < n ? k : 0;  /* another thread may have changed the row in between */                            \
    }

EXTREME_OF_ROW(largest_place, >, -INFINITY)
EXTREME_OF_ROW(smallest_place, <, INFINITY)

// The same for `width` columns that lie side by side, `stride` elements from row to row.
#define EXTREMES_OF_COLUMNS(NAME, BETTER, NONE)                                                                    \
    OC_CLONES static void NAME(const float *restrict x, int64_t size, int64_t stride, int64_t width, int32_t *restrict at) { \
        float top[BLOCK];                                                                                          \
        for (int64_t k = 0; k < width; k++) { top[k] = NONE; at[k] = 0; }                                          \
        for (int64_t r = 0; r < size; r++, x += stride)                                                            \
            for (int64_t k = 0; k < width; k++) {                                                                  \
                const int better = x[k] BETTER top[k];                                                             \
                top[k] = better ? x[k] : top[k];                                                                   \
                at[k] = better ? (int32_t)r : at[k];                                                               \
            }                                                                                                      \
    }

EXTREMES_OF_COLUMNS(largest_places, >, -INFINITY)
EXTREMES_OF_COLUMNS(smallest_places, <, INFINITY)

static inline void put(const oc_instr *in, const oc_state *state, int64_t place, int64_t value) {
    if (in->argmax.out_bytes == 4) OC_I32(argmax.out)[place] = (int32_t)value;
    else OC_I64(argmax.out)[place] = value;
}

static void rows_part(void *context, int64_t part) {
    const places *p = context;
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const int64_t last = oc_bound(p->outer, p->parts, part + 1, 1);
    for (int64_t o = oc_bound(p->outer, p->parts, part, 1); o < last; o++) {
        const float *x = OC_F32(argmax.x) + o * p->size;
        put(in, state, o, in->argmax.smallest ? smallest_place(x, p->size) : largest_place(x, p->size));
    }
}

static void columns_part(void *context, int64_t part) {
    const places *p = context;
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const int64_t blocks = (p->inner + BLOCK - 1) / BLOCK, last = oc_bound(p->outer * blocks, p->parts, part + 1, 1);
    int32_t at[BLOCK];
    for (int64_t b = oc_bound(p->outer * blocks, p->parts, part, 1); b < last; b++) {
        const int64_t o = b / blocks, first = b % blocks * BLOCK, left = p->inner - first, width = left < BLOCK ? left : BLOCK;
        const float *x = OC_F32(argmax.x) + o * p->size * p->inner + first;
        if (in->argmax.smallest) smallest_places(x, p->size, p->inner, width, at);
        else largest_places(x, p->size, p->inner, width, at);
        for (int64_t k = 0; k < width; k++) put(in, state, o * p->inner + first + k, at[k]);
    }
}

OC_KERNEL(oc_argmax) {
    places p = {.in = in, .state = state, .outer = in->argmax.outer, .size = in->argmax.size, .inner = in->argmax.inner};
    const double cost = (double)p.outer * (double)p.size * (double)p.inner * 0.3;
    if (p.size > INT32_MAX) return OC_REFUSED;
    const int64_t items = p.inner == 1 ? p.outer : p.outer * ((p.inner + BLOCK - 1) / BLOCK);
    p.parts = oc_parts(state->threads, cost, items);
    oc_parallel(state->threads, p.parts, p.inner == 1 ? rows_part : columns_part, &p);
    return OC_OK;
}
