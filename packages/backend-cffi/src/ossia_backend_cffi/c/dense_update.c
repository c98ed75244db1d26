// The gradient of a dense layer's weights and Adam's update by it, a few rows at a time: the gradient never leaves the cache, and while it is
// computed, the variable and its averages are fetched.
#include "adam.h"
#include "dense.h"
#include <string.h>

enum {
    BLOCK = 12288,   // floats of the gradient that are computed at a time
    STEP = 6,        // rows of a tile
    MOST_ROWS = 168,
    DEEPEST = 128,   // elements along k, as in dense.py
};

typedef struct {
    oc_dense d;
    oc_adam_update u;
    int64_t rows, parts;  // rows of a block, blocks
} updating;

static void update_part(void *context, int64_t part) {
    static _Thread_local float gradient[BLOCK] __attribute__((aligned(64)));
    static _Thread_local float turned[MOST_ROWS * DEEPEST] __attribute__((aligned(64)));
    const updating *w = context;
    const int64_t first = part * w->rows, n = w->d.n, rows = w->d.m - first < w->rows ? w->d.m - first : w->rows;
    oc_dense d = w->d;
    d.m = rows;
    d.a += first;
    d.c = gradient;
    if (n > 64) {
        // Rows of a that are far apart are brought together: tiles go over them once for each of their widths.
        for (int64_t p = 0; p < d.k; p++) memcpy(turned + p * rows, d.a + p * d.lda, (size_t)rows * sizeof(float));
        d.a = turned;
        d.lda = rows;
    }
    d.ahead = (const char *)(w->u.var + first * n);
    d.lines = rows * n / 16;
    d.ahead_1 = (const char *)w->u.m - (const char *)w->u.var;
    d.ahead_2 = (const char *)w->u.v - (const char *)w->u.var;
    if (oc_dense_fits(1, 0, rows, n, d.k)) oc_dense_rows(&d, NULL);
    else {
        static _Thread_local float panel[DEEPEST * 32] __attribute__((aligned(64)));
        oc_gemm(1, panel, 1, 0, rows, n, d.k, d.a, d.lda, d.b, d.ldb, 0, NULL, d.c, n);
    }
    oc_adam_range(&w->u, first * n, (first + rows) * n, gradient);
}

// Buffers: as oc_adam, but a, b instead of the gradient: it is a' b. i: m, n, k, nesterov.
OC_KERNEL(oc_dense_adam) {
    const int64_t m = in->i[0], n = in->i[1], k = in->i[2];
    updating w = {
        .d = {.ta = 1, .m = m, .n = n, .k = k, .lda = m, .ldb = n, .ldc = n, .a = OC_F32(9), .b = OC_F32(10)},
        .u = oc_adam_of(in, state, in->i[3]),
    };
    const int64_t fitting = BLOCK / n;
    w.rows = fitting < STEP ? fitting : fitting / STEP * STEP;
    if (w.rows > MOST_ROWS) w.rows = MOST_ROWS;
    if (w.rows > m) w.rows = m;
    w.parts = (m + w.rows - 1) / w.rows;
    const double cost = (double)(m * n) * ((double)k / 50.0 + 0.5);
    oc_parallel(oc_parts(state->threads, cost, 2) > 1 ? state->threads : 1, w.parts, update_part, &w);
    return OC_OK;
}
