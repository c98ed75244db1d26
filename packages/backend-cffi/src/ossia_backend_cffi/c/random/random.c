// Random numbers by Philox4x32-10, the same as on NumPy (see ossia_ops.random.samplers.philox): a value depends on the position where the values of
// a run start, and on its own number.
#include "program/program.h"
#include "arrays/direct.h"
#include <math.h>
#include <string.h>

enum { LANES = 64 };  // counters at a time

typedef struct { uint32_t word[4][LANES]; } words;

// The words of the counters at the given distances from a position {key, low half of the counter, high half}.
static inline __attribute__((always_inline)) void draw_at(words *w, const uint64_t *position, const uint64_t *distances) {
    const uint64_t start = position[1], over = position[2];
    for (int k = 0; k < LANES; k++) {
        const uint64_t at = start + distances[k], above = over + (at < start);
        w->word[0][k] = (uint32_t)at;
        w->word[1][k] = (uint32_t)(at >> 32);
        w->word[2][k] = (uint32_t)above;
        w->word[3][k] = (uint32_t)(above >> 32);
    }
    uint32_t key0 = (uint32_t)position[0], key1 = (uint32_t)(position[0] >> 32);
    for (int round = 0; round < 10; round++) {
        for (int k = 0; k < LANES; k++) {
            const uint64_t a = (uint64_t)w->word[0][k] * 0xD2511F53u, b = (uint64_t)w->word[2][k] * 0xCD9E8D57u;
            w->word[0][k] = (uint32_t)(b >> 32) ^ w->word[1][k] ^ key0;
            w->word[1][k] = (uint32_t)b;
            w->word[2][k] = (uint32_t)(a >> 32) ^ w->word[3][k] ^ key1;
            w->word[3][k] = (uint32_t)a;
        }
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

// The words of the counters first, first + step, ...
static inline __attribute__((always_inline)) void draw_from(words *w, const uint64_t *position, uint64_t first, uint64_t step) {
    uint64_t distances[LANES];
    for (int k = 0; k < LANES; k++) distances[k] = first + (uint64_t)k * step;
    draw_at(w, position, distances);
}

OC_CLONES static void draw(words *w, const uint64_t *position, uint64_t first) { draw_from(w, position, first, 1); }

typedef struct { float *out; const uint64_t *position; int64_t count, parts; } drawing;

static void uniform_part(void *context, int64_t part) {
    const drawing *d = context;
    const int64_t last = oc_bound(d->count, d->parts, part + 1, 4 * LANES);
    for (int64_t at = oc_bound(d->count, d->parts, part, 4 * LANES); at < last; at += 4 * LANES) {
        words w;
        float values[4 * LANES];
        draw(&w, d->position, (uint64_t)at / 4);
        for (int k = 0; k < LANES; k++)
            for (int q = 0; q < 4; q++) {
                // The low 23 bits are the fraction of a number in [1, 2).
                const uint32_t bits = (w.word[q][k] & 0x7FFFFFu) | 0x3F800000u;
                memcpy(&values[4 * k + q], &bits, sizeof bits);
            }
        const int64_t n = last - at < 4 * LANES ? last - at : 4 * LANES;
        for (int64_t k = 0; k < n; k++) d->out[at + k] = values[k] - 1.0f;
    }
}

static void draw_uniform(const uint64_t *position, int64_t count, int threads, float *out) {
    drawing d = {out, position, count, 1};
    d.parts = oc_parts(threads, (double)count * 1.0, count / (4 * LANES) + 1);
    oc_parallel(threads, d.parts, uniform_part, &d);
}

OC_KERNEL(oc_random_uniform) {
    draw_uniform((const uint64_t *)state->buffers[in->random_uniform.position], in->random_uniform.elements, state->threads, OC_F32(random_uniform.out));
    return OC_OK;
}

typedef struct { double *out; const uint64_t *position; int64_t count, parts; } drawing_doubles;

// Two of each counter: 20 bits of one word and all of the next are the fraction of a number in [1, 2).
static void uniform_doubles_part(void *context, int64_t part) {
    const drawing_doubles *d = context;
    const int64_t last = oc_bound(d->count, d->parts, part + 1, 2 * LANES);
    for (int64_t at = oc_bound(d->count, d->parts, part, 2 * LANES); at < last; at += 2 * LANES) {
        words w;
        double values[2 * LANES];
        draw(&w, d->position, (uint64_t)at / 2);
        for (int k = 0; k < LANES; k++)
            for (int q = 0; q < 2; q++) {
                const uint64_t bits = (uint64_t)(w.word[2 * q][k] & 0xFFFFFu) << 32 | w.word[2 * q + 1][k] | UINT64_C(1023) << 52;
                memcpy(&values[2 * k + q], &bits, sizeof bits);
            }
        const int64_t n = last - at < 2 * LANES ? last - at : 2 * LANES;
        for (int64_t k = 0; k < n; k++) d->out[at + k] = values[k] - 1.0;
    }
}

static void draw_uniform_doubles(const uint64_t *position, int64_t count, int threads, double *out) {
    drawing_doubles d = {out, position, count, 1};
    d.parts = oc_parts(threads, (double)count * 2.0, count / (2 * LANES) + 1);
    oc_parallel(threads, d.parts, uniform_doubles_part, &d);
}

// Normal values by Box and Muller, with the C library's single-precision functions as ossia_ops.random.samplers.elementary has them. Not compiled
// for instruction sets with fused multiply-add, so that every sum is rounded as there.
#if defined(OC_X86) && !defined(__clang__)
#define UNFUSED_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define UNFUSED_CLONES
#endif

static const double INVERSE_CENTRE[16] = {
    0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010bp+0, 0x1.3c995b0b80385p+0, 0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0,
    0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0, 0x1.0953f419900a7p+0, 0x1p+0, 0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,
    0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1, 0x1.767dcf5534862p-1,
};
static const double LOG_CENTRE[16] = {
    -0x1.57bf7808caadep-2, -0x1.2bef0a7c06ddbp-2, -0x1.01eae7f513a67p-2, -0x1.b31d8a68224e9p-3, -0x1.6574f0ac07758p-3, -0x1.1aa2bc79c81p-3,
    -0x1.a4e76ce8c0e5ep-4, -0x1.1973c5a611cccp-4, -0x1.252f438e10c1ep-5, 0x0p+0, 0x1.aa5aa5df25984p-5, 0x1.c5e53aa362eb4p-4,
    0x1.526e57720db08p-3, 0x1.bc2860d22477p-3, 0x1.1058bc8a07ee1p-2, 0x1.4043057b6ee09p-2,
};

typedef union { float f; uint32_t u; int32_t i; } single;

static inline float unit(uint32_t word) {
    const single v = {.u = (word & 0x7FFFFFu) | 0x3F800000u};
    return v.f - 1.0f;
}

static inline float exact_log(float x) {
    const single v = {.f = x};
    const int32_t shifted = v.i - 0x3F330000, interval = (shifted >> 19) & 15;
    const single m = {.i = v.i - (shifted & -0x800000)};
    const double r = (double)m.f * INVERSE_CENTRE[interval] - 1.0, square = r * r;
    const double sum = ((double)(shifted >> 23) * 0x1.62e42fefa39efp-1 + LOG_CENTRE[interval]) + r;
    const double p = (-0x1.00ea348b88334p-2 * square + (0x1.5575b0be00b6ap-2 * r + -0x1.ffffef20a4123p-2)) * square;
    return (float)(p + sum);
}

// Two values of two words.
static inline void box_muller(uint32_t first, uint32_t second, float *a, float *b) {
    const float u = unit(first), radius = sqrtf(-2.0f * exact_log(u > 1e-7f ? u : 1e-7f));
    const float angle = (float)((double)unit(second) * 0x1.921fb54442d18p+2);
    double r = angle;
    const double quarters = rint(r * 0x1.45f306dc9c883p-1);
    r -= quarters * 0x1.921fb54442d18p+0;
    const uint32_t quarter = (uint32_t)(int32_t)quarters;
    const double square = r * r, cube = r * square, fourth = square * square;
    const double s = (-0x1.994eb3774cf24p-13 * square + 0x1.1107605230bc4p-7) * (cube * square) + (r + cube * -0x1.555545995a603p-3);
    const double c = (0x1.99343027bf8c3p-16 * square + -0x1.6c087e89a359dp-10) * (fourth * square) +
                     ((square * -0x1.ffffffd0c621cp-2 + 1.0) + fourth * 0x1.55553e1068f19p-5);
    const single sine = {.f = (float)s}, cosine = {.f = (float)c};
    const uint32_t swap = (sine.u ^ cosine.u) & -(quarter & 1);
    const single turned_sine = {.u = sine.u ^ swap ^ ((quarter & 2) << 30)}, turned_cosine = {.u = cosine.u ^ swap ^ (((quarter + 1) & 2) << 30)};
    *a = turned_sine.f * radius;
    *b = turned_cosine.f * radius;
}

typedef struct { float value[4][LANES]; } values;

static inline __attribute__((always_inline)) void normals(values *v, const words *w) {
    for (int k = 0; k < LANES; k++) box_muller(w->word[0][k], w->word[1][k], &v->value[0][k], &v->value[1][k]);
    for (int k = 0; k < LANES; k++) box_muller(w->word[2][k], w->word[3][k], &v->value[2][k], &v->value[3][k]);
}

UNFUSED_CLONES static void normal_part(void *context, int64_t part) {
    const drawing *d = context;
    const int64_t last = oc_bound(d->count, d->parts, part + 1, 4 * LANES);
    for (int64_t at = oc_bound(d->count, d->parts, part, 4 * LANES); at < last; at += 4 * LANES) {
        words w;
        values v;
        draw_from(&w, d->position, (uint64_t)at / 4, 1);
        normals(&v, &w);
        const int64_t n = last - at < 4 * LANES ? last - at : 4 * LANES;
        for (int64_t k = 0; k < n; k++) d->out[at + k] = v.value[k & 3][k >> 2];
    }
}

// Four values share a stretch of so many counters, from which they take the first that are within two standard deviations.
enum { STRETCH = 256, TOGETHER = 1024 };

UNFUSED_CLONES static void truncated_part(void *context, int64_t part) {
    const drawing *d = context;
    const int64_t last = oc_bound(d->count, d->parts, part + 1, 4 * TOGETHER);
    for (int64_t at = oc_bound(d->count, d->parts, part, 4 * TOGETHER); at < last; at += 4 * TOGETHER) {
        const int64_t n = last - at < 4 * TOGETHER ? last - at : 4 * TOGETHER;
        int32_t waiting = (int32_t)((n + 3) / 4), group[TOGETHER], found[TOGETHER];
        for (int32_t g = 0; g < waiting; g++) { group[g] = g; found[g] = 0; }
        for (uint64_t round = 0; waiting; round++) {
            int32_t left = 0;
            for (int32_t start = 0; start < waiting; start += LANES) {
                const int32_t lanes = waiting - start < LANES ? waiting - start : LANES;
                uint64_t distances[LANES];
                words w;
                values v;
                for (int32_t k = 0; k < LANES; k++)
                    distances[k] = ((uint64_t)at / 4 + (uint64_t)group[start + (k < lanes ? k : 0)]) * STRETCH + round;
                draw_at(&w, d->position, distances);
                normals(&v, &w);
                for (int32_t k = 0; k < lanes; k++) {
                    const int32_t g = group[start + k];
                    int32_t have = found[g];
                    for (int q = 0; q < 4; q++) {
                        const float x = v.value[q][k];
                        if (fabsf(x) < 2.0f && have < 4) {
                            if (4 * (int64_t)g + have < n) d->out[at + 4 * (int64_t)g + have] = x;
                            have++;
                        }
                    }
                    found[g] = have;
                    if (have < 4) group[left++] = g;
                }
            }
            waiting = left;
        }
    }
}

static void draw_normal(const uint64_t *position, int64_t count, int truncated, int threads, float *out) {
    drawing d = {out, position, count, 1};
    d.parts = oc_parts(threads, (double)count * 6.0, count / (4 * (truncated ? TOGETHER : LANES)) + 1);
    oc_parallel(threads, d.parts, truncated ? truncated_part : normal_part, &d);
}

OC_KERNEL(oc_random_normal) {
    draw_normal((const uint64_t *)state->buffers[in->random_normal.position], in->random_normal.elements, in->random_normal.truncated != 0, state->threads, OC_F32(random_normal.out));
    return OC_OK;
}

// Values of one distribution from a position on: uniform floats and doubles, normal floats, and those within two standard deviations.
int oc_draws(int how, const uint64_t *position, int64_t count, int threads, char *out) {
    if (how == 0) draw_uniform(position, count, threads, (float *)out);
    else if (how == 1) draw_uniform_doubles(position, count, threads, (double *)out);
    else draw_normal(position, count, how == 3, threads, (float *)out);
    return 0;
}

typedef struct { char *out; const uint64_t *position; int64_t count, parts; uint64_t low, span; } drawing_integers;

// Four of each counter, of one word each, or two, of which the first word is the low half.
#define INTEGERS(NAME, T, EACH, BITS)                                                                          \
    static void NAME(void *context, int64_t part) {                                                            \
        const drawing_integers *d = context;                                                                   \
        const T low = (T)d->low, span = (T)d->span;                                                            \
        T *out = (T *)d->out;                                                                                  \
        const int64_t last = oc_bound(d->count, d->parts, part + 1, EACH * LANES);                             \
        for (int64_t at = oc_bound(d->count, d->parts, part, EACH * LANES); at < last; at += EACH * LANES) {   \
            words w;                                                                                           \
            draw(&w, d->position, (uint64_t)at / EACH);                                                        \
            const int64_t n = last - at < EACH * LANES ? last - at : EACH * LANES;                             \
            for (int64_t k = 0; k < n; k++) {                                                                  \
                const int64_t lane = k / EACH, q = k % EACH;                                                   \
                out[at + k] = (T)((BITS) % span + low);                                                        \
            }                                                                                                  \
        }                                                                                                      \
    }

INTEGERS(ints_part, uint32_t, 4, w.word[q][lane])
INTEGERS(longs_part, uint64_t, 2, w.word[2 * q][lane] | (uint64_t)w.word[2 * q + 1][lane] << 32)

// Integers from `low` on, below `low + span`, which wrap, of 4 or 8 bytes; 1 if there are none.
int oc_integer_draws(int bytes, const uint64_t *position, int64_t count, uint64_t low, uint64_t span, int threads, char *out) {
    if (bytes == 4 ? !(uint32_t)span : !span) return 1;
    drawing_integers d = {out, position, count, 1, low, span};
    d.parts = oc_parts(threads, (double)count * 2.0, count / (4 * LANES) + 1);
    oc_parallel(threads, d.parts, bytes == 4 ? ints_part : longs_part, &d);
    return 0;
}
