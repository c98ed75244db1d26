// Softmax and cross entropies of rows. Rows are shared by threads; what a row gives does not depend on their number.
#include "chains/functions.h"
#include "program/index.h"
#include "program/program.h"

enum { LANES = 16 };

typedef struct {
    const oc_instr *in;
    const oc_state *state;
    int (*row)(const oc_instr *, const oc_state *, int64_t r, int64_t n);  // what is computed of a row; 1 if it is refused
    int64_t rows, n, parts;
    int wrong;  // whether one was
} rows_of;

// The largest element. NaN is passed over: it shows in the sum of the exponentials, and so in all that a row gives.
OC_CLONES static float largest(const float *x, int64_t n) {
    float part[LANES], top = -INFINITY;
    int64_t k = 0;
    for (int q = 0; q < LANES; q++) part[q] = -INFINITY;
    for (; k + LANES <= n; k += LANES)
        for (int q = 0; q < LANES; q++) part[q] = x[k + q] > part[q] ? x[k + q] : part[q];
    for (int q = 0; q < LANES; q++) top = part[q] > top ? part[q] : top;
    for (; k < n; k++) top = x[k] > top ? x[k] : top;
    return top;
}

OC_CLONES static float sum(const float *x, int64_t n) {
    float part[LANES] = {0}, total = 0.0f;
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int q = 0; q < LANES; q++) part[q] += x[k + q];
    for (int q = 0; q < LANES; q++) total += part[q];
    for (; k < n; k++) total += x[k];
    return total;
}

// d = exp(x - top); d may be x.
OC_CLONES static void exponentials(float *d, const float *x, float top, int64_t n) {
    for (int64_t k = 0; k < n; k++) d[k] = exp_one(x[k] - top);
}

OC_CLONES static void scale(float *restrict d, float by, int64_t n) { for (int64_t k = 0; k < n; k++) d[k] *= by; }
OC_CLONES static void shift(float *d, const float *x, float top, float by, int64_t n) { for (int64_t k = 0; k < n; k++) d[k] = x[k] - top - by; }

// Labels times minus the logarithm of the softmax, summed; the gradient of that in the place of the exponentials.
OC_CLONES static float cross_entropy(float *restrict d, const float *x, const float *y, float top, float l, float s, int64_t n) {
    float part[LANES] = {0}, loss = 0.0f;
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int q = 0; q < LANES; q++) {
            part[q] += y[k + q] * (l - (x[k + q] - top));
            d[k + q] = d[k + q] * s - y[k + q];
        }
    for (int q = 0; q < LANES; q++) loss += part[q];
    for (; k < n; k++) { loss += y[k] * (l - (x[k] - top)); d[k] = d[k] * s - y[k]; }
    return loss;
}

static void rows_part(void *context, int64_t part) {
    rows_of *p = context;
    const int64_t last = oc_bound(p->rows, p->parts, part + 1, 1);
    for (int64_t r = oc_bound(p->rows, p->parts, part, 1); r < last; r++)
        if (p->row(p->in, p->state, r, p->n)) { __atomic_store_n(&p->wrong, 1, __ATOMIC_RELAXED); return; }
}

// Shares the rows among threads; 1 if one was refused.
static int share_rows(rows_of p, double nanoseconds) {
    p.parts = oc_parts(p.state->threads, (double)p.rows * (double)p.n * nanoseconds, p.rows);
    oc_parallel(p.state->threads, p.parts, rows_part, &p);
    return p.wrong;
}

static int softmax_row(const oc_instr *in, const oc_state *state, int64_t r, int64_t n) {
    const float *x = OC_F32(softmax.x) + r * n, top = largest(x, n);
    float *d = OC_F32(softmax.out) + r * n;
    exponentials(d, x, top, n);
    const float total = sum(d, n);
    if (in->softmax.logarithm) shift(d, x, top, logf(total), n);
    else scale(d, 1.0f / total, n);
    return 0;
}

static int xent_row(const oc_instr *in, const oc_state *state, int64_t r, int64_t n) {
    const float *x = OC_F32(xent.logits) + r * n, *y = OC_F32(xent.labels) + r * n, top = largest(x, n);
    float *d = OC_F32(xent.backprop) + r * n;
    exponentials(d, x, top, n);
    const float total = sum(d, n);
    OC_F32(xent.loss)[r] = cross_entropy(d, x, y, top, logf(total), 1.0f / total, n);
    return 0;
}

static int sparse_xent_row(const oc_instr *in, const oc_state *state, int64_t r, int64_t n) {
    const int64_t label = oc_index(state->buffers[in->sparse_xent.labels], in->sparse_xent.label_bytes, r);
    if (label < 0 || label >= n) return 1;
    const float *x = OC_F32(sparse_xent.logits) + r * n, top = largest(x, n), chosen = x[label];
    float *d = OC_F32(sparse_xent.backprop) + r * n;
    exponentials(d, x, top, n);
    const float total = sum(d, n);
    OC_F32(sparse_xent.loss)[r] = logf(total) - (chosen - top);
    scale(d, 1.0f / total, n);
    d[label] -= 1.0f;
    return 0;
}

OC_KERNEL(oc_softmax) {
    share_rows((rows_of){in, state, softmax_row, in->softmax.rows, in->softmax.n, 0, 0}, 2.0);
    return OC_OK;
}

OC_KERNEL(oc_xent) {
    share_rows((rows_of){in, state, xent_row, in->xent.rows, in->xent.n, 0, 0}, 2.5);
    return OC_OK;
}

OC_KERNEL(oc_sparse_xent) {
    return share_rows((rows_of){in, state, sparse_xent_row, in->sparse_xent.rows, in->sparse_xent.n, 0, 0}, 2.0) ? OC_BAD_INDEX : OC_OK;
}
