// Adam's update. Square root and division take 34 cycles for 16 elements where AVX-512 has them, more than all the rest together: they are
// refined from estimates of 14 bits instead, once each, which leaves an error below that of rounding.
#include "adam.h"
#include "tiles.h"
#include <math.h>

oc_adam_update oc_adam_of(const oc_instr *in, const oc_state *state, int64_t nesterov) {
    const oc_adam_update u = {
        .var = OC_F32(0), .m = OC_F32(1), .v = OC_F32(2), .alpha = *OC_F32(5) * sqrtf(1.0f - *OC_F32(4)) / (1.0f - *OC_F32(3)),
        .b1 = *OC_F32(6), .b2 = *OC_F32(7), .epsilon = *OC_F32(8), .nesterov = nesterov != 0,
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

// Sixteen elements, or those of `mask`.
TARGET static inline __attribute__((always_inline)) void refined(const oc_adam_update *u, int64_t at, __mmask16 mask, __m512 g, __m512 rest1,
                                                                 __m512 rest2, int nesterov) {
    const __m512 alpha = _mm512_set1_ps(u->alpha), epsilon = _mm512_set1_ps(u->epsilon);
    const __m512 m0 = _mm512_maskz_loadu_ps(mask, u->m + at), v0 = _mm512_maskz_loadu_ps(mask, u->v + at);
    const __m512 m = _mm512_fmadd_ps(_mm512_sub_ps(g, m0), rest1, m0), v = _mm512_fmadd_ps(_mm512_fmsub_ps(g, g, v0), rest2, v0);
    _mm512_mask_storeu_ps(u->m + at, mask, m);
    _mm512_mask_storeu_ps(u->v + at, mask, v);
    const __m512 mean = nesterov ? _mm512_fmadd_ps(g, rest1, _mm512_mul_ps(_mm512_set1_ps(u->b1), m)) : m, n = _mm512_mul_ps(mean, alpha);
    const __m512 inverse = _mm512_rsqrt14_ps(_mm512_max_ps(_mm512_set1_ps(0x1p-126f), v)), near = _mm512_mul_ps(v, inverse);
    const __m512 root = _mm512_fmadd_ps(_mm512_mul_ps(inverse, _mm512_set1_ps(0.5f)), _mm512_fnmadd_ps(near, near, v), near);
    const __m512 below = _mm512_add_ps(root, epsilon), share = _mm512_rcp14_ps(below), about = _mm512_mul_ps(n, share);
    __m512 step = _mm512_fmadd_ps(_mm512_fnmadd_ps(about, below, n), share, about);
    // What is negative, huge or not a number, seen as integers, all of which lie above the limits.
    const __mmask16 odd = _mm512_cmpgt_epu32_mask(_mm512_castps_si512(v), _mm512_castps_si512(_mm512_set1_ps(0x1p120f))) |
                          _mm512_cmpgt_epu32_mask(_mm512_castps_si512(_mm512_abs_ps(n)), _mm512_castps_si512(_mm512_set1_ps(0x1p60f)));
    if (__builtin_expect(odd, 0)) step = _mm512_mask_div_ps(step, odd, n, _mm512_add_ps(_mm512_sqrt_ps(v), epsilon));
    _mm512_mask_storeu_ps(u->var + at, mask, _mm512_sub_ps(_mm512_maskz_loadu_ps(mask, u->var + at), step));
}

TARGET static inline __attribute__((always_inline)) void refined_all(const oc_adam_update *u, int64_t first, int64_t last, const float *grad,
                                                                     int nesterov) {
    const __m512 rest1 = _mm512_set1_ps(1.0f - u->b1), rest2 = _mm512_set1_ps(1.0f - u->b2);
    int64_t at = first;
    for (; at + 16 <= last; at += 16, grad += 16) refined(u, at, 0xFFFF, _mm512_loadu_ps(grad), rest1, rest2, nesterov);
    if (at < last) {
        const __mmask16 mask = (__mmask16)((1u << (last - at)) - 1);
        refined(u, at, mask, _mm512_maskz_loadu_ps(mask, grad), rest1, rest2, nesterov);
    }
}

TARGET static void refined_range(const oc_adam_update *u, int64_t first, int64_t last, const float *grad) {
    if (u->nesterov) refined_all(u, first, last, grad, 1);
    else refined_all(u, first, last, grad, 0);
}
#endif

void oc_adam_range(const oc_adam_update *u, int64_t first, int64_t last, const float *grad) {
#ifdef OC_X86
    if (oc_tiles_here()->lanes == 16 && is_usual(u->epsilon)) {
        refined_range(u, first, last, grad);
        return;
    }
#endif
    exact_range(u, first, last, grad);
}

typedef struct { oc_adam_update u; const float *grad; int64_t size, parts; } updating;

static void update_part(void *context, int64_t part) {
    const updating *w = context;
    const int64_t first = oc_bound(w->size, w->parts, part, 1024);
    oc_adam_range(&w->u, first, oc_bound(w->size, w->parts, part + 1, 1024), w->grad + first);
}

// i: elements, nesterov.
OC_KERNEL(oc_adam) {
    updating w = {oc_adam_of(in, state, in->i[1]), OC_F32(9), in->i[0], oc_parts(state->threads, (double)in->i[0] * 0.5, in->i[0] / 1024)};
    oc_parallel(state->threads, w.parts, update_part, &w);
    return OC_OK;
}
