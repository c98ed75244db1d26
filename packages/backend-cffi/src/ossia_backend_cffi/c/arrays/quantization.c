// Quantization simulated in floating point.
#include "program/program.h"
#include "arrays/direct.h"

enum { BLOCK = 1024 };

// Numbers within bounds rounded to steps. Each loop does what may not be contracted with the next one: of numbers halfway between two steps
// the last bit decides.
OC_CLONES static void to_steps(int64_t n, const float *restrict x, float lower, float upper, float step, float by, int product, float *restrict out) {
    for (int64_t k = 0; k < n; k++) {
        const float within = x[k] > upper ? upper : x[k];
        out[k] = (within < lower ? lower : within) - lower;
    }
    if (product) for (int64_t k = 0; k < n; k++) out[k] *= by;
    else for (int64_t k = 0; k < n; k++) out[k] /= by;
    for (int64_t k = 0; k < n; k++) out[k] = __builtin_floorf(out[k] + 0.5f);
    for (int64_t k = 0; k < n; k++) out[k] *= step;
    for (int64_t k = 0; k < n; k++) out[k] += lower;
}

int oc_to_steps(int64_t count, const float *x, float lower, float upper, float step, float by, int product, float *out) {
    for (int64_t at = 0; at < count; at += BLOCK)
        to_steps(count - at < BLOCK ? count - at : BLOCK, x + at, lower, upper, step, by, product, out + at);
    return 0;
}
