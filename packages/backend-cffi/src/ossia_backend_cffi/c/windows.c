// Pooling over [n, h, w, channels]. i: n, h, w, channels, window h and w, out h and w, strides, elements before the first
// window (both h, w), dilations, then what the kernel adds.
#include "program.h"
#include <math.h>
#include <string.h>

typedef struct { int64_t n, h, w, c, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw; } geometry;

static inline geometry geometry_of(const oc_instr *in) {
    geometry g;
    memcpy(&g, in->i, sizeof g);
    return g;
}

typedef struct { const oc_instr *in; const oc_state *state; } pooling;

// Images do not depend on each other.
static int each_image(const oc_instr *in, const oc_state *state, oc_work work) {
    const geometry g = geometry_of(in);
    pooling pool = {in, state};
    const double cost = (double)g.n * (double)(g.oh * g.ow * g.c) * (double)(g.kh * g.kw) * 0.2;
    oc_parallel(oc_parts(state->threads, cost, g.n) > 1 ? state->threads : 1, g.n, work, &pool);
    return OC_OK;
}

typedef struct { int64_t y0, y1, x0, x1; } window;

static inline window window_at(const geometry *g, int64_t y, int64_t x) {
    window s = {y * g->sh - g->ph, 0, x * g->sw - g->pw, 0};
    s.y1 = s.y0 + g->kh < g->h ? s.y0 + g->kh : g->h;
    s.x1 = s.x0 + g->kw < g->w ? s.x0 + g->kw : g->w;
    if (s.y0 < 0) s.y0 = 0;
    if (s.x0 < 0) s.x0 = 0;
    return s;
}

static inline float larger(float a, float b) { return a > b || a != a ? a : b; }

// Buffers: result, image. i[14]: means instead of maxima.
OC_CLONES static void pool_image(void *context, int64_t n) {
    const pooling *pool = context;
    const oc_instr *in = pool->in;
    const oc_state *state = pool->state;
    const geometry g = geometry_of(in);
    float *out = OC_F32(0) + n * g.oh * g.ow * g.c;
        for (int64_t y = 0; y < g.oh; y++)
            for (int64_t x = 0; x < g.ow; x++, out += g.c) {
                const window s = window_at(&g, y, x);
                const float *image = OC_F32(1) + n * g.h * g.w * g.c;
                for (int64_t k = 0; k < g.c; k++) out[k] = in->i[14] ? 0.0f : -INFINITY;
                for (int64_t iy = s.y0; iy < s.y1; iy++)
                    for (int64_t ix = s.x0; ix < s.x1; ix++) {
                        const float *cell = image + (iy * g.w + ix) * g.c;
                        if (in->i[14]) for (int64_t k = 0; k < g.c; k++) out[k] += cell[k];
                        else for (int64_t k = 0; k < g.c; k++) out[k] = larger(out[k], cell[k]);
                    }
                const float count = (float)((s.y1 - s.y0) * (s.x1 - s.x0));
                if (in->i[14]) for (int64_t k = 0; k < g.c; k++) out[k] /= count;
            }
}

OC_KERNEL(oc_pool) { return each_image(in, state, pool_image); }

// Buffers: result, image, gradient. The gradient goes to the first largest element of a window.
OC_CLONES static void max_pool_grad_image(void *context, int64_t n) {
    const pooling *pool = context;
    const oc_instr *in = pool->in;
    const oc_state *state = pool->state;
    const geometry g = geometry_of(in);
    const float *grad = OC_F32(2) + n * g.oh * g.ow * g.c;
    int32_t *restrict open = (int32_t *)state->scratch + n * 2 * g.c;
    float *restrict top = (float *)open + g.c;
    memset(OC_F32(0) + n * g.h * g.w * g.c, 0, (size_t)(g.h * g.w * g.c) * sizeof(float));
        for (int64_t y = 0; y < g.oh; y++)
            for (int64_t x = 0; x < g.ow; x++, grad += g.c) {
                const window s = window_at(&g, y, x);
                const int64_t image = n * g.h * g.w * g.c;
                for (int64_t k = 0; k < g.c; k++) { open[k] = 1; top[k] = -INFINITY; }
                for (int64_t iy = s.y0; iy < s.y1; iy++)
                    for (int64_t ix = s.x0; ix < s.x1; ix++) {
                        const float *cell = OC_F32(1) + image + (iy * g.w + ix) * g.c;
                        for (int64_t k = 0; k < g.c; k++) top[k] = larger(top[k], cell[k]);
                    }
                for (int64_t iy = s.y0; iy < s.y1; iy++)
                    for (int64_t ix = s.x0; ix < s.x1; ix++) {
                        const int64_t at = image + (iy * g.w + ix) * g.c;
                        const float *cell = OC_F32(1) + at;
                        float *restrict target = OC_F32(0) + at;
                        for (int64_t k = 0; k < g.c; k++) {
                            const int32_t hit = open[k] & (cell[k] == top[k]);
                            target[k] += hit ? grad[k] : 0.0f;
                            open[k] &= !hit;
                        }
                    }
            }
}

OC_KERNEL(oc_max_pool_grad) { return each_image(in, state, max_pool_grad_image); }

// Buffers: result, gradient.
OC_CLONES static void avg_pool_grad_image(void *context, int64_t n) {
    const pooling *pool = context;
    const oc_instr *in = pool->in;
    const oc_state *state = pool->state;
    const geometry g = geometry_of(in);
    const float *grad = OC_F32(1) + n * g.oh * g.ow * g.c;
    memset(OC_F32(0) + n * g.h * g.w * g.c, 0, (size_t)(g.h * g.w * g.c) * sizeof(float));
        for (int64_t y = 0; y < g.oh; y++)
            for (int64_t x = 0; x < g.ow; x++, grad += g.c) {
                const window s = window_at(&g, y, x);
                const float share = (float)((s.y1 - s.y0) * (s.x1 - s.x0));
                for (int64_t iy = s.y0; iy < s.y1; iy++)
                    for (int64_t ix = s.x0; ix < s.x1; ix++) {
                        float *restrict target = OC_F32(0) + ((n * g.h + iy) * g.w + ix) * g.c;
                        for (int64_t k = 0; k < g.c; k++) target[k] += grad[k] / share;
                    }
            }
}

OC_KERNEL(oc_avg_pool_grad) { return each_image(in, state, avg_pool_grad_image); }
