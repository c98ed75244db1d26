// The logarithm of the gamma function and its derivative, in double precision.
#ifndef OSSIA_GAMMA_H
#define OSSIA_GAMMA_H

#include <math.h>

static const double PI = 3.14159265358979323846;
// B2, B4, ...
static const double BERNOULLI[10] = {1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};

static double lgamma_one(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

static double digamma_one(double x) {
    const int reflected = x <= 0.0;
    const double part = x - rint(x);
    if (reflected && (part == 0.0 || isinf(x))) return INFINITY;
    double z = reflected ? 1.0 - x : x, shift = 0.0;
    for (; z < 10.0; z += 1.0) shift += 1.0 / z;
    const double square = 1.0 / (z * z);
    double sum = 0.0;
    for (int k = 6; k >= 0; k--) sum = sum * square + BERNOULLI[k] / (2 * k + 2);
    const double value = log(z) - 0.5 / z - sum * square - shift;
    return reflected && fabs(part) != 0.5 ? value - PI / tan(PI * part) : value;
}

#endif
