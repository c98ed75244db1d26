// Dense optimizer updates, one pass over memory each.
#include "program.h"
#include <math.h>

typedef struct update update;
struct update {
    const oc_instr *in;
    const oc_state *state;
    void (*range)(const update *, int64_t first, int64_t last);
    int64_t parts;
};

static void update_part(void *context, int64_t part) {
    const update *u = context;
    u->range(u, oc_bound(u->in->i[0], u->parts, part, 1024), oc_bound(u->in->i[0], u->parts, part + 1, 1024));
}

// Runs the update of i[0] elements, at so many nanoseconds each.
static int updated(const oc_instr *in, const oc_state *state, double cost, void (*range)(const update *, int64_t, int64_t)) {
    update u = {in, state, range, oc_parts(state->threads, (double)in->i[0] * cost, in->i[0] / 1024)};
    oc_parallel(state->threads, u.parts, update_part, &u);
    return OC_OK;
}

#define OC_UPDATE(name) OC_CLONES static void name(const update *u, int64_t first, int64_t last)
#define OC_OPERANDS const oc_instr *in = u->in; const oc_state *state = u->state

// var -= alpha * grad. Buffers: var, alpha, grad. i[0] elements.
OC_UPDATE(sgd_range) {
    OC_OPERANDS;
    float *restrict var = OC_F32(0);
    const float alpha = *OC_F32(1), *restrict grad = OC_F32(2);
    for (int64_t k = first; k < last; k++) var[k] -= alpha * grad[k];
}

OC_KERNEL(oc_sgd) { return updated(in, state, 0.3, sgd_range); }

// Buffers: var, accum, lr, grad, momentum. i: elements, nesterov.
OC_UPDATE(momentum_range) {
    OC_OPERANDS;
    float *restrict var = OC_F32(0), *restrict accum = OC_F32(1);
    const float lr = *OC_F32(2), *restrict grad = OC_F32(3), momentum = *OC_F32(4);
    if (in->i[1])
        for (int64_t k = first; k < last; k++) {
            accum[k] = accum[k] * momentum + grad[k];
            var[k] -= grad[k] * lr + accum[k] * momentum * lr;
        }
    else
        for (int64_t k = first; k < last; k++) {
            accum[k] = accum[k] * momentum + grad[k];
            var[k] -= accum[k] * lr;
        }
}

OC_KERNEL(oc_momentum) { return updated(in, state, 0.5, momentum_range); }

// Buffers: var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad. i: elements, nesterov.
OC_UPDATE(adam_range) {
    OC_OPERANDS;
    float *restrict var = OC_F32(0), *restrict m = OC_F32(1), *restrict v = OC_F32(2);
    const float b1 = *OC_F32(6), b2 = *OC_F32(7), epsilon = *OC_F32(8), *restrict grad = OC_F32(9);
    const float alpha = *OC_F32(5) * sqrtf(1.0f - *OC_F32(4)) / (1.0f - *OC_F32(3));
    if (in->i[1])
        for (int64_t k = first; k < last; k++) {
            const float g = grad[k];
            m[k] += (g - m[k]) * (1.0f - b1);
            v[k] += (g * g - v[k]) * (1.0f - b2);
            var[k] -= (g * (1.0f - b1) + b1 * m[k]) * alpha / (sqrtf(v[k]) + epsilon);
        }
    else
        for (int64_t k = first; k < last; k++) {
            const float g = grad[k];
            m[k] += (g - m[k]) * (1.0f - b1);
            v[k] += (g * g - v[k]) * (1.0f - b2);
            var[k] -= m[k] * alpha / (sqrtf(v[k]) + epsilon);
        }
}

OC_KERNEL(oc_adam) { return updated(in, state, 1.0, adam_range); }
