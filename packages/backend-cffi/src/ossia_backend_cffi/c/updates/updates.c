// Dense updates of the optimizers that compute more than they move: each formula is a loop of its own, so that what lies between its
// operations stays in registers. The operations are those of the chains that update rows, in their order and each rounded.
#pragma GCC optimize("fp-contract=off")
#include "chains/functions.h"
#include "updates/optim.h"
#include <math.h>

typedef struct { const oc_instr *in; const oc_state *state; } update;
typedef void (*formula)(const oc_instr *in, const oc_state *state, int64_t first, int64_t count, const float *restrict grad);

#define UPDATE(name) \
    OC_CLONES static void name(const oc_instr *in, const oc_state *state, int64_t first, int64_t count, const float *restrict grad)
#define VARIABLE(name, n) float *restrict name = OC_F32(update.operands[n]) + first
#define SCALAR(name, n) const float name = *OC_F32(update.operands[n])
#define EACH _Pragma("GCC ivdep") for (int64_t k = 0; k < count; k++)

static inline float sign(float x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f; }

// Nearer to zero by a threshold, but not past it; a NaN stays one.
static inline float nearer(float x, float threshold) {
    const float rest = fabsf(x) - threshold;
    return sign(x) * (rest > 0.0f || rest != rest ? rest : 0.0f);
}

// var, accum, lr, grad. Option: whether the sums grow.
UPDATE(adagrad) {
    VARIABLE(var, 0); VARIABLE(accum, 1); SCALAR(lr, 2);
    if (in->update.option)
        EACH {
            const float g = grad[k], a = accum[k] + g * g;
            accum[k] = a;
            var[k] -= g * lr / sqrtf(a);
        }
    else
        EACH var[k] -= grad[k] * lr / sqrtf(accum[k]);
}

// var, accum, lr, epsilon, grad. Option: whether the sums grow.
UPDATE(adagrad_v2) {
    VARIABLE(var, 0); VARIABLE(accum, 1); SCALAR(lr, 2); SCALAR(epsilon, 3);
    if (in->update.option)
        EACH {
            const float g = grad[k], a = accum[k] + g * g;
            accum[k] = a;
            var[k] -= g * lr / (sqrtf(a) + epsilon);
        }
    else
        EACH var[k] -= grad[k] * lr / (sqrtf(accum[k]) + epsilon);
}

// var, accum, accum_update, lr, rho, epsilon, grad.
UPDATE(adadelta) {
    VARIABLE(var, 0); VARIABLE(accum, 1); VARIABLE(moved, 2); SCALAR(lr, 3); SCALAR(rho, 4); SCALAR(epsilon, 5);
    const float rest = 1.0f - rho;
    EACH {
        const float g = grad[k], a = accum[k] * rho + g * g * rest, m = moved[k];
        const float step = sqrtf(m + epsilon) / sqrtf(a + epsilon) * g;
        accum[k] = a;
        var[k] -= step * lr;
        moved[k] = m * rho + step * step * rest;
    }
}

// var, ms, mom, lr, rho, momentum, epsilon, grad.
UPDATE(rmsprop) {
    VARIABLE(var, 0); VARIABLE(ms, 1); VARIABLE(mom, 2); SCALAR(lr, 3); SCALAR(rho, 4); SCALAR(momentum, 5); SCALAR(epsilon, 6);
    const float rest = 1.0f - rho;
    EACH {
        const float g = grad[k], s = ms[k] + (g * g - ms[k]) * rest, m = mom[k] * momentum + g * lr / sqrtf(s + epsilon);
        ms[k] = s;
        mom[k] = m;
        var[k] -= m;
    }
}

// var, mg, ms, mom, lr, rho, momentum, epsilon, grad.
UPDATE(centered_rmsprop) {
    VARIABLE(var, 0); VARIABLE(mg, 1); VARIABLE(ms, 2); VARIABLE(mom, 3);
    SCALAR(lr, 4); SCALAR(rho, 5); SCALAR(momentum, 6); SCALAR(epsilon, 7);
    const float rest = 1.0f - rho;
    EACH {
        const float g = grad[k], s = ms[k] + (g * g - ms[k]) * rest, a = mg[k] + (g - mg[k]) * rest;
        const float m = mom[k] * momentum + g * lr / sqrtf(s - a * a + epsilon);
        ms[k] = s;
        mg[k] = a;
        mom[k] = m;
        var[k] -= m;
    }
}

#define FOLLOW(g)                                                                                                   \
    const float before = sqrtf(accum[k]), sum = accum[k] + grad[k] * grad[k], after = sqrtf(sum);                   \
    const float l = linear[k] + ((g) - (after - before) / lr * var[k]);                                             \
    const float moved = (l1 * sign(l) - l) / (after / lr + 2.0f * l2);                                              \
    linear[k] = l;                                                                                                  \
    var[k] = fabsf(l) > l1 ? moved : 0.0f;                                                                          \
    accum[k] = sum

// var, accum, linear, grad, lr, l1, l2, lr_power, which is -1/2.
UPDATE(ftrl) {
    VARIABLE(var, 0); VARIABLE(accum, 1); VARIABLE(linear, 2); SCALAR(lr, 4); SCALAR(l1, 5); SCALAR(l2, 6);
    EACH { FOLLOW(grad[k]); }
}

// var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, which is -1/2.
UPDATE(ftrl_v2) {
    VARIABLE(var, 0); VARIABLE(accum, 1); VARIABLE(linear, 2);
    SCALAR(lr, 4); SCALAR(l1, 5); SCALAR(l2, 6); SCALAR(shrinkage, 7);
    const float twice = 2.0f * shrinkage;
    EACH { FOLLOW(grad[k] + twice * var[k]); }
}

// var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step.
UPDATE(adagrad_da) {
    VARIABLE(var, 0); VARIABLE(total, 1); VARIABLE(squares, 2); SCALAR(lr, 4); SCALAR(l1, 5); SCALAR(l2, 6);
    const float step = (float)*OC_I64(update.operands[7]), threshold = l1 * step, share = l2 * step * lr;
    const int shrinks = l1 > 0.0f;
    EACH {
        const float g = grad[k], t = total[k] + g, s = squares[k] + g * g;
        total[k] = t;
        squares[k] = s;
        var[k] = (shrinks ? nearer(t, threshold) : t) * -lr / (share + sqrtf(s));
    }
}

// var, alpha, l1, l2, delta.
UPDATE(proximal) {
    VARIABLE(var, 0); SCALAR(alpha, 1); SCALAR(l1, 2); SCALAR(l2, 3);
    const float threshold = alpha * l1, divisor = 1.0f + l2 * alpha;
    if (l1 > 0.0f)
        EACH var[k] = nearer(var[k] - grad[k] * alpha, threshold) / divisor;
    else
        EACH var[k] = (var[k] - grad[k] * alpha) / divisor;
}

// var, accum, lr, l1, l2, grad.
UPDATE(proximal_adagrad) {
    VARIABLE(var, 0); VARIABLE(accum, 1); SCALAR(lr, 2); SCALAR(l1, 3); SCALAR(l2, 4);
    const int shrinks = l1 > 0.0f;
    EACH {
        const float g = grad[k], a = accum[k] + g * g, rate = lr / sqrtf(a), moved = var[k] - g * rate;
        accum[k] = a;
        var[k] = (shrinks ? nearer(moved, rate * l1) : moved) / (1.0f + l2 * rate);
    }
}

// var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad.
UPDATE(amsgrad) {
    VARIABLE(var, 0); VARIABLE(m, 1); VARIABLE(v, 2); VARIABLE(vhat, 3); SCALAR(power1, 4); SCALAR(power2, 5); SCALAR(lr, 6);
    SCALAR(beta1, 7); SCALAR(beta2, 8); SCALAR(epsilon, 9);
    const float rate = lr * sqrtf(1.0f - power2) / (1.0f - power1), rest1 = 1.0f - beta1, rest2 = 1.0f - beta2;
    EACH {
        const float g = grad[k], mean = m[k] + (g - m[k]) * rest1, square = v[k] + (g * g - v[k]) * rest2;
        const float largest = square > vhat[k] ? square : vhat[k];
        m[k] = mean;
        v[k] = square;
        vhat[k] = largest;
        var[k] -= mean * rate / (sqrtf(largest) + epsilon);
    }
}

// var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad.
UPDATE(adamax) {
    VARIABLE(var, 0); VARIABLE(m, 1); VARIABLE(v, 2); SCALAR(power, 3); SCALAR(lr, 4); SCALAR(beta1, 5); SCALAR(beta2, 6);
    SCALAR(epsilon, 7);
    const float rate = lr / (1.0f - power), rest = 1.0f - beta1;
    EACH {
        const float g = grad[k], mean = m[k] + (g - m[k]) * rest, decayed = beta2 * v[k], size = fabsf(g);
        const float largest = size > decayed ? size : decayed;
        m[k] = mean;
        v[k] = largest;
        var[k] -= rate * (mean / (largest + epsilon));
    }
}

// var, accum, lr, grad, momentum. Option: Nesterov's step.
UPDATE(keras_momentum) {
    VARIABLE(var, 0); VARIABLE(accum, 1); SCALAR(lr, 2); SCALAR(momentum, 4);
    if (in->update.option)
        EACH {
            const float step = grad[k] * lr, a = accum[k] * momentum - step;
            accum[k] = a;
            var[k] += a * momentum - step;
        }
    else
        EACH {
            const float a = accum[k] * momentum - grad[k] * lr;
            accum[k] = a;
            var[k] += a;
        }
}

// var, m, lr, alpha, sign_decay, beta, grad.
UPDATE(add_sign) {
    VARIABLE(var, 0); VARIABLE(m, 1); SCALAR(lr, 2); SCALAR(alpha, 3); SCALAR(decay, 4); SCALAR(beta, 5);
    const float rest = 1.0f - beta;
    EACH {
        const float g = grad[k], mean = m[k] * beta + g * rest;
        m[k] = mean;
        var[k] -= lr * (alpha + decay * (sign(g) * sign(mean))) * g;
    }
}

// var, m, lr, logbase, sign_decay, beta, grad. Signs agree, differ, or one of them is zero: three factors.
UPDATE(power_sign) {
    VARIABLE(var, 0); VARIABLE(m, 1); SCALAR(lr, 2); SCALAR(base, 3); SCALAR(decay, 4); SCALAR(beta, 5);
    const float rest = 1.0f - beta, alike = lr * exp_one(base * decay), unlike = lr * exp_one(-(base * decay));
    const float none = lr * exp_one(base * (decay * 0.0f));
    EACH {
        const float g = grad[k], mean = m[k] * beta + g * rest, agreement = sign(g) * sign(mean);
        float factor = agreement > 0.0f ? alike : none;
        factor = agreement < 0.0f ? unlike : factor;
        m[k] = mean;
        var[k] -= factor * g;
    }
}

static const formula formulas[] = {
    adagrad, adagrad_v2, adadelta, rmsprop, centered_rmsprop, ftrl, ftrl_v2, adagrad_da, proximal, proximal_adagrad,
    amsgrad, adamax, keras_momentum, add_sign, power_sign,
};

static void update_range(const void *how, int64_t first, int64_t last, const float *grad) {
    const update *u = how;
    formulas[u->in->update.formula](u->in, u->state, first, last - first, grad);
}

OC_KERNEL(oc_update) {
    const update how = {in, state};
    const oc_updating u = {in, state, update_range, &how, in->update.elements, OC_GRADIENTS(update.operands[in->update.gradient])};
    return oc_update_all(&u, 1.0);
}
