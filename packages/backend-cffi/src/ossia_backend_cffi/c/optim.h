// Gradient descent, with momentum or without, on a stretch of a variable.
#ifndef OSSIA_OPTIM_H
#define OSSIA_OPTIM_H

#include "program.h"

typedef struct {
    float *var, *accum;    // no accumulator: plain descent
    float rate, momentum;
    int nesterov;
} oc_descent;

// Elements [first, last), by the gradients that begin at `grad`.
void oc_descent_range(const oc_descent *u, int64_t first, int64_t last, const float *grad);

#endif
