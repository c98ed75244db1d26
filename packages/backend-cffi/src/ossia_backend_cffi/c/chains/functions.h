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

static inline float log1p_one(float x) {
    // What rounding 1 + x loses, the quotient gives back.
    const float u = 1.0f + x, y = log_one(u) * (x / (u - 1.0f));
    return u == 1.0f || x == INFINITY ? x : u == 0.0f ? -INFINITY : y;
}

static inline float expm1_one(float x) {
    // 2^n * (1 + p(r)) - 1 as 2^n * p(r) + (2^n - 1), with the reduction of exp_one.
    const float clamped = x > 88.8f ? 88.8f : x >= -104.0f ? x : -104.0f;
    const float n = rintf(clamped * 1.44269504088896341f);
    const float r = (clamped - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r;
    const int32_t k = (int32_t)n, half = k / 2;
    const bits a = {.i = (half + 127) << 23}, b = {.i = (k - half + 127) << 23}, c = {.i = (127 - (k - half)) << 23};
    const float y = k ? (p * a.f + (a.f - c.f)) * b.f : p;
    return x != x || x == 0.0f ? x : x > 88.72284f ? INFINITY : x < -17.4f ? -1.0f : y;
}

static inline float elu_one(float x) {
    const float y = expm1_one(x);
    return x < 0.0f ? y : x;
}

static inline float softplus_one(float x) {
    // log1p as above, of a number in (0, 1]: with the checks of others the loop would not be vectorised.
    const float e = exp_one(-fabsf(x)), u = 1.0f + e, y = log_one(u) * (e / (u - 1.0f));
    return (x > 0.0f || x != x ? x : 0.0f) + (u == 1.0f ? e : y);
}

// Sine of x + turns * pi / 2, for |x| up to TRIGONOMETRIC_LIMIT; reduced and computed in double precision.
#define TRIGONOMETRIC_LIMIT 1e5f
static inline float sine_one(float x, int turns) {
    const double wide = x, n = rint(wide * 0.63661977236758134308);
    // The first part of pi / 2 has 33 bits, so that its multiples are exact.
    const double r = (wide - n * 1.5707963267341256141662597656) - n * 6.0771005065061922e-11;
    const double z = r * r;
    const double s = r + r * z * (-0.16666654943701084 + z * (0.008332178146138854 + z * -0.00019517298981385725));
    const double c = 1.0 + z * (-0.49999999725108224 + z * (0.041666623324344516 + z * (-0.0013886763774609929 + z * 2.4390448928452027e-05)));
    const int32_t quarter = (int32_t)n + turns;
    const float y = (float)(quarter & 1 ? c : s);
    return x == 0.0f && !turns ? x : quarter & 2 ? -y : y;
}

// Whether pow_one may be asked.
static inline int is_plain_pow(float x, float y) { return x >= 1.17549435e-38f && x < INFINITY && fabsf(y) < INFINITY; }

static inline float pow_one(float x, float y) {
    // exp(y log x), both in double precision: log by the series of atanh, exp by its own.
    const bits v = {.f = x};
    const int32_t shifted = v.i - 0x3f3504f3, e = shifted >> 23;
    const bits m = {.i = (shifted & 0x007fffff) + 0x3f3504f3};
    const double s = ((double)m.f - 1.0) / ((double)m.f + 1.0), q = s * s;
    const double l = 2.0 * s * (1.0 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 + q * (1.0 / 13)))))));
    double z = (double)y * ((double)e * 0.69314718055994530942 + l);
    z = z > 90.0 ? 90.0 : z < -110.0 ? -110.0 : z;
    const double n = rint(z * 1.44269504088896340736);
    const double r = z - n * 0.69314718055994530942;
    double p = 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r * r + r + 1.0;
    const int32_t k = (int32_t)n, half = k / 2;
    const bits a = {.i = (half + 127) << 23}, b = {.i = (k - half + 127) << 23};
    return (float)(p * (double)a.f * (double)b.f);
}

#endif
