// Derivatives of the incomplete gamma function by its first parameter, by the methods of ossia_ops.math.special_values: a power series and a
// continued fraction, each with its derivative term by term.
#include <stdint.h>
#include "arrays/direct.h"
#include "random/gamma.h"
#include "program/pool.h"
#include <math.h>

enum { BLOCK = 64, MOST_TERMS = 2000 };
enum { OF_IGAMMA, OF_SAMPLE };

static const double TINY = 1e-300, ENOUGH = 0x1p-52, NEARLY_NORMAL = 1e5;

// The derivative of the lower function, by its series, without the powers in front.
static double series_slope(double a, double x) {
    double term = 1.0, slope = 0.0, total = 1.0, total_slope = 0.0, n = a;
    for (int k = 0; k < MOST_TERMS; k++) {
        n += 1.0;
        slope = (slope - term / n) * x / n;
        term = term * x / n;
        total += term;
        total_slope += slope;
        if (fabs(slope) <= fabs(total_slope) * ENOUGH && term <= total * ENOUGH) break;
    }
    return total * (log(x > 0.0 ? x : 1.0) - digamma_one(a + 1.0)) + total_slope;
}

static inline double apart(double v) { return fabs(v) < TINY ? TINY : v; }

// The derivative of the upper function, by its continued fraction, without the powers in front.
static double fraction_slope(double a, double x) {
    double b = x + 1.0 - a, c = 1.0 / TINY, c_slope = 0.0, d = 1.0 / apart(b), d_slope = d * d, h = d, h_slope = d_slope;
    for (int k = 1; k < MOST_TERMS; k++) {
        const double an = -k * (k - a);
        b += 2.0;
        const double next_d = 1.0 / apart(an * d + b);
        d_slope = -next_d * next_d * (k * d + an * d_slope - 1.0);
        d = next_d;
        c_slope = -1.0 + k / c - an * c_slope / (c * c);
        c = apart(b + an / c);
        const double change = d * c, change_slope = d_slope * c + d * c_slope;
        h_slope = h_slope * change + h * change_slope;
        h *= change;
        if (fabs(change - 1.0) < ENOUGH && fabs(h * change_slope) <= fabs(h_slope) * ENOUGH) break;
    }
    return h * (log(x) - digamma_one(a)) + h_slope;
}

// The derivative by a, divided by that by x.
static double relative_slope(double a, double x) {
    return x <= 1.0 || x <= a ? x / a * series_slope(a, x) : -x * fraction_slope(a, x);
}

static double slope_one(int of, double a, double x) {
    if (x == 0.0) return 0.0;
    if (!(x > 0.0 && a > 0.0) || isinf(a)) return NAN;
    if (isinf(x)) return -0.0;
    if (of == OF_IGAMMA) return exp((a - 1.0) * log(x) - x - lgamma_one(a)) * relative_slope(a, x);
    if (a <= NEARLY_NORMAL) return -relative_slope(a, x);
    // The cube root is normal to eight places.
    const double root = cbrt(x / a);
    return root * root * root + root * root * (1.0 / (3.0 * a) - 1.5 * (root - 1.0 + 1.0 / (9.0 * a)));
}

typedef struct { int of, doubles; int64_t count, a_step, x_step, parts; const char *a, *x; char *out; } slopes;

static void slopes_part(void *context, int64_t part) {
    const slopes *s = context;
    const int64_t last = oc_bound(s->count, s->parts, part + 1, BLOCK);
    for (int64_t k = oc_bound(s->count, s->parts, part, BLOCK); k < last; k++) {
        const int64_t i = k * s->a_step, j = k * s->x_step;
        if (s->doubles) ((double *)s->out)[k] = slope_one(s->of, ((const double *)s->a)[i], ((const double *)s->x)[j]);
        else ((float *)s->out)[k] = (float)slope_one(s->of, ((const float *)s->a)[i], ((const float *)s->x)[j]);
    }
}

// Derivatives by a of the lower incomplete gamma function, or of a sample x of the gamma distribution. A step is 1, or 0 of a scalar.
int oc_gamma_slopes(int of, int doubles, int64_t count, const char *a, int64_t a_step, const char *x, int64_t x_step, int threads, char *out) {
    slopes s = {of, doubles, count, a_step, x_step, 1, a, x, out};
    s.parts = oc_parts(threads, (double)count * 200.0, count / BLOCK + 1);
    oc_parallel(threads, s.parts, slopes_part, &s);
    return 0;
}
