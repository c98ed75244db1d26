// The gradient of a dense layer's weights and their update by it, tile by tile: the gradient never leaves the first-level cache, and while a
// tile of it is computed, its part of the variable and of what the optimizer keeps is fetched.
#include "updates/adam.h"
#include "products/dense.h"
#include <string.h>

enum {
    BLOCK = 12288,   // floats of the gradient that are computed at a time where there are no tiles for that
    STEP = 6,        // rows of a tile
    WIDE = 64,       // its columns
    MOST_ROWS = 48,
    DEEPEST = 128,   // elements along k, as in dense.py
};

typedef struct {
    oc_dense d;
    oc_update_range range;
    const void *how;
    const char *var;
    int64_t parts;  // blocks
} updating;

static void update_part(void *context, int64_t part) {
    static _Thread_local float gradient[BLOCK] __attribute__((aligned(64)));
    static _Thread_local float turned[MOST_ROWS * DEEPEST] __attribute__((aligned(64)));
    const updating *w = context;
    const int64_t n = w->d.n, first = oc_bound(w->d.m, w->parts, part, 1), rows = oc_bound(w->d.m, w->parts, part + 1, 1) - first;
    oc_dense d = w->d;
    d.m = rows;
    d.a += first;
    d.c = gradient;
    if (n > WIDE) {
        // Rows of a that are far apart are brought together: tiles go over them once for each of their widths.
        for (int64_t p = 0; p < d.k; p++) memcpy(turned + p * rows, d.a + p * d.lda, (size_t)rows * sizeof(float));
        d.a = turned;
        d.lda = rows;
    }
    if (!oc_dense_fits(1, 0, STEP, WIDE, d.k)) {
        static _Thread_local float panel[DEEPEST * 32] __attribute__((aligned(64)));
        oc_gemm(1, panel, 1, 0, rows, n, d.k, d.a, d.lda, d.b, d.ldb, 0, NULL, d.c, n);
        w->range(w->how, first * n, (first + rows) * n, gradient);
        return;
    }
    const int64_t tall = (rows + STEP - 1) / STEP, height = rows / tall, higher = rows - height * tall;
    oc_dense tile = d;
    tile.ahead_row = n;
    for (int64_t j = 0; j < n; j += WIDE) {
        tile.b = d.b + j;
        tile.n = tile.ldc = n - j < WIDE ? n - j : WIDE;
        tile.a = d.a;
        int64_t at = first * n + j;
        for (int64_t t = 0; t < tall; t++) {
            tile.m = height + (t < higher);
            tile.ahead = w->var + 4 * at;
            oc_dense_rows(&tile, NULL);
            if (n <= WIDE) w->range(w->how, at, at + tile.m * n, gradient);
            else for (int64_t q = 0; q < tile.m; q++) w->range(w->how, at + q * n, at + q * n + tile.n, gradient + q * tile.n);
            tile.a += tile.m;
            at += tile.m * n;
        }
    }
}

// `a`, `b`: whose product the gradient is. `second`, `third`: what lies beside the variable.
static int updated(const oc_instr *in, const oc_state *state, oc_update_range range, const void *how, const float *a, const float *b, const float *second, const float *third) {
    const int64_t m = in->dense.m, n = in->dense.n, k = in->dense.k;
    const char *var = (const char *)OC_F32(dense_sgd.var);  // the first operand of each
    updating w = {
        .d = {
            .ta = 1, .m = m, .n = n, .k = k, .lda = m, .ldb = n, .ldc = n, .a = a, .b = b,
            .ahead_1 = (const char *)second - var, .ahead_2 = (const char *)third - var,
        },
        .range = range, .how = how, .var = var,
    };
    const int64_t fitting = BLOCK / n, rows = fitting < MOST_ROWS ? fitting : MOST_ROWS;
    w.parts = (m + rows - 1) / rows;
    const double cost = (double)(m * n) * ((double)k / 50.0 + 0.5);
    oc_parallel(oc_parts(state->threads, cost, 2) > 1 ? state->threads : 1, w.parts, update_part, &w);
    return OC_OK;
}

OC_KERNEL(oc_dense_adam) {
    const oc_adam_update how = oc_adam_of(in, state, in->dense_adam.nesterov);
    return updated(in, state, oc_adam_range, &how, OC_F32(dense_adam.a), OC_F32(dense_adam.b), how.m, how.v);
}

OC_KERNEL(oc_dense_sgd) {
    const oc_descent how = {.var = OC_F32(dense_sgd.var), .rate = *OC_F32(dense_sgd.alpha)};
    return updated(in, state, oc_descent_range, &how, OC_F32(dense_sgd.a), OC_F32(dense_sgd.b), how.var, how.var);
}

OC_KERNEL(oc_dense_momentum) {
    const oc_descent how = {.var = OC_F32(dense_momentum.var), .accum = OC_F32(dense_momentum.accum), .rate = *OC_F32(dense_momentum.lr), .momentum = *OC_F32(dense_momentum.momentum), .nesterov = in->dense_momentum.nesterov != 0};
    return updated(in, state, oc_descent_range, &how, OC_F32(dense_momentum.a), OC_F32(dense_momentum.b), how.accum, how.var);
}
