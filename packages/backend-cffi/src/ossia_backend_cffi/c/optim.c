// Gradient descent and momentum on whole variables, one pass over memory each; adam.c has Adam.
#include "optim.h"
#include <stddef.h>

OC_CLONES void oc_descent_range(const oc_descent *u, int64_t first, int64_t last, const float *restrict grad) {
    float *restrict var = u->var + first, *restrict accum = u->accum ? u->accum + first : NULL;
    const float rate = u->rate, momentum = u->momentum;
    const int64_t count = last - first;
    if (!accum)
        for (int64_t k = 0; k < count; k++) var[k] -= rate * grad[k];
    else if (u->nesterov)
        for (int64_t k = 0; k < count; k++) {
            accum[k] = accum[k] * momentum + grad[k];
            var[k] -= grad[k] * rate + accum[k] * momentum * rate;
        }
    else
        for (int64_t k = 0; k < count; k++) {
            accum[k] = accum[k] * momentum + grad[k];
            var[k] -= accum[k] * rate;
        }
}

typedef struct { oc_descent u; const float *grad; int64_t size, parts; } updating;

static void update_part(void *context, int64_t part) {
    const updating *w = context;
    const int64_t first = oc_bound(w->size, w->parts, part, 1024);
    oc_descent_range(&w->u, first, oc_bound(w->size, w->parts, part + 1, 1024), w->grad + first);
}

// Updates all elements, at so many nanoseconds each.
static int updated(const oc_instr *in, const oc_state *state, double cost, oc_descent u, const float *grad) {
    updating w = {u, grad, in->i[0], oc_parts(state->threads, (double)in->i[0] * cost, in->i[0] / 1024)};
    oc_parallel(state->threads, w.parts, update_part, &w);
    return OC_OK;
}

// var -= alpha * grad. Buffers: var, alpha, grad. i[0] elements.
OC_KERNEL(oc_sgd) {
    const oc_descent u = {.var = OC_F32(0), .rate = *OC_F32(1)};
    return updated(in, state, 0.3, u, OC_F32(2));
}

// Buffers: var, accum, lr, grad, momentum. i: elements, nesterov.
OC_KERNEL(oc_momentum) {
    const oc_descent u = {.var = OC_F32(0), .accum = OC_F32(1), .rate = *OC_F32(2), .momentum = *OC_F32(4), .nesterov = in->i[1] != 0};
    return updated(in, state, 0.5, u, OC_F32(3));
}
