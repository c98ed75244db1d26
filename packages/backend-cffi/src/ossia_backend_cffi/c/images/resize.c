// Images of other sizes. A row of the result is made of whole rows first and then along the row, or, for linear interpolation, the other
// way round, as the kernels on NumPy do it: sums come out alike.
#include "program/program.h"
#include "arrays/direct.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#pragma GCC optimize("fp-contract=off")

enum { BATCH, HEIGHT, WIDTH, DEPTH, ROWS, COLUMNS };  // of `sizes`
enum { LINEAR, CUBIC, AREA };
enum { CUBIC_STEPS = 1024 };  // between two pixels, of a table of weights

// What each of `count` new places is made of: `taps` old places at most, with their weights.
typedef struct {
    int64_t count, taps;
    int64_t *places;
    float *weights;
    int32_t *used;
} axis;

static void drop(axis *a) {
    free(a->places);
    free(a->weights);
    free(a->used);
}

static int make_room(axis *a, int64_t count, int64_t taps) {
    *a = (axis){count, taps, NULL, NULL, NULL};
    if (count > INT64_MAX / 16 / taps) return 1;
    a->places = malloc((size_t)(count * taps) * sizeof *a->places);
    a->weights = malloc((size_t)(count * taps) * sizeof *a->weights);
    a->used = malloc((size_t)count * sizeof *a->used);
    return !a->places || !a->weights || !a->used;
}

static inline int64_t within(int64_t place, int64_t old) { return place < 0 ? 0 : place >= old ? old - 1 : place; }

static inline float near_weight(float a, float at) { return ((a + 2.0f) * at - (a + 3.0f)) * at * at + 1.0f; }

static inline float far_weight(float a, float at) {
    at += 1.0f;
    return ((a * at - 5.0f * a) * at + 8.0f * a) * at - 4.0f * a;
}

static void linear_taps(const axis *a, int64_t k, float at, int half, int64_t old) {
    const float below = floorf(at), above = half ? ceilf(at) : below + 1.0f;
    int64_t *places = a->places + k * 2;
    places[0] = within((int64_t)below, old);
    places[1] = above < (float)(old - 1) ? within((int64_t)above, old) : old - 1;
    a->weights[k * 2 + 1] = at - (half ? below : (float)places[0]);
    a->weights[k * 2] = 1.0f - a->weights[k * 2 + 1];
    a->used[k] = 2;
}

static void cubic_taps(const axis *a, int64_t k, float at, int half, int64_t old) {
    const float first = floorf(at), shape = half ? -0.5f : -0.75f;
    const float offset = rintf((at - first) * (float)CUBIC_STEPS) / (float)CUBIC_STEPS;
    float *weights = a->weights + k * 4, total = 0.0f;
    weights[0] = far_weight(shape, offset);
    weights[1] = near_weight(shape, offset);
    weights[2] = near_weight(shape, 1.0f - offset);
    weights[3] = far_weight(shape, 1.0f - offset);
    for (int t = 0; t < 4; t++) {
        const int64_t place = (int64_t)first - 1 + t, held = within(place, old);
        if (half && place != held) weights[t] = 0.0f;
        total += weights[t];
        a->places[k * 4 + t] = held;
    }
    const float by = fabsf(total) >= 1000.0f * FLT_MIN ? 1.0f / total : 1.0f;
    for (int t = 0; half && t < 4; t++) weights[t] *= by;
    a->used[k] = 4;
}

static void area_taps(const axis *a, int64_t k, float scale, int64_t old) {
    const float start = (float)k * scale, end = (float)(k + 1) * scale;
    const int64_t first = (int64_t)floorf(start);
    int64_t count = (int64_t)ceilf(end) - first;
    if (count > a->taps) count = a->taps;
    for (int64_t t = 0; t < count; t++) {
        const float covered = (float)(first + t);
        float part;
        if (covered < start) part = covered + 1.0f > end ? scale : covered + 1.0f - start;
        else part = covered + 1.0f > end ? end - covered : 1.0f;
        a->places[k * a->taps + t] = within(first + t, old);
        a->weights[k * a->taps + t] = part / scale;
    }
    a->used[k] = (int32_t)count;
}

static int lay_out(axis *a, int how, int corners, int half, int64_t old, int64_t count) {
    const float scale = corners && count > 1 ? (float)(old - 1) / (float)(count - 1) : (float)old / (float)count;
    if (make_room(a, count, how == LINEAR ? 2 : how == CUBIC ? 4 : (int64_t)ceilf(scale) + 2)) return 1;
    for (int64_t k = 0; k < count; k++) {
        const float at = half ? ((float)k + 0.5f) * scale - 0.5f : (float)k * scale;
        if (how == LINEAR) linear_taps(a, k, at, half, old);
        else if (how == CUBIC) cubic_taps(a, k, at, half, old);
        else area_taps(a, k, scale, old);
    }
    return 0;
}

typedef struct {
    const float *x;
    float *out;
    const int64_t *sizes;
    axis rows, columns;
    int64_t parts;
    int failed;  // there was no memory for a part
} resizing;

static inline __attribute__((always_inline)) void interpolate(const axis *a, const float *restrict line, int64_t depth,
                                                              float *restrict out) {
    for (int64_t c = 0; c < a->count; c++, out += depth) {
        const float *low = line + a->places[c * 2] * depth, *high = line + a->places[c * 2 + 1] * depth;
        const float part = a->weights[c * 2 + 1];
        for (int64_t k = 0; k < depth; k++) out[k] = low[k] + (high[k] - low[k]) * part;
    }
}

static inline __attribute__((always_inline)) void add_up(const axis *a, const float *restrict line, int64_t depth, float *restrict out) {
    for (int64_t c = 0; c < a->count; c++, out += depth) {
        const int64_t *places = a->places + c * a->taps;
        const float *weights = a->weights + c * a->taps;
        for (int64_t k = 0; k < depth; k++) out[k] = 0.0f;
        for (int32_t t = 0; t < a->used[c]; t++) {
            const float *from = line + places[t] * depth, weight = weights[t];
            for (int64_t k = 0; k < depth; k++) out[k] += from[k] * weight;
        }
    }
}

static inline __attribute__((always_inline)) void hand_out(const axis *a, const float *restrict line, int64_t depth, float *restrict out) {
    for (int64_t c = 0; c < a->count; c++, line += depth)
        for (int32_t t = 0; t < a->used[c]; t++) {
            float *to = out + a->places[c * a->taps + t] * depth;
            const float weight = a->weights[c * a->taps + t];
            for (int64_t k = 0; k < depth; k++) to[k] += line[k] * weight;
        }
}

// Loops over pixels whose number of channels is known where it is a usual one.
#define BY_DEPTH(NAME, FN)                                                                                \
    OC_CLONES static void NAME(const axis *a, const float *restrict line, int64_t depth, float *restrict out) { \
        if (depth == 3) FN(a, line, 3, out);                                                              \
        else if (depth == 1) FN(a, line, 1, out);                                                         \
        else if (depth == 4) FN(a, line, 4, out);                                                         \
        else FN(a, line, depth, out);                                                                     \
    }

BY_DEPTH(interpolate_row, interpolate)
BY_DEPTH(add_up_row, add_up)
BY_DEPTH(hand_out_row, hand_out)

OC_CLONES static void between(int64_t n, const float *restrict low, const float *restrict high, float part, float *restrict out) {
    for (int64_t k = 0; k < n; k++) out[k] = low[k] + (high[k] - low[k]) * part;
}

OC_CLONES static void add_scaled(int64_t n, const float *restrict x, float by, float *restrict out) {
    for (int64_t k = 0; k < n; k++) out[k] += x[k] * by;
}

OC_CLONES static void add_four(int64_t n, const float *restrict a, const float *restrict b, const float *restrict c, const float *restrict d,
                               const float *restrict by, float *restrict out) {
    for (int64_t k = 0; k < n; k++) out[k] = a[k] * by[0] + b[k] * by[1] + c[k] * by[2] + d[k] * by[3];
}

// Rows of the result from one old row each, interpolated along itself once for all that need it.
static void linear_part(void *context, int64_t part) {
    resizing *r = context;
    const int64_t depth = r->sizes[DEPTH], wide = r->sizes[WIDTH] * depth, row = r->columns.count * depth, total = r->sizes[BATCH] * r->rows.count;
    float *lines = malloc((size_t)row * 2 * sizeof(float));
    if (!lines) { __atomic_store_n(&r->failed, 1, __ATOMIC_RELAXED); return; }
    int64_t held[2] = {-1, -1};  // the old row that each line is of
    const int64_t last = oc_bound(total, r->parts, part + 1, 1);
    for (int64_t n = oc_bound(total, r->parts, part, 1); n < last; n++) {
        const int64_t image = n / r->rows.count * r->sizes[HEIGHT], k = n % r->rows.count;
        const int64_t wanted[2] = {image + r->rows.places[k * 2], image + r->rows.places[k * 2 + 1]};
        int slots[2] = {held[1] == wanted[0], 0};
        if (held[slots[0]] != wanted[0]) {
            slots[0] = held[0] == wanted[1];
            interpolate_row(&r->columns, r->x + wanted[0] * wide, depth, lines + slots[0] * row);
            held[slots[0]] = wanted[0];
        }
        slots[1] = wanted[1] == wanted[0] ? slots[0] : !slots[0];
        if (held[slots[1]] != wanted[1]) {
            interpolate_row(&r->columns, r->x + wanted[1] * wide, depth, lines + slots[1] * row);
            held[slots[1]] = wanted[1];
        }
        between(row, lines + slots[0] * row, lines + slots[1] * row, r->rows.weights[k * 2 + 1], r->out + n * row);
    }
    free(lines);
}

static void sums_part(void *context, int64_t part) {
    resizing *r = context;
    const int64_t depth = r->sizes[DEPTH], wide = r->sizes[WIDTH] * depth, row = r->columns.count * depth, total = r->sizes[BATCH] * r->rows.count;
    float *line = malloc((size_t)wide * sizeof(float));
    if (!line) { __atomic_store_n(&r->failed, 1, __ATOMIC_RELAXED); return; }
    const int64_t last = oc_bound(total, r->parts, part + 1, 1);
    for (int64_t n = oc_bound(total, r->parts, part, 1); n < last; n++) {
        const int64_t k = n % r->rows.count, *places = r->rows.places + k * r->rows.taps;
        const float *image = r->x + n / r->rows.count * r->sizes[HEIGHT] * wide, *weights = r->rows.weights + k * r->rows.taps;
        if (r->rows.taps == 4 && r->rows.used[k] == 4) {
            add_four(wide, image + places[0] * wide, image + places[1] * wide, image + places[2] * wide, image + places[3] * wide, weights, line);
        } else {
            memset(line, 0, (size_t)wide * sizeof *line);
            for (int32_t t = 0; t < r->rows.used[k]; t++) add_scaled(wide, image + places[t] * wide, weights[t], line);
        }
        add_up_row(&r->columns, line, depth, r->out + n * row);
    }
    free(line);
}

static void gradient_part(void *context, int64_t part) {
    resizing *r = context;
    const int64_t depth = r->sizes[DEPTH], wide = r->sizes[WIDTH] * depth, row = r->columns.count * depth;
    float *line = malloc((size_t)wide * sizeof(float));
    if (!line) { __atomic_store_n(&r->failed, 1, __ATOMIC_RELAXED); return; }
    float *image = r->out + part * r->sizes[HEIGHT] * wide;
    memset(image, 0, (size_t)(r->sizes[HEIGHT] * wide) * sizeof *image);
    for (int64_t k = 0; k < r->rows.count; k++) {
        memset(line, 0, (size_t)wide * sizeof *line);
        hand_out_row(&r->columns, r->x + (part * r->rows.count + k) * row, depth, line);
        for (int32_t t = 0; t < r->rows.used[k]; t++)
            add_scaled(wide, line, r->rows.weights[k * r->rows.taps + t], image + r->rows.places[k * r->rows.taps + t] * wide);
    }
    free(line);
}

// Images [batch, height, width, depth] as `rows` by `columns`, or the gradient by those images of what is [batch, rows, columns, depth]. All
// sizes are positive but the number of images. 1 where there is no memory.
int oc_resize(int how, int corners, int half, int gradient, const float *x, const int64_t *sizes, int threads, float *out) {
    resizing r = {x, out, sizes, {0}, {0}, 1, 0};
    for (int k = HEIGHT; k <= COLUMNS; k++) if (sizes[k] < 1) return 1;
    if (how < LINEAR || how > AREA || sizes[BATCH] < 0) return 1;
    int failed = lay_out(&r.rows, how, corners, half, sizes[HEIGHT], sizes[ROWS]);
    failed = failed || lay_out(&r.columns, how, corners, half, sizes[WIDTH], sizes[COLUMNS]);
    if (!failed && gradient) {
        oc_parallel(threads, sizes[BATCH], gradient_part, &r);
    } else if (!failed) {
        const int64_t total = sizes[BATCH] * sizes[ROWS];
        r.parts = oc_parts(threads, (double)total * (double)(sizes[COLUMNS] * sizes[DEPTH]), total);
        if (total) oc_parallel(threads, r.parts, how == LINEAR ? linear_part : sums_part, &r);
    }
    drop(&r.rows);
    drop(&r.columns);
    return failed || r.failed;
}
