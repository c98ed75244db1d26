// Adam's update. Square root and division take 34 cycles for 16 elements where AVX-512 has them, more than all the rest together: they are
// refined from estimates of 14 bits instead, once each, which leaves an error below that of rounding.
#include "updates/adam.h"
#include "products/tiles.h"
#include <math.h>
#include <stddef.h>

// Both updates have these at the same places.
_Static_assert(offsetof(oc_instr, adam.epsilon) == offsetof(oc_instr, dense_adam.epsilon), "updates that differ");

oc_adam_update oc_adam_of(const oc_instr *in, const oc_state *state, int64_t nesterov) {
    const oc_adam_update u = {
        .var = OC_F32(adam.var), .m = OC_F32(adam.mean), .v = OC_F32(adam.square), .alpha = *OC_F32(adam.lr) * sqrtf(1.0f - *OC_F32(adam.beta2_power)) / (1.0f - *OC_F32(adam.beta1_power)),
        .b1 = *OC_F32(adam.beta1), .b2 = *OC_F32(adam.beta2), .epsilon = *OC_F32(adam.epsilon), .nesterov = nesterov != 0,
    };
    return u;
}

OC_CLONES static void exact_range(const oc_adam_update *u, int64_t first, int64_t last, const float *grad) {
    float *restrict var = u->var + first, *restrict m = u->m + first, *restrict v = u->v + first;
    const float b1 = u->b1, b2 = u->b2, epsilon = u->epsilon, alpha = u->alpha;
    const int64_t count = last - first;
    if (u->nesterov)
        for (int64_t k = 0; k < count; k++) {
            const float g = grad[k];
            m[k] += (g - m[k]) * (1.0f - b1);
            v[k] += (g * g - v[k]) * (1.0f - b2);
            var[k] -= (g * (1.0f - b1) + b1 * m[k]) * alpha / (sqrtf(v[k]) + epsilon);
        }
    else
        for (int64_t k = 0; k < count; k++) {
            const float g = grad[k];
            m[k] += (g - m[k]) * (1.0f - b1);
            v[k] += (g * g - v[k]) * (1.0f - b2);
            var[k] -= m[k] * alpha / (sqrtf(v[k]) + epsilon);
        }
}

#ifdef OC_X86
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,fma")))

// Between these the estimates are good for an epsilon: squares' averages below the least normal float count as nothing beside it.
static int is_usual(float epsilon) { return epsilon >= 0x1p-38f && epsilon <= 0x1p60f; }

typedef struct { __m512 alpha, epsilon, b1, rest1, rest2; } constants;

// The step from n, the mean times alpha, and the average of squares v.
TARGET static inline __attribute__((always_inline)) __m512 step_of(const constants *c, __m512 n, __m512 v) {
    const __m512 inverse = _mm512_rsqrt14_ps(_mm512_max_ps(_mm512_set1_ps(0x1p-126f), v)), near = _mm512_mul_ps(v, inverse);
    const __m512 root = _mm512_fmadd_ps(_mm512_mul_ps(inverse, _mm512_set1_ps(0.5f)), _mm512_fnmadd_ps(near, near, v), near);
    const __m512 below = _mm512_add_ps(root, c->epsilon), share = _mm512_rcp14_ps(below), about = _mm512_mul_ps(n, share);
    return _mm512_fmadd_ps(_mm512_fnmadd_ps(about, below, n), share, about);
}

// What is negative, huge or not a number, seen as integers, all of which lie above the limits, takes the exact way.
TARGET static __m512 exact_where_odd(const constants *c, __m512 n, __m512 v, __m512 step) {
    const __mmask16 odd = _mm512_cmpgt_epu32_mask(_mm512_castps_si512(v), _mm512_castps_si512(_mm512_set1_ps(0x1p120f))) |
                          _mm512_cmpgt_epu32_mask(_mm512_castps_si512(_mm512_abs_ps(n)), _mm512_castps_si512(_mm512_set1_ps(0x1p60f)));
    return _mm512_mask_div_ps(step, odd, n, _mm512_add_ps(_mm512_sqrt_ps(v), c->epsilon));
}

// Both averages of sixteen elements, or those of `mask`; returns the mean that the step is made of, times alpha.
TARGET static inline __attribute__((always_inline)) __m512 averaged(const oc_adam_update *u, const constants *c, int64_t at, __mmask16 mask,
                                                                    __m512 g, int nesterov, __m512 *squares) {
    const __m512 m0 = _mm512_maskz_loadu_ps(mask, u->m + at), v0 = _mm512_maskz_loadu_ps(mask, u->v + at);
    const __m512 m = _mm512_fmadd_ps(_mm512_sub_ps(g, m0), c->rest1, m0), v = _mm512_fmadd_ps(_mm512_fmsub_ps(g, g, v0), c->rest2, v0);
    _mm512_mask_storeu_ps(u->m + at, mask, m);
    _mm512_mask_storeu_ps(u->v + at, mask, v);
    *squares = v;
    return _mm512_mul_ps(nesterov ? _mm512_fmadd_ps(g, c->rest1, _mm512_mul_ps(c->b1, m)) : m, c->alpha);
}

enum { AT_ONCE = 4 };  // vectors among which one test tells whether all are usual

TARGET static inline __attribute__((always_inline)) void refined_all(const oc_adam_update *u, int64_t first, int64_t last, const float *grad,
                                                                     int nesterov) {
    const constants c = {_mm512_set1_ps(u->alpha), _mm512_set1_ps(u->epsilon), _mm512_set1_ps(u->b1), _mm512_set1_ps(1.0f - u->b1),
                         _mm512_set1_ps(1.0f - u->b2)};
    int64_t at = first;
    for (; at + 16 * AT_ONCE <= last; at += 16 * AT_ONCE, grad += 16 * AT_ONCE) {
        __m512 n[AT_ONCE], v[AT_ONCE], step[AT_ONCE];
#pragma GCC unroll 4
        for (int q = 0; q < AT_ONCE; q++) n[q] = averaged(u, &c, at + 16 * q, 0xFFFF, _mm512_loadu_ps(grad + 16 * q), nesterov, &v[q]);
        // Squares seen as integers, the largest of them; of the others, whether one may be 2 or more.
        const __m512i largest = _mm512_max_epu32(_mm512_max_epu32(_mm512_castps_si512(v[0]), _mm512_castps_si512(v[1])),
                                                 _mm512_max_epu32(_mm512_castps_si512(v[2]), _mm512_castps_si512(v[3])));
        const __m512 any = _mm512_or_ps(_mm512_or_ps(n[0], n[1]), _mm512_or_ps(n[2], n[3]));
        const __mmask16 odd = _mm512_cmpgt_epu32_mask(largest, _mm512_castps_si512(_mm512_set1_ps(0x1p120f))) |
                              _mm512_test_epi32_mask(_mm512_castps_si512(any), _mm512_set1_epi32(0x40000000));
#pragma GCC unroll 4
        for (int q = 0; q < AT_ONCE; q++) step[q] = step_of(&c, n[q], v[q]);
        if (__builtin_expect(odd, 0)) for (int q = 0; q < AT_ONCE; q++) step[q] = exact_where_odd(&c, n[q], v[q], step[q]);
#pragma GCC unroll 4
        for (int q = 0; q < AT_ONCE; q++)
            _mm512_storeu_ps(u->var + at + 16 * q, _mm512_sub_ps(_mm512_loadu_ps(u->var + at + 16 * q), step[q]));
    }
    for (; at < last; at += 16, grad += 16) {
        const __mmask16 mask = last - at < 16 ? (__mmask16)((1u << (last - at)) - 1) : 0xFFFF;
        __m512 v;
        const __m512 n = averaged(u, &c, at, mask, _mm512_maskz_loadu_ps(mask, grad), nesterov, &v);
        const __m512 step = exact_where_odd(&c, n, v, step_of(&c, n, v));
        _mm512_mask_storeu_ps(u->var + at, mask, _mm512_sub_ps(_mm512_maskz_loadu_ps(mask, u->var + at), step));
    }
}

TARGET static void refined_range(const oc_adam_update *u, int64_t first, int64_t last, const float *grad) {
    if (u->nesterov) refined_all(u, first, last, grad, 1);
    else refined_all(u, first, last, grad, 0);
}
#endif

void oc_adam_range(const void *how, int64_t first, int64_t last, const float *grad) {
    const oc_adam_update *u = how;
#ifdef OC_X86
    if (oc_tiles_here()->lanes == 16 && is_usual(u->epsilon)) {
        refined_range(u, first, last, grad);
        return;
    }
#endif
    exact_range(u, first, last, grad);
}

OC_KERNEL(oc_adam) {
    const oc_adam_update how = oc_adam_of(in, state, in->adam.nesterov);
    const oc_updating u = {in, state, oc_adam_range, &how, in->adam.elements, OC_GRADIENTS(adam.grad)};
    return oc_update_all(&u, 0.5);
}
