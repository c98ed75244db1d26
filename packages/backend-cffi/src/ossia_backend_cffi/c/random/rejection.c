// Gamma and Poisson values by rejection, and normal ones in double precision: the same, bit for bit, as ossia_ops.random.samplers.rejection and
// ossia_ops.random.samplers.distributions draw. Each value has a stretch of the stream of its own. Nothing here is compiled for instruction sets
// with fused multiply-add, so that every sum is rounded as there.
#include <stdint.h>
#include "arrays/direct.h"
#include "program/pool.h"
#include <float.h>
#include <math.h>

enum { STRETCH = 256 };  // groups that belong to a value
enum { UNIFORM, NORMAL };

// Where a value reads: pairs of numbers, of which the second is used first.
typedef struct { const uint64_t *position; uint64_t next; double spare[2]; int has[2]; } lane;

// Two uniform values of a group at a distance from the position {key, low half of the counter, high half}.
static inline void units_at(const uint64_t *position, uint64_t distance, double *units) {
    const uint64_t at = position[1] + distance, above = position[2] + (at < position[1]);
    uint32_t w0 = (uint32_t)at, w1 = (uint32_t)(at >> 32), w2 = (uint32_t)above, w3 = (uint32_t)(above >> 32);
    uint32_t key0 = (uint32_t)position[0], key1 = (uint32_t)(position[0] >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)w0 * 0xD2511F53u, b = (uint64_t)w2 * 0xCD9E8D57u;
        w0 = (uint32_t)(b >> 32) ^ w1 ^ key0;
        w1 = (uint32_t)b;
        w2 = (uint32_t)(a >> 32) ^ w3 ^ key1;
        w3 = (uint32_t)a;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    const union { uint64_t bits; double value; } first = {(uint64_t)(w0 & 0xFFFFFu) << 32 | w1 | (uint64_t)1023 << 52},
                                                 second = {(uint64_t)(w2 & 0xFFFFFu) << 32 | w3 | (uint64_t)1023 << 52};
    units[0] = first.value - 1.0;
    units[1] = second.value - 1.0;
}

static inline void normals_at(const uint64_t *position, uint64_t distance, double *values) {
    double u[2];
    units_at(position, distance, u);
    const double radius = sqrt(-2.0 * log(u[0] > 1e-7 ? u[0] : 1e-7)), angle = 0x1.921fb54442d18p+2 * u[1];
    values[0] = sin(angle) * radius;
    values[1] = cos(angle) * radius;
}

static inline double read_one(lane *l, int kind) {
    if (l->has[kind]) {
        l->has[kind] = 0;
        return l->spare[kind];
    }
    double pair[2];
    if (kind == UNIFORM) units_at(l->position, l->next++, pair);
    else normals_at(l->position, l->next++, pair);
    l->spare[kind] = pair[0];
    l->has[kind] = 1;
    return pair[1];
}

static double gamma_one(lane *l, double alpha) {
    if (alpha == 1.0) return -log(1.0 - read_one(l, UNIFORM));
    const int small = alpha < 1.0;
    const double d = alpha + (small ? 2.0 / 3 : -1.0 / 3), c = 1.0 / 3 / sqrt(d);
    for (;;) {
        const double x = read_one(l, NORMAL);
        double v = 1.0 + c * x;
        if (v <= 0.0) continue;
        v = v * v * v;
        const double u = read_one(l, UNIFORM), square = x * x;
        if (u < 1.0 - 0.0331 * square * square || log(u) < 0.5 * x * x + d * (1.0 - v + log(v)))
            return small ? d * v * pow(read_one(l, UNIFORM), 1.0 / alpha) : d * v;
    }
}

static double products(lane *l, double rate) {
    const double limit = exp(-rate);
    double product = 1.0;
    for (double count = 0.0;; count += 1.0) {
        product *= read_one(l, UNIFORM);
        if (product <= limit) return count;
    }
}

static double transformed(lane *l, double mean, double largest) {
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b, quick = 0.9277 - 3.6224 / (b - 2.0);
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), log_mean = log(mean);
    for (;;) {
        const double u = read_one(l, UNIFORM) - 0.5, v = read_one(l, UNIFORM), room = 0.5 - fabs(u);
        const double k = floor((2.0 * a / room + b) * u + mean + 0.43);
        int accepted = room >= 0.07 && v <= quick, sign;
        if (!accepted && k >= 0.0 && (room >= 0.013 || v <= room))
            accepted = log(v * inverse_alpha / (a / (room * room) + b)) <= -mean + k * log_mean - lgamma_r(k + 1.0, &sign);
        if (accepted && k <= largest) return k;
    }
}

typedef struct {
    const uint64_t *position;
    const double *parameters;
    char *out;
    int64_t count, each, parts;
    double largest;
    int kind, gamma;
} drawing;

static void put(const drawing *d, int64_t at, double value) {
    switch (d->kind) {
    case 0: ((float *)d->out)[at] = (float)value < FLT_MIN ? 0.0f : (float)value; break;
    case 1: ((double *)d->out)[at] = value < DBL_MIN ? 0.0 : value; break;
    case 2: ((int32_t *)d->out)[at] = (int32_t)value; break;
    default: ((int64_t *)d->out)[at] = (int64_t)value; break;
    }
}

static void draw_part(void *context, int64_t part) {
    const drawing *d = context;
    const int64_t last = oc_bound(d->count, d->parts, part + 1, 16);
    for (int64_t k = oc_bound(d->count, d->parts, part, 16); k < last; k++) {
        lane l = {.position = d->position, .next = (uint64_t)k * STRETCH};
        const int64_t parameter = k / d->each;
        const double p = d->parameters[parameter];
        const double value = d->gamma ? gamma_one(&l, p) : p < 10.0 ? products(&l, p) : transformed(&l, p, d->largest);
        put(d, k % d->each * (d->count / d->each) + parameter, value);
    }
}

// `each` values for each parameter, [each, parameters], of the kind of number `kind`: gamma values, or those of Poisson up to the
// largest. A rate is not negative and no larger than that.
int oc_rejection(int gamma, int kind, const uint64_t *position, int64_t each, int64_t parameters, const double *of, double largest,
                 int threads, char *out) {
    for (int64_t k = 0; !gamma && k < parameters; k++)
        if (!(of[k] >= 0.0 && of[k] <= largest)) return 1;
    drawing d = {position, of, out, each * parameters, each, 1, largest, kind, gamma};
    d.parts = oc_parts(threads, (double)d.count * 200.0, d.count / 16 + 1);
    oc_parallel(threads, d.parts, draw_part, &d);
    return 0;
}

static void normal_part(void *context, int64_t part) {
    const drawing *d = context;
    double *out = (double *)d->out;
    const int64_t last = oc_bound(d->count, d->parts, part + 1, 16);
    for (int64_t k = oc_bound(d->count, d->parts, part, 16); k < last; k += 2) {
        double pair[2];
        normals_at(d->position, (uint64_t)k / 2, pair);
        out[k] = pair[0];
        if (k + 1 < last) out[k + 1] = pair[1];
    }
}

// Normal values in double precision, two of each group.
int oc_normal_doubles(const uint64_t *position, int64_t count, int threads, double *out) {
    drawing d = {.position = position, .out = (char *)out, .count = count, .parts = 1};
    d.parts = oc_parts(threads, (double)count * 60.0, count / 16 + 1);
    oc_parallel(threads, d.parts, normal_part, &d);
    return 0;
}
