// Updates of whole variables, stretch by stretch, by gradients that lie in memory or that a chain makes block by block.
#ifndef OSSIA_OPTIM_H
#define OSSIA_OPTIM_H

#include "chains/elementwise.h"

// Updates elements [first, last), by the gradients that begin at `grad`; `how` has the rest.
typedef void (*oc_update_range)(const void *how, int64_t first, int64_t last, const float *grad);

typedef struct {
    const oc_instr *in;
    const oc_state *state;
    oc_update_range range;
    const void *how;
    int64_t size;             // elements
    const float *grad;        // their gradients, unless a chain makes these
} oc_updating;

// The gradients of an update, its operand `n`; NULL if a chain makes them.
#define OC_GRADIENTS(n) (in->maker.maker_steps ? NULL : OC_F32(n))

// Updates all elements, which threads share, at so many nanoseconds each besides the chain.
int oc_update_all(const oc_updating *u, double cost);

// Gradient descent, with momentum or without.
typedef struct {
    float *var, *accum;    // no accumulator: plain descent
    float rate, momentum;
    int nesterov;
} oc_descent;

void oc_descent_range(const void *how, int64_t first, int64_t last, const float *grad);

#endif
