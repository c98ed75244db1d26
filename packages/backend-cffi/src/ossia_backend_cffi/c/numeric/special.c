// Special functions of floats, computed in double precision by the methods of ossia_ops.math.special_values: recurrence into the range of an
// asymptotic series, power series and continued fractions.
#include "chains/functions.h"
#include "random/gamma.h"
#include "program/program.h"
#include <math.h>

enum { S_ERF, S_ERFC, S_LGAMMA, S_DIGAMMA, S_IGAMMA, S_IGAMMAC, S_ZETA, S_POLYGAMMA, S_BETAINC };
enum { BLOCK = 256, MOST_TERMS = 2000 };

static const double TINY = 1e-300, ENOUGH = 0x1p-52;

static inline float erf_one(float x) {
    // x p(x^2) up to 1; from there 1 - exp(-x^2) q, with q by (x - 2.5) / 1.5; both fitted at Chebyshev points.
    const float a = fabsf(x), z = x * x, t = ((a < 4.0f ? a : 4.0f) - 2.5f) * 0.666666667f;
    float p = -9.67362269e-06f;
    p = p * z + 0.000112682977f;
    p = p * z - 0.000848440791f;
    p = p * z + 0.00522105465f;
    p = p * z - 0.026865439f;
    p = p * z + 0.112837826f;
    p = p * z - 0.376126385f;
    p = p * z + 1.12837917f;
    float q = 9.64219377e-05f;
    q = q * t - 0.000245549329f;
    q = q * t + 0.000367829472f;
    q = q * t - 0.000915470302f;
    q = q * t + 0.00242591559f;
    q = q * t - 0.00561182413f;
    q = q * t + 0.0124840262f;
    q = q * t - 0.0269977768f;
    q = q * t + 0.0561109594f;
    q = q * t - 0.111521402f;
    q = q * t + 0.210806358f;
    const float tail = 1.0f - exp_one(-(z < 16.0f ? z : 16.0f)) * q;
    const float y = a < 1.0f ? x * p : copysignf(tail, x);
    return x != x ? x : y;
}

static double lower_series(double a, double x) {
    double term = 1.0, total = 1.0, n = a;
    for (int k = 0; k < MOST_TERMS; k++) {
        n += 1.0;
        term = term * x / n;
        total += term;
        if (term <= total * ENOUGH) break;
    }
    return x > 0.0 ? total * exp(a * log(x) - x - lgamma_one(a + 1.0)) : a == 0.0;
}

static inline double apart(double v) { return fabs(v) < TINY ? TINY : v; }

static double upper_fraction(double a, double x) {
    double b = x + 1.0 - a, c = 1.0 / TINY, d = 1.0 / apart(b), h = d;
    for (int k = 1; k < MOST_TERMS; k++) {
        const double an = -k * (k - a);
        b += 2.0;
        d = 1.0 / apart(an * d + b);
        c = apart(b + an / c);
        const double change = d * c;
        h *= change;
        if (fabs(change - 1.0) < ENOUGH) break;
    }
    return exp(a * log(x) - x - lgamma_one(a)) * h;
}

static double igamma_one(double a, double x, int upper) {
    if (!upper && x == 0.0) return 0.0;  // whatever a is
    if (!(x >= 0.0 && a > 0.0)) return NAN;
    if (!upper && isinf(a)) return x < 1.0 ? 0.0 : NAN;
    if (x == 0.0) return upper;
    if (isinf(x)) return !upper;
    const int series = upper ? x < 1.0 || x < a : x <= 1.0 || x <= a;
    const double value = series ? lower_series(a, x) : upper_fraction(a, x);
    return series == !upper ? value : 1.0 - value;
}

static double zeta_one(double x, double q) {
    static const double factorial[10] = {2.0, 24.0, 720.0, 40320.0, 3628800.0, 479001600.0, 87178291200.0, 20922789888000.0, 6402373705728000.0, 2432902008176640000.0};
    if (x == 1.0) return INFINITY;
    const int pole = q <= 0.0 && q == floor(q);
    if (x < 1.0 || (q <= 0.0 && !pole && x != floor(x))) return NAN;
    if (pole) return INFINITY;
    if (isinf(x)) return q < 1.0 ? INFINITY : q == 1.0 ? 1.0 : NAN;
    double total = 0.0, a = q;
    for (int k = 0; k < MOST_TERMS && (a <= 9.0 || k < 9); k++, a += 1.0) total += pow(a, -x);
    double power = pow(a, -x), factor = x;
    total += power * a / (x - 1.0) + 0.5 * power;
    power /= a;
    for (int k = 0; k < 10; k++) {
        total += BERNOULLI[k] * factor * power / factorial[k];
        factor *= (x + 2 * k + 1) * (x + 2 * k + 2);
        power /= a * a;
    }
    return total;
}

static double polygamma_one(double n, double x) {
    if (n == 0.0) return digamma_one(x);
    if (n != floor(n) || n < 0.0) return NAN;
    return (fmod(n, 2.0) == 1.0 ? 1.0 : -1.0) * exp(lgamma_one(n + 1.0)) * zeta_one(n + 1.0, x);
}

static double beta_fraction(double a, double b, double x) {
    double c = 1.0, d = 1.0 / apart(1.0 - (a + b) * x / (a + 1.0)), h = d;
    for (int m = 1; m < MOST_TERMS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1.0 / apart(1.0 + even * d);
        c = apart(1.0 + even / c);
        h *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1.0 / apart(1.0 + odd * d);
        c = apart(1.0 + odd / c);
        h *= d * c;
        if (fabs(d * c - 1.0) < ENOUGH) break;
    }
    return h;
}

static double betainc_one(double a, double b, double x) {
    if (a <= 0.0 || b <= 0.0 || !(x >= 0.0 && x <= 1.0)) return NAN;
    if (x <= 0.0 || x >= 1.0) return x >= 1.0;
    if (a != a || b != b) return NAN;
    const int swapped = x > (a + 1.0) / (a + b + 2.0);
    const double p = swapped ? b : a, q = swapped ? a : b, z = swapped ? 1.0 - x : x;
    const double front = exp(p * log(z) + q * log1p(-z) - (lgamma_one(p) + lgamma_one(q) - lgamma_one(p + q))) / p;
    const double value = front * beta_fraction(p, q, z);
    return swapped ? 1.0 - value : value;
}

typedef struct { const oc_instr *in; const oc_state *state; int64_t parts; } pass;

OC_CLONES static void erf_of(float *out, const float *x, int64_t first, int64_t last) {
    for (int64_t k = first; k < last; k++) out[k] = erf_one(x[k]);
}

static void special_part(void *context, int64_t part) {
    const pass *p = context;
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    float *out = OC_F32(special.out);
    const float *a = OC_F32(special.a), *b = OC_F32(special.b), *c = OC_F32(special.c);
    const int64_t sa = in->special.steps[0], sb = in->special.steps[1], sc = in->special.steps[2];
    const int64_t last = oc_bound(in->special.elements, p->parts, part + 1, BLOCK);
    const int64_t first = oc_bound(in->special.elements, p->parts, part, BLOCK);
    if (in->special.kind == S_ERF) {
        erf_of(out, a, first, last);
        return;
    }
    for (int64_t k = first; k < last; k++) {
        const double x = a[k * sa];
        double y;
        switch (in->special.kind) {
        case S_ERFC: y = erfcf((float)x); break;
        case S_LGAMMA: y = lgamma_one(x); break;
        case S_DIGAMMA: y = digamma_one(x); break;
        case S_IGAMMA: y = igamma_one(x, b[k * sb], 0); break;
        case S_IGAMMAC: y = igamma_one(x, b[k * sb], 1); break;
        case S_ZETA: y = zeta_one(x, b[k * sb]); break;
        case S_POLYGAMMA: y = polygamma_one(x, b[k * sb]); break;
        default: y = betainc_one(x, b[k * sb], c[k * sc]); break;
        }
        out[k] = (float)y;
    }
}

OC_KERNEL(oc_special) {
    pass p = {in, state, oc_parts(state->threads, (double)in->special.elements * (in->special.kind == S_ERF ? 1.0 : in->special.kind == S_ERFC ? 10.0 : 60.0), in->special.elements / BLOCK + 1)};
    oc_parallel(state->threads, p.parts, special_part, &p);
    return OC_OK;
}
