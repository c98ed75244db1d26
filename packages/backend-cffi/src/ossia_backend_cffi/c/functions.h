// Elementary functions of one float that the compiler can vectorise.
#ifndef OSSIA_FUNCTIONS_H
#define OSSIA_FUNCTIONS_H

#include <math.h>
#include <stdint.h>

typedef union { float f; int32_t i; } bits;

static inline float exp_one(float x) {
    // 2^n * p(r), x = n ln 2 + r, |r| <= ln 2 / 2; the polynomial is minimax of degree 6.
    const float clamped = x > 88.8f ? 88.8f : x >= -104.0f ? x : -104.0f;  // NaN becomes a number here
    const float n = rintf(clamped * 1.44269504088896341f);
    const float r = (clamped - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const int32_t k = (int32_t)n, half = k / 2;
    const bits a = {.i = (half + 127) << 23}, b = {.i = (k - half + 127) << 23};
    const float y = p * a.f * b.f;
    return x != x ? x : x > 88.72284f ? INFINITY : x < -103.97f ? 0.0f : y;
}

static inline float log_one(float x) {
    const int denormal = x < 1.17549435e-38f;
    const bits v = {.f = denormal ? x * 8388608.0f : x};
    int32_t e = ((v.i >> 23) & 0xff) - 126 - (denormal ? 23 : 0);
    const bits m = {.i = (v.i & 0x007fffff) | 0x3f000000};
    float r = m.f;
    const int low = r < 0.707106781f;
    e -= low;
    r = (low ? r + r : r) - 1.0f;
    const float z = r * r;
    float p = 7.0376836292e-2f;
    p = p * r - 1.1514610310e-1f;
    p = p * r + 1.1676998740e-1f;
    p = p * r - 1.2420140846e-1f;
    p = p * r + 1.4249322787e-1f;
    p = p * r - 1.6668057665e-1f;
    p = p * r + 2.0000714765e-1f;
    p = p * r - 2.4999993993e-1f;
    p = p * r + 3.3333331174e-1f;
    p = p * r * z;
    const float ef = (float)e;
    p += ef * -2.12194440e-4f;
    p -= 0.5f * z;
    const float y = r + p + ef * 0.693359375f;
    return x > 0.0f ? (x == INFINITY ? x : y) : x == 0.0f ? -INFINITY : NAN;
}

static inline float tanh_one(float x) {
    // Small arguments by series, so that tanh(x) / x stays exact; others through exp.
    const float a = fabsf(x);
    const float e = exp_one(-2.0f * (a > 10.0f ? 10.0f : a));
    const float big = 1.0f - 2.0f * e / (1.0f + e);  // rounds once near 1, where gradients take 1 - y * y
    const float z = x * x;
    float p = -5.70498872745e-3f;
    p = p * z + 2.06390887954e-2f;
    p = p * z - 5.37397155531e-2f;
    p = p * z + 1.33314422036e-1f;
    p = p * z - 3.33332819422e-1f;
    const float small = x + x * z * p;
    const float y = a < 0.625f ? small : copysignf(a > 9.2f ? 1.0f : big, x);
    return x != x ? x : y;
}

static inline float sigmoid_one(float x) {
    const float e = exp_one(-fabsf(x));
    const float r = 1.0f / (1.0f + e);
    return x >= 0.0f ? r : x != x ? x : e * r;
}

#endif
