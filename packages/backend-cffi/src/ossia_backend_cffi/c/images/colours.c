// Hue, saturation and value of colours, changed on the way to colours again. NaN and infinities go the way that they go on NumPy.
#include "program/program.h"
#include "arrays/direct.h"
#include <math.h>
#pragma GCC optimize("fp-contract=off")

enum { TO_HSV, FROM_HSV, TURN_HUE, SCALE_SATURATION };

typedef struct {
    int how;
    const float *x;
    int64_t count, parts;
    float by, *out;
} colouring;

static inline float least(float a, float b) { return a != a ? a : b < a || b != b ? b : a; }
static inline float largest(float a, float b) { return a != a ? a : b > a || b != b ? b : a; }
static inline float in_unit(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

static inline void to_hsv(const float *x, float *hsv) {
    const float red = x[0], green = x[1], blue = x[2];
    const float value = largest(largest(red, green), blue), spread = value - least(least(red, green), blue);
    const float norm = 1.0f / 6.0f / (spread > 0.0f ? spread : 1.0f);
    const float from_red = norm * (green - blue), from_green = norm * (blue - red) + (float)(2.0 / 6.0);
    const float from_blue = norm * (red - green) + (float)(4.0 / 6.0);
    float hue = red == value ? from_red : green == value ? from_green : from_blue;
    hue = spread > 0.0f ? hue : 0.0f;
    hsv[0] = hue < 0.0f ? hue + 1.0f : hue;
    hsv[1] = value > 0.0f ? spread / (value > 0.0f ? value : 1.0f) : 0.0f;
    hsv[2] = value;
}

static inline void from_hsv(const float *hsv, float *out) {
    const float sixths = hsv[0] * 6.0f, saturation = hsv[1], value = hsv[2];
    const float red = in_unit(fabsf(sixths - 3.0f) - 1.0f), green = in_unit(2.0f - fabsf(sixths - 2.0f));
    const float blue = in_unit(2.0f - fabsf(sixths - 4.0f)), pale = 1.0f - saturation;
    out[0] = (pale + saturation * red) * value;
    out[1] = (pale + saturation * green) * value;
    out[2] = (pale + saturation * blue) * value;
}

OC_CLONES static void turn_hue(int64_t count, const float *restrict x, float by, float *restrict out) {
    for (int64_t k = 0; k < count; k++) {
        float hsv[3];
        to_hsv(x + 3 * k, hsv);
        const float hue = hsv[0] + by, part = hue - truncf(hue);
        hsv[0] = part < 0.0f ? part + 1.0f : part;
        from_hsv(hsv, out + 3 * k);
    }
}

OC_CLONES static void scale_saturation(int64_t count, const float *restrict x, float by, float *restrict out) {
    for (int64_t k = 0; k < count; k++) {
        float hsv[3];
        to_hsv(x + 3 * k, hsv);
        hsv[1] = in_unit(hsv[1] * by);
        from_hsv(hsv, out + 3 * k);
    }
}

OC_CLONES static void all_to_hsv(int64_t count, const float *restrict x, float *restrict out) {
    for (int64_t k = 0; k < count; k++) to_hsv(x + 3 * k, out + 3 * k);
}

OC_CLONES static void all_from_hsv(int64_t count, const float *restrict x, float *restrict out) {
    for (int64_t k = 0; k < count; k++) from_hsv(x + 3 * k, out + 3 * k);
}

static void colours_part(void *context, int64_t part) {
    const colouring *c = context;
    const int64_t first = oc_bound(c->count, c->parts, part, 16), count = oc_bound(c->count, c->parts, part + 1, 16) - first;
    const float *x = c->x + first * 3;
    float *out = c->out + first * 3;
    if (c->how == TO_HSV) all_to_hsv(count, x, out);
    else if (c->how == FROM_HSV) all_from_hsv(count, x, out);
    else if (c->how == TURN_HUE) turn_hue(count, x, c->by, out);
    else scale_saturation(count, x, c->by, out);
}

// `count` colours of three numbers each, in one of four ways.
int oc_colours(int how, int64_t count, const float *x, float by, int threads, float *out) {
    if (how < TO_HSV || how > SCALE_SATURATION || count < 0) return 1;
    colouring c = {how, x, count, 1, by, out};
    c.parts = oc_parts(threads, (double)count * 4.0, (count + 15) / 16);
    if (count) oc_parallel(threads, c.parts, colours_part, &c);
    return 0;
}
