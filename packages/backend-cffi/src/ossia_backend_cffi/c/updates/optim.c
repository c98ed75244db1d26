// What dense updates share, and those of gradient descent and momentum; adam.c and updates.c have the others.
#include "updates/optim.h"
#include <stddef.h>

OC_CLONES void oc_descent_range(const void *how, int64_t first, int64_t last, const float *restrict grad) {
    const oc_descent *u = how;
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

typedef struct { const oc_updating *u; int64_t parts; } shared;

static void update_part(void *context, int64_t part) {
    const shared *s = context;
    const oc_updating *u = s->u;
    const int64_t first = oc_bound(u->size, s->parts, part, 1024), last = oc_bound(u->size, s->parts, part + 1, 1024);
    if (u->grad) {
        u->range(u->how, first, last, u->grad + first);
        return;
    }
    float block[OC_BLOCK] __attribute__((aligned(64)));
    oc_chain_blocks chain;
    oc_begin_chain(&chain, u->in, u->state, u->in->maker.maker_code, u->in->maker.maker_steps, u->size);
    for (int64_t at = first; at < last; at += OC_BLOCK) {
        const int64_t end = last - at < OC_BLOCK ? last : at + OC_BLOCK;
        u->range(u->how, at, end, oc_chain_block(&chain, at, end, block));
    }
}

int oc_update_all(const oc_updating *u, double cost) {
    if (u->in->maker.maker_steps) cost += oc_chain_cost(u->state, u->in->maker.maker_code, u->in->maker.maker_steps);
    shared s = {u, oc_parts(u->state->threads, (double)u->size * cost, u->size / 1024)};
    oc_parallel(u->state->threads, s.parts, update_part, &s);
    return OC_OK;
}

OC_KERNEL(oc_sgd) {
    const oc_descent how = {.var = OC_F32(sgd.var), .rate = *OC_F32(sgd.alpha)};
    const oc_updating u = {in, state, oc_descent_range, &how, in->sgd.elements, OC_GRADIENTS(sgd.grad)};
    return oc_update_all(&u, 0.3);
}

OC_KERNEL(oc_momentum) {
    const oc_descent how = {.var = OC_F32(momentum.var), .accum = OC_F32(momentum.accum), .rate = *OC_F32(momentum.lr), .momentum = *OC_F32(momentum.momentum), .nesterov = in->momentum.nesterov != 0};
    const oc_updating u = {in, state, oc_descent_range, &how, in->momentum.elements, OC_GRADIENTS(momentum.grad)};
    return oc_update_all(&u, 0.5);
}
