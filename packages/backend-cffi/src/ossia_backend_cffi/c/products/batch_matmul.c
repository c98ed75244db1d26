// Products of batches of matrices. Many small ones are shared out among threads, each computed by one; a large one by all of them.
#include "products/dense.h"
#include "program/program.h"

enum { AT_ONCE = 8 };  // products that are computed side by side, each in a scratch of its own
static const double LARGE = 4e6;  // multiplications from which a product is shared by threads itself

typedef struct { const oc_instr *in; const oc_state *state; int64_t count, parts; } batch;

static void multiply_one(const oc_instr *in, const oc_state *state, int threads, int64_t number, float *scratch) {
    const int64_t m = in->batch_matmul.m, n = in->batch_matmul.n, k = in->batch_matmul.k;
    const float *a = OC_F32(batch_matmul.a), *b = OC_F32(batch_matmul.b);
    float *c = OC_F32(batch_matmul.out);
    for (int axis = 1; axis >= 0; axis--) {
        const int64_t at = number % in->batch_matmul.dims[axis];
        number /= in->batch_matmul.dims[axis];
        a += at * in->batch_matmul.step_a[axis];
        b += at * in->batch_matmul.step_b[axis];
        c += at * in->batch_matmul.step_c[axis];
    }
    const int ta = (int)in->batch_matmul.ta, tb = (int)in->batch_matmul.tb;
    const oc_dense d = {.ta = ta, .tb = tb, .m = m, .n = n, .k = k, .lda = in->batch_matmul.lda, .ldb = in->batch_matmul.ldb,
                        .ldc = in->batch_matmul.ldc, .a = a, .b = b, .c = c};
    if (threads == 1 && !ta && (tb || k * n <= 1 << 16) && oc_dense_fits(ta, tb, m, n, k)) oc_dense_rows(&d, scratch);
    else oc_gemm(threads, scratch, ta, tb, m, n, k, a, d.lda, b, d.ldb, 0, NULL, c, d.ldc);
}

static void multiply_part(void *context, int64_t part) {
    const batch *p = context;
    float *scratch = (float *)p->state->scratch + part * p->in->batch_matmul.each;
    const int64_t last = oc_bound(p->count, p->parts, part + 1, 1);
    for (int64_t number = oc_bound(p->count, p->parts, part, 1); number < last; number++) multiply_one(p->in, p->state, 1, number, scratch);
}

OC_KERNEL(oc_batch_matmul) {
    batch p = {.in = in, .state = state, .count = in->batch_matmul.dims[0] * in->batch_matmul.dims[1]};
    const double each = (double)in->batch_matmul.m * (double)in->batch_matmul.n * (double)in->batch_matmul.k;
    if (each >= LARGE) {
        for (int64_t number = 0; number < p.count; number++) multiply_one(in, state, state->threads, number, (float *)state->scratch);
        return OC_OK;
    }
    p.parts = oc_parts(state->threads, each * (double)p.count / 40.0, p.count < AT_ONCE ? p.count : AT_ONCE);
    oc_parallel(state->threads, p.parts, multiply_part, &p);
    return OC_OK;
}
