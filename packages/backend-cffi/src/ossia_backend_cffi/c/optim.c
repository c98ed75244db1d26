// Gradient descent and momentum on whole variables, one pass over memory each; adam.c has Adam.
#include "program.h"

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
