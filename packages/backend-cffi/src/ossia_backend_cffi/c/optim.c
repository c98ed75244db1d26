// Dense optimizer updates, one pass over memory each.
#include "program.h"
#include <math.h>

// var -= alpha * grad. Buffers: var, alpha, grad. i[0] elements.
OC_CLONES int oc_sgd(const oc_instr *in, const oc_state *state) {
    float *restrict var = OC_F32(0);
    const float alpha = *OC_F32(1), *restrict grad = OC_F32(2);
    const int64_t n = in->i[0];
    for (int64_t k = 0; k < n; k++) var[k] -= alpha * grad[k];
    return OC_OK;
}

// Buffers: var, accum, lr, grad, momentum. i: elements, nesterov.
OC_CLONES int oc_momentum(const oc_instr *in, const oc_state *state) {
    float *restrict var = OC_F32(0), *restrict accum = OC_F32(1);
    const float lr = *OC_F32(2), *restrict grad = OC_F32(3), momentum = *OC_F32(4);
    const int64_t n = in->i[0];
    if (in->i[1])
        for (int64_t k = 0; k < n; k++) {
            accum[k] = accum[k] * momentum + grad[k];
            var[k] -= grad[k] * lr + accum[k] * momentum * lr;
        }
    else
        for (int64_t k = 0; k < n; k++) {
            accum[k] = accum[k] * momentum + grad[k];
            var[k] -= accum[k] * lr;
        }
    return OC_OK;
}

// Buffers: var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad. i: elements, nesterov.
OC_CLONES int oc_adam(const oc_instr *in, const oc_state *state) {
    float *restrict var = OC_F32(0), *restrict m = OC_F32(1), *restrict v = OC_F32(2);
    const float b1 = *OC_F32(6), b2 = *OC_F32(7), epsilon = *OC_F32(8), *restrict grad = OC_F32(9);
    const float alpha = *OC_F32(5) * sqrtf(1.0f - *OC_F32(4)) / (1.0f - *OC_F32(3));
    const int64_t n = in->i[0];
    if (in->i[1])
        for (int64_t k = 0; k < n; k++) {
            const float g = grad[k];
            m[k] += (g - m[k]) * (1.0f - b1);
            v[k] += (g * g - v[k]) * (1.0f - b2);
            var[k] -= (g * (1.0f - b1) + b1 * m[k]) * alpha / (sqrtf(v[k]) + epsilon);
        }
    else
        for (int64_t k = 0; k < n; k++) {
            const float g = grad[k];
            m[k] += (g - m[k]) * (1.0f - b1);
            v[k] += (g * g - v[k]) * (1.0f - b2);
            var[k] -= m[k] * alpha / (sqrtf(v[k]) + epsilon);
        }
    return OC_OK;
}
