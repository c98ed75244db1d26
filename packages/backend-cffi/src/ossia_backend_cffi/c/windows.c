// Convolutions and pooling over [n, h, w, channels]. i: n, h, w, channels, window h and w, out h and w, strides, elements before the first
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

static int is_plain(const geometry *g) { return g->kh == 1 && g->kw == 1 && g->sh == 1 && g->sw == 1 && !g->ph && !g->pw; }

// Lays out the patches of the windows first .. first + count as rows; or adds such rows back to the image.
static void patches(const geometry *g, float *image, float *rows, int64_t first, int64_t count, int back) {
    const int64_t c = g->c;
    int64_t x = first % g->ow, y = first / g->ow % g->oh, n = first / (g->ow * g->oh);
    for (int64_t r = 0; r < count; r++) {
        for (int64_t p = 0; p < g->kh; p++) {
            const int64_t iy = y * g->sh - g->ph + p * g->dh;
            for (int64_t q = 0; q < g->kw;) {
                const int64_t ix = x * g->sw - g->pw + q * g->dw;
                const int inside = iy >= 0 && iy < g->h && ix >= 0 && ix < g->w;
                int64_t run = 1;
                if (inside && g->dw == 1) { run = g->w - ix; if (run > g->kw - q) run = g->kw - q; }
                float *cell = inside ? image + ((n * g->h + iy) * g->w + ix) * c : 0;
                const int64_t items = run * c;
                if (!back) {
                    if (inside) memcpy(rows, cell, (size_t)items * sizeof(float));
                    else memset(rows, 0, (size_t)items * sizeof(float));
                } else if (inside) for (int64_t k = 0; k < items; k++) cell[k] += rows[k];
                rows += items; q += run;
            }
        }
        if (++x == g->ow) { x = 0; if (++y == g->oh) { y = 0; n++; } }
    }
}

// Buffers: result, image, filter. i[14]: channels out, i[15]: patches at a time.
OC_KERNEL(oc_conv) {
    const geometry g = geometry_of(in);
    const int64_t co = in->i[14], step = in->i[15], total = g.n * g.oh * g.ow, depth = g.kh * g.kw * g.c;
    float *out = OC_F32(0), *image = OC_F32(1), *columns = (float *)state->scratch;
    const float *filter = OC_F32(2);
    if (is_plain(&g)) { oc_gemm(0, 0, total, co, depth, image, depth, filter, co, 0.0f, out, co); return OC_OK; }
    for (int64_t first = 0; first < total; first += step) {
        const int64_t count = total - first < step ? total - first : step;
        patches(&g, image, columns, first, count, 0);
        oc_gemm(0, 0, count, co, depth, columns, depth, filter, co, 0.0f, out + first * co, co);
    }
    return OC_OK;
}

// Buffers: result, image, gradient.
OC_KERNEL(oc_conv_filter) {
    const geometry g = geometry_of(in);
    const int64_t co = in->i[14], step = in->i[15], total = g.n * g.oh * g.ow, depth = g.kh * g.kw * g.c;
    float *out = OC_F32(0), *image = OC_F32(1), *columns = (float *)state->scratch;
    const float *grad = OC_F32(2);
    if (is_plain(&g)) { oc_gemm(1, 0, depth, co, total, image, depth, grad, co, 0.0f, out, co); return OC_OK; }
    for (int64_t first = 0; first < total; first += step) {
        const int64_t count = total - first < step ? total - first : step;
        patches(&g, image, columns, first, count, 0);
        oc_gemm(1, 0, depth, co, count, columns, depth, grad + first * co, co, first ? 1.0f : 0.0f, out, co);
    }
    return OC_OK;
}

// Buffers: result, filter, gradient.
OC_KERNEL(oc_conv_input) {
    const geometry g = geometry_of(in);
    const int64_t co = in->i[14], step = in->i[15], total = g.n * g.oh * g.ow, depth = g.kh * g.kw * g.c;
    float *out = OC_F32(0), *columns = (float *)state->scratch;
    const float *filter = OC_F32(1), *grad = OC_F32(2);
    if (is_plain(&g)) { oc_gemm(0, 1, total, depth, co, grad, co, filter, co, 0.0f, out, depth); return OC_OK; }
    memset(out, 0, (size_t)(g.n * g.h * g.w * g.c) * sizeof(float));
    for (int64_t first = 0; first < total; first += step) {
        const int64_t count = total - first < step ? total - first : step;
        oc_gemm(0, 1, count, depth, co, grad + first * co, co, filter, co, 0.0f, columns, depth);
        patches(&g, out, columns, first, count, 1);
    }
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
OC_CLONES int oc_pool(const oc_instr *in, const oc_state *state) {
    const geometry g = geometry_of(in);
    float *out = OC_F32(0);
    for (int64_t n = 0; n < g.n; n++)
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
    return OC_OK;
}

// Buffers: result, image, gradient. The gradient goes to the first largest element of a window.
OC_CLONES int oc_max_pool_grad(const oc_instr *in, const oc_state *state) {
    const geometry g = geometry_of(in);
    const float *grad = OC_F32(2);
    int32_t *restrict open = (int32_t *)state->scratch;
    float *restrict top = (float *)state->scratch + g.c;
    memset(OC_F32(0), 0, (size_t)(g.n * g.h * g.w * g.c) * sizeof(float));
    for (int64_t n = 0; n < g.n; n++)
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
    return OC_OK;
}

// Buffers: result, gradient.
OC_CLONES int oc_avg_pool_grad(const oc_instr *in, const oc_state *state) {
    const geometry g = geometry_of(in);
    const float *grad = OC_F32(1);
    memset(OC_F32(0), 0, (size_t)(g.n * g.h * g.w * g.c) * sizeof(float));
    for (int64_t n = 0; n < g.n; n++)
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
    return OC_OK;
}
