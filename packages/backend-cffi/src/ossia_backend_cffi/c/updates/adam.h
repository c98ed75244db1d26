// Adam's update of a stretch of a variable.
#ifndef OSSIA_ADAM_H
#define OSSIA_ADAM_H

#include "updates/optim.h"

typedef struct {
    float *var, *m, *v;
    float alpha, b1, b2, epsilon;  // alpha: the learning rate with the corrections of both averages
    int nesterov;
} oc_adam_update;

// What an instruction of this kernel says; its buffers: var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad.
oc_adam_update oc_adam_of(const oc_instr *in, const oc_state *state, int64_t nesterov);

void oc_adam_range(const void *how, int64_t first, int64_t last, const float *grad);

#endif
