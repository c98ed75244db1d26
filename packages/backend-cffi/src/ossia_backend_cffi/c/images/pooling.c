// Pooling over [n, h, w, channels]. i: the geometry, then what the kernel adds.
#include "images/image_groups.h"
#include <float.h>

typedef struct { int64_t y0, y1, x0, x1; } window;

static inline window window_at(const oc_geometry *g, int64_t y, int64_t x) {
    window s = {y * g->sh - g->ph, 0, x * g->sw - g->pw, 0};
    s.y1 = s.y0 + g->kh < g->h ? s.y0 + g->kh : g->h;
    s.x1 = s.x0 + g->kw < g->w ? s.x0 + g->kw : g->w;
    if (s.y0 < 0) s.y0 = 0;
    if (s.x0 < 0) s.x0 = 0;
    return s;
}

// NaN does not count, unless it is `top` itself.
static inline float larger(float top, float b) { return b > top ? b : top; }

// The windows that networks are mostly made of: 2 by 2 pixels that no other one meets, and that are all there. Channels are taken 16 at a time,
// the windows of a row in one loop; so a window costs little more than its loads and stores.
enum { LANES = 16 };

static inline int are_pairs(const oc_geometry *g) {
    return g->kh == 2 && g->kw == 2 && g->sh == 2 && g->sw == 2 && !g->ph && !g->pw && g->h >= 2 * g->oh && g->w >= 2 * g->ow && g->c % LANES == 0;
}

OC_CLONES static void pool_pairs(int64_t windows, int64_t n, int64_t row, const float *restrict cell, float *restrict out) {
    for (int64_t x = 0; x < windows; x++, cell += n)
        for (int64_t k = 0; k < n; k += LANES, cell += LANES, out += LANES)
            for (int q = 0; q < LANES; q++) {
                const float one = larger(larger(-FLT_MAX, cell[q]), cell[n + q]), two = larger(one, cell[row + q]);
                out[q] = larger(two, cell[row + n + q]);
            }
}

// The largest elements of a window, or their means, by channel.
OC_CLONES static void pool_window(const oc_geometry *g, window s, const float *image, int means, float *restrict out) {
    const int64_t row = g->w * g->c, n = g->c;
    const float *cell = image + s.y0 * row + s.x0 * n;
    if (s.y1 == s.y0 + 2 && s.x1 == s.x0 + 2) {
        if (means) for (int64_t k = 0; k < n; k++) out[k] = (0.0f + cell[k] + cell[n + k] + cell[row + k] + cell[row + n + k]) / 4.0f;
        else {
            const float *c1 = cell + n, *c2 = cell + row, *c3 = cell + row + n;
            for (int64_t k = 0; k < n; k++) {
                const float one = larger(larger(-FLT_MAX, cell[k]), c1[k]), two = larger(one, c2[k]);
                out[k] = larger(two, c3[k]);
            }
        }
        return;
    }
    for (int64_t k = 0; k < n; k++) out[k] = means ? 0.0f : -FLT_MAX;
    for (int64_t y = s.y0; y < s.y1; y++, cell += row)
        for (int64_t x = 0; x < s.x1 - s.x0; x++) {
            const float *from = cell + x * n;
            if (means) for (int64_t k = 0; k < n; k++) out[k] += from[k];
            else for (int64_t k = 0; k < n; k++) out[k] = larger(out[k], from[k]);
        }
    const float count = (float)((s.y1 - s.y0) * (s.x1 - s.x0));
    if (means) for (int64_t k = 0; k < n; k++) out[k] /= count;
}

static void pool_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    float *out = OC_F32(pool.out) + p->first * g.oh * g.ow * g.c;
    const int pairs = are_pairs(&g) && !in->pool.average;
    for (int64_t n = p->first; n < p->last; n++)
        for (int64_t y = 0; y < g.oh; y++) {
            if (pairs) {
                pool_pairs(g.ow, g.c, g.w * g.c, OC_F32(pool.x) + (n * g.h + 2 * y) * g.w * g.c, out);
                out += g.ow * g.c;
                continue;
            }
            for (int64_t x = 0; x < g.ow; x++, out += g.c)
                pool_window(&g, window_at(&g, y, x), OC_F32(pool.x) + n * g.h * g.w * g.c, (int)in->pool.average, out);
        }
}

// A window of 2 by 2 that no other one overlaps: the gradient goes to the first of the largest elements, zero to the others.
OC_CLONES static void max_pool_grad_2x2(int64_t n, int64_t row, const float *restrict cell, const float *restrict grad, float *restrict target) {
    const float *c1 = cell + n, *c2 = cell + row, *c3 = c2 + n;
    float *restrict t1 = target + n, *restrict t2 = target + row, *restrict t3 = t2 + n;
    for (int64_t k = 0; k < n; k++) {
        const float a = cell[k], b = c1[k], c = c2[k], d = c3[k], g = grad[k];
        const float one = larger(a, b), two = larger(one, c);
        const float before_d = d > two ? 0.0f : g, before_c = c > one ? 0.0f : before_d;
        target[k] = b > a ? 0.0f : before_c;
        t1[k] = b > a ? before_c : 0.0f;
        t2[k] = c > one ? before_d : 0.0f;
        t3[k] = d > two ? g : 0.0f;
    }
}

OC_CLONES static void max_pool_grad_pairs(int64_t windows, int64_t n, int64_t row, const float *restrict cell, const float *restrict grad,
                                          float *restrict target) {
    for (int64_t x = 0; x < windows; x++, cell += n, target += n)
        for (int64_t k = 0; k < n; k += LANES, cell += LANES, grad += LANES, target += LANES)
            for (int q = 0; q < LANES; q++) {
                const float a = cell[q], b = cell[n + q], c = cell[row + q], d = cell[row + n + q], g = grad[q];
                const float one = larger(a, b), two = larger(one, c);
                const float before_d = d > two ? 0.0f : g, before_c = c > one ? 0.0f : before_d;
                target[q] = b > a ? 0.0f : before_c;
                target[n + q] = b > a ? before_c : 0.0f;
                target[row + q] = c > one ? before_d : 0.0f;
                target[row + n + q] = d > two ? g : 0.0f;
            }
}

OC_CLONES static void max_pool_grad_window(const oc_geometry *g, window s, const float *image, const float *restrict grad, float *result,
                                           int32_t *restrict place, float *restrict top) {
    const int64_t row = g->w * g->c, n = g->c;
    const float *cells = image + s.y0 * row + s.x0 * n;
    for (int64_t k = 0; k < n; k++) { place[k] = 0; top[k] = cells[k]; }
    int32_t here = 0;
    for (int64_t y = 0; y < s.y1 - s.y0; y++)
        for (int64_t x = 0; x < s.x1 - s.x0; x++, here++) {
            const float *cell = cells + y * row + x * n;
            for (int64_t k = 0; k < n; k++) {
                place[k] = cell[k] > top[k] ? here : place[k];
                top[k] = larger(top[k], cell[k]);
            }
        }
    here = 0;
    for (int64_t y = 0; y < s.y1 - s.y0; y++)
        for (int64_t x = 0; x < s.x1 - s.x0; x++, here++) {
            float *restrict target = result + (s.y0 + y) * row + (s.x0 + x) * n;
            for (int64_t k = 0; k < n; k++) target[k] += place[k] == here ? grad[k] : 0.0f;
        }
}

// The gradient goes to the first largest element of a window.
static void max_pool_grad_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    const int64_t size = g.h * g.w * g.c, row = g.w * g.c;
    const float *grad = OC_F32(max_pool_grad.grad) + p->first * g.oh * g.ow * g.c;
    // Windows that meet every pixel once write all there is.
    const int once = g.kh == 2 && g.kw == 2 && g.sh == 2 && g.sw == 2 && !g.ph && !g.pw && g.h == 2 * g.oh && g.w == 2 * g.ow;
    const int pairs = once && are_pairs(&g);
    for (int64_t n = p->first; n < p->last; n++) {
        const float *image = OC_F32(max_pool_grad.x) + n * size;
        float *result = OC_F32(max_pool_grad.out) + n * size;
        if (!once) memset(result, 0, (size_t)size * sizeof(float));
        for (int64_t y = 0; y < g.oh; y++) {
            if (pairs) {
                max_pool_grad_pairs(g.ow, g.c, row, image + 2 * y * row, grad, result + 2 * y * row);
                grad += g.ow * g.c;
                continue;
            }
            for (int64_t x = 0; x < g.ow; x++, grad += g.c) {
                const int64_t at = 2 * y * row + 2 * x * g.c;
                if (once) max_pool_grad_2x2(g.c, row, image + at, grad, result + at);
                else max_pool_grad_window(&g, window_at(&g, y, x), image, grad, result, (int32_t *)p->own, p->own + g.c);
            }
        }
    }
}

OC_CLONES static void avg_pool_grad_window(const oc_geometry *g, window s, const float *restrict grad, float *result) {
    const float share = (float)((s.y1 - s.y0) * (s.x1 - s.x0));
    for (int64_t y = s.y0; y < s.y1; y++)
        for (int64_t x = s.x0; x < s.x1; x++) {
            float *restrict target = result + (y * g->w + x) * g->c;
            for (int64_t k = 0; k < g->c; k++) target[k] += grad[k] / share;
        }
}

static void avg_pool_grad_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    const int64_t size = g.h * g.w * g.c;
    const float *grad = OC_F32(avg_pool_grad.grad) + p->first * g.oh * g.ow * g.c;
    for (int64_t n = p->first; n < p->last; n++) {
        float *result = OC_F32(avg_pool_grad.out) + n * size;
        memset(result, 0, (size_t)size * sizeof(float));
        for (int64_t y = 0; y < g.oh; y++)
            for (int64_t x = 0; x < g.ow; x++, grad += g.c) avg_pool_grad_window(&g, window_at(&g, y, x), grad, result);
    }
}

const oc_member oc_pool_member = {NULL, pool_images, NULL};
const oc_member oc_max_pool_grad_member = {NULL, max_pool_grad_images, NULL};
const oc_member oc_avg_pool_grad_member = {NULL, avg_pool_grad_images, NULL};

typedef struct { const oc_instr *in; const oc_state *state; const oc_member *member; int64_t own; } pooling;

static void one_image(void *context, int64_t n) {
    const pooling *pool = context;
    const oc_images_part p = {pool->in, pool->state, NULL, (float *)pool->state->scratch + n * pool->own, pool->in->geometry.n, n, n + 1, 0, 0};
    pool->member->run(&p);
}

// Alone, every image is a part of the work; each has so many floats of scratch.
static int each_image(const oc_instr *in, const oc_state *state, const oc_member *member, int64_t own) {
    const oc_geometry g = in->geometry;
    pooling pool = {in, state, member, own};
    const double cost = (double)g.n * (double)(g.oh * g.ow * g.c) * (double)(g.kh * g.kw) * 0.2;
    oc_parallel(oc_parts(state->threads, cost, g.n) > 1 ? state->threads : 1, g.n, one_image, &pool);
    return OC_OK;
}

OC_KERNEL(oc_pool) { return each_image(in, state, &oc_pool_member, 0); }
OC_KERNEL(oc_max_pool_grad) { return each_image(in, state, &oc_max_pool_grad_member, 2 * in->geometry.c); }
OC_KERNEL(oc_avg_pool_grad) { return each_image(in, state, &oc_avg_pool_grad_member, 0); }
