// Convolutions over [n, h, w, channels] as tiles that read the images where they lie: the pixels that a tile of outputs needs for one row of
// the window are as far apart as the outputs, so nothing is laid out but a border of zeros where windows reach beyond the image.
#include "images/image_groups.h"
#include "products/tiles.h"

enum {
    RUNS = 64,       // rows that the gradient of a filter is summed over at a time, at most
    WEIGHTS = 224,   // rows of the weights that lie in the first-level cache at a time
    ROWS = 16,       // rows of the output that meet them
};

// The images that windows walk over: with zeros before and after, so that windows never leave them.
typedef struct {
    const float *from;
    float *to;
    int64_t h, w, c, before_y, before_x, all_h, all_w;
} border;

static void add_border(void *context, int64_t n) {
    const border *b = context;
    const int64_t row = b->all_w * b->c;
    const float *from = b->from + n * b->h * b->w * b->c;
    float *to = b->to + n * b->all_h * row;
    const int64_t before = b->before_x < b->all_w ? b->before_x : b->all_w, left = b->all_w - before, inside = left < b->w ? left : b->w;
    for (int64_t y = 0; y < b->all_h; y++, to += row) {
        const int64_t iy = y - b->before_y;
        if (iy < 0 || iy >= b->h) { memset(to, 0, (size_t)row * sizeof(float)); continue; }
        memset(to, 0, (size_t)(before * b->c) * sizeof(float));
        memcpy(to + before * b->c, from + iy * b->w * b->c, (size_t)(inside * b->c) * sizeof(float));
        const int64_t done = before + inside;
        memset(to + done * b->c, 0, (size_t)((b->all_w - done) * b->c) * sizeof(float));
    }
}

static inline int needs_border(int64_t h, int64_t w, int64_t before_y, int64_t before_x, int64_t all_h, int64_t all_w) {
    return before_y || before_x || all_h > h || all_w > w;
}

const float *oc_bordered(int threads, float *scratch, const float *images, int64_t n, int64_t *h, int64_t *w, int64_t c, int64_t before_y,
                         int64_t before_x, int64_t all_h, int64_t all_w) {
    if (!needs_border(*h, *w, before_y, before_x, all_h, all_w)) return images;
    border b = {images, scratch, *h, *w, c, before_y, before_x, all_h, all_w};
    const double cost = (double)n * (double)(all_h * all_w * c) * 0.2;
    oc_parallel(oc_parts(threads, cost, n) > 1 ? threads : 1, n, add_border, &b);
    *h = all_h;
    *w = all_w;
    return scratch;
}

// One pass of windows over images: for each output pixel the sum over taps of input times weights.
typedef struct {
    const oc_tiles *tiles;
    const float *images;             // the first tap of the first window
    float *out;                      // the first output pixel
    const float *panels;
    const int64_t *offsets;
    int64_t runs, len, depth;        // stretches of taps, and elements of one; depth is their product
    int64_t image, row, pixel;       // distances in the images
    int64_t out_image, out_row, out_pixel;
    int64_t height, width, channels; // of the output
    int64_t rows, parts;             // rows of all images
} windows;

// Rows [first, last) of the output. A stretch of the weights that fits into the first-level cache meets all of them, then the next one.
static void walk_rows(const windows *s, int64_t first, int64_t last) {
    const int64_t lanes = s->tiles->lanes, panel = 2 * lanes, most = s->tiles->rows;
    const int64_t pieces = (s->width + most - 1) / most, runs = s->len < WEIGHTS ? WEIGHTS / s->len : 1;
    oc_tile t = {.len = s->len, .step = s->pixel, .ldb = panel, .ldc = s->out_pixel};
    for (int64_t j = 0; j < s->channels; j += panel)
        for (int64_t run = 0; run < s->runs; run += runs) {
            t.columns = s->channels - j < panel ? s->channels - j : panel;
            t.b = s->panels + j * s->depth + run * s->len * panel;
            t.offsets = s->offsets + run;
            t.runs = s->runs - run < runs ? s->runs - run : runs;
            t.add = run > 0;
            for (int64_t at = first; at < last;) {
                const int64_t next = at + 1, two = 2 * s->width <= most && next < last;  // a tile takes two narrow rows
                const float *images = s->images + at / s->height * s->image + at % s->height * s->row;
                const float *images2 = s->images + next / s->height * s->image + next % s->height * s->row;
                float *out = s->out + at / s->height * s->out_image + at % s->height * s->out_row;
                float *out2 = s->out + next / s->height * s->out_image + next % s->height * s->out_row;
                for (int64_t k = 0; k < pieces; k++) {
                    const int64_t x = s->width * k / pieces, height = two ? 2 * s->width : s->width * (k + 1) / pieces - x;
                    t.a = images + x * s->pixel;
                    t.c = out + x * s->out_pixel + j;
                    t.a2 = two ? images2 : t.a + (height + 1) / 2 * s->pixel;
                    t.c2 = two ? out2 + j : t.c + (height + 1) / 2 * s->out_pixel;
                    s->tiles->fn[height - 1][0][t.columns > lanes](&t);
                }
                at += two ? 2 : 1;
            }
        }
}

static void walk(void *context, int64_t part) {
    const windows *s = context;
    const int64_t last = oc_bound(s->rows, s->parts, part + 1, 1);
    for (int64_t at = oc_bound(s->rows, s->parts, part, 1); at < last; at += ROWS) walk_rows(s, at, at + ROWS < last ? at + ROWS : last);
}

static void walk_all(const oc_state *state, windows *s) {
    const double work = (double)s->rows * (double)s->width * (double)s->channels * (double)s->depth;
    s->parts = oc_parts(state->threads, work / 50.0, s->rows);
    oc_parallel(state->threads, s->parts, walk, s);
}

// Where the taps of a window lie: a row of taps at a time if they are next to each other. Returns the number of runs.
static int64_t taps(int64_t *offsets, int64_t kh, int64_t kw, int64_t dh, int64_t dw, int64_t row, int64_t c) {
    if (dw == 1 || kw == 1) {
        for (int64_t p = 0; p < kh; p++) offsets[p] = p * dh * row;
        return kh;
    }
    for (int64_t p = 0; p < kh; p++) for (int64_t q = 0; q < kw; q++) offsets[p * kw + q] = p * dh * row + q * dw * c;
    return kh * kw;
}

// The filter in panels, rows [first, last) of each: input channels of taps, one tap after the other.
static void lay_out_filter(float *panels, const float *filter, int64_t depth, int64_t co, int64_t first, int64_t last) {
    const int64_t panel = 2 * oc_tiles_here()->lanes;
    for (int64_t j = 0; j < co; j += panel)
        oc_lay_out(panels + j * depth + first * panel, panel, filter + first * co + j, co, 0, last - first, co - j < panel ? co - j : panel);
}

// The windows of a convolution over `n` images that are `h` by `w` with their border.
static windows windows_of(const oc_geometry *g, int64_t co, const float *images, int64_t n, int64_t h, int64_t w, float *out,
                          const float *panels, const int64_t *offsets, int64_t runs) {
    const int64_t depth = g->kh * g->kw * g->c;
    return (windows){oc_tiles_here(), images, out, panels, offsets, runs, depth / runs, depth, h * w * g->c, g->sh * w * g->c, g->sw * g->c,
                     g->oh * g->ow * co, g->ow * co, co, g->oh, g->ow, co, n * g->oh, 1};
}

// In scratch lie the images with their border, the panels of the filter, the offsets of taps.
OC_KERNEL(oc_conv) {
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv.co, depth = g.kh * g.kw * g.c;
    float *scratch = (float *)state->scratch, *panels = scratch + in->conv.border;
    int64_t *offsets = (int64_t *)(panels + in->conv.panel_floats), h = g.h, w = g.w;
    const float *images = oc_bordered(state->threads, scratch, OC_F32(conv.x), g.n, &h, &w, g.c, g.ph, g.pw, in->conv.all_h, in->conv.all_w);
    lay_out_filter(panels, OC_F32(conv.filter), depth, co, 0, depth);
    windows s = windows_of(&g, co, images, g.n, h, w, OC_F32(conv.out), panels, offsets, taps(offsets, g.kh, g.kw, g.dh, g.dw, w * g.c, g.c));
    walk_all(state, &s);
    return OC_OK;
}

// What the images of a group share: the offsets of taps, how many, then panels.
typedef struct { int64_t *offsets, *runs; float *panels; } layouts;

static layouts layouts_at(float *shared, int64_t taps) {
    int64_t *offsets = (int64_t *)shared;
    return (layouts){offsets, offsets + taps, shared + (2 * (taps + 1) + 15) / 16 * 16};
}

static void prepare_conv(const oc_instr *in, const oc_state *state, float *shared, int64_t part, int64_t parts) {
    const oc_geometry g = in->geometry;
    const layouts l = layouts_at(shared, g.kh * g.kw);
    const int64_t depth = g.kh * g.kw * g.c, w = needs_border(g.h, g.w, g.ph, g.pw, in->conv.all_h, in->conv.all_w) ? in->conv.all_w : g.w;
    if (!part) *l.runs = taps(l.offsets, g.kh, g.kw, g.dh, g.dw, w * g.c, g.c);
    lay_out_filter(l.panels, OC_F32(conv.filter), depth, in->conv.co, oc_bound(depth, parts, part, 4), oc_bound(depth, parts, part + 1, 4));
}

static void conv_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    const layouts l = layouts_at(p->shared, g.kh * g.kw);
    int64_t h = g.h, w = g.w;
    const float *images = oc_bordered(1, p->own, OC_F32(conv.x) + p->first * h * w * g.c, p->last - p->first, &h, &w, g.c, g.ph, g.pw, in->conv.all_h, in->conv.all_w);
    float *out = OC_F32(conv.out) + p->first * g.oh * g.ow * in->conv.co;
    const windows s = windows_of(&g, in->conv.co, images, p->last - p->first, h, w, out, l.panels, l.offsets, *l.runs);
    walk_rows(&s, 0, s.rows);
}

const oc_member oc_conv_member = {prepare_conv, conv_images, NULL};

// The gradient of the images walks over the gradient of the result with the filter turned round. With strides, the pixels of the images fall
// into phases that meet different taps: every sh-th row from fy on and every sw-th column from fx on meets t by u taps from p0, q0 on, which
// are `step` apart in the filter, and `gap` in the gradient.
typedef struct { int64_t p0, q0, t, u, step_y, step_x, gap_y, gap_x, depth, y0, x0, height, width; } phase;

// Along a dimension, the number of taps p with (at - p * dilation) a multiple of the stride.
static int64_t taps_met(int64_t window, int64_t stride, int64_t dilation, int64_t at, int64_t *first, int64_t *step, int64_t *gap) {
    int64_t apart = stride, rest = dilation;
    while (rest) { const int64_t next = apart % rest; apart = rest; rest = next; }
    *step = stride / apart;
    *gap = dilation / apart;
    for (*first = 0; *first < *step && *first < window; ++*first)
        if ((at - *first * dilation) % stride == 0) return (window - *first + *step - 1) / *step;
    return 0;
}

static phase phase_of(const oc_geometry *g, int64_t co, int64_t fy, int64_t fx, int64_t before_y, int64_t before_x) {
    phase p = {.height = (g->h - fy + g->sh - 1) / g->sh, .width = (g->w - fx + g->sw - 1) / g->sw};
    p.t = taps_met(g->kh, g->sh, g->dh, fy + g->ph, &p.p0, &p.step_y, &p.gap_y);
    p.u = taps_met(g->kw, g->sw, g->dw, fx + g->pw, &p.q0, &p.step_x, &p.gap_x);
    p.depth = p.t * p.u * co;
    p.y0 = before_y + (fy + g->ph - p.p0 * g->dh) / g->sh - (p.t - 1) * p.gap_y;
    p.x0 = before_x + (fx + g->pw - p.q0 * g->dw) / g->sw - (p.u - 1) * p.gap_x;
    return p;
}

// Does one of `parts` parts of laying out the filter for a phase.
static void lay_out_phase(float *panels, const float *filter, const oc_geometry *g, int64_t co, const phase *p, int64_t part, int64_t parts) {
    const int64_t panel = 2 * oc_tiles_here()->lanes;
    for (int64_t a = part; a < p->t * p->u; a += parts) {
        const int64_t y = p->p0 + p->step_y * (p->t - 1 - a / p->u), x = p->q0 + p->step_x * (p->u - 1 - a % p->u);
        const float *tap = filter + (y * g->kw + x) * g->c * co;
        for (int64_t j = 0; j < g->c; j += panel)
            oc_lay_out(panels + j * p->depth + a * co * panel, panel, tap + j * co, co, 1, co, g->c - j < panel ? g->c - j : panel);
    }
}

static int64_t phase_taps(int64_t *offsets, int64_t co, const phase *p, int64_t w) {
    return taps(offsets, p->t, p->u, p->gap_y, p->gap_x, w * co, co);
}

// The windows of a phase over `n` images of the gradient that are `h` by `w` with their border.
static windows phase_windows(const oc_geometry *g, int64_t co, const phase *p, const float *grad, int64_t n, int64_t h, int64_t w, float *first,
                             const float *panels, const int64_t *offsets, int64_t runs) {
    return (windows){oc_tiles_here(), grad + (p->y0 * w + p->x0) * co, first, panels, offsets, runs, p->depth / runs, p->depth, h * w * co,
                     w * co, co, g->h * g->w * g->c, g->sh * g->w * g->c, g->sw * g->c, p->height, p->width, g->c, n * p->height, 1};
}

// Whether weights [part of parts] are finite: zeros of the border times others are not zero.
OC_CLONES static int are_finite(const float *weights, int64_t count, int64_t part, int64_t parts) {
    float rest = 0.0f;
    for (int64_t k = oc_bound(count, parts, part, 16); k < oc_bound(count, parts, part + 1, 16); k++) rest += weights[k] * 0.0f;
    return rest == 0.0f;
}

void oc_spread_windows(const oc_geometry *g, int64_t co, int64_t n, const float *grad, const float *filter, float *out) {
    memset(out, 0, (size_t)(n * g->h * g->w * g->c) * sizeof(float));
    for (int64_t at = 0; at < n * g->oh * g->ow; at++, grad += co) {
        const int64_t y0 = at / g->ow % g->oh * g->sh - g->ph, x0 = at % g->ow * g->sw - g->pw;
        float *image = out + at / (g->oh * g->ow) * g->h * g->w * g->c;
        for (int64_t tap = 0; tap < g->kh * g->kw; tap++) {
            const int64_t y = y0 + tap / g->kw * g->dh, x = x0 + tap % g->kw * g->dw;
            if (y < 0 || y >= g->h || x < 0 || x >= g->w) continue;
            for (int64_t c = 0; c < g->c; c++) {
                const float *weights = filter + (tap * g->c + c) * co;
                float sum = 0.0f;
                for (int64_t j = 0; j < co; j++) sum += grad[j] * weights[j];
                image[(y * g->w + x) * g->c + c] += sum;
            }
        }
    }
}

static void clear_phase(const oc_geometry *g, const phase *p, int64_t n, float *first) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t y = 0; y < p->height; y++)
            for (int64_t x = 0; x < p->width; x++)
                memset(first + ((i * g->h + y * g->sh) * g->w + x * g->sw) * g->c, 0, (size_t)g->c * sizeof(float));
}

OC_KERNEL(oc_conv_input) {
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv_input.co;
    float *scratch = (float *)state->scratch, *panels = scratch + in->conv_input.border;
    int64_t *offsets = (int64_t *)(panels + in->conv_input.panel_floats), h = g.oh, w = g.ow;
    if (in->conv_input.border && !are_finite(OC_F32(conv_input.filter), g.kh * g.kw * g.c * co, 0, 1)) {
        oc_spread_windows(&g, co, g.n, OC_F32(conv_input.grad), OC_F32(conv_input.filter), OC_F32(conv_input.out));
        return OC_OK;
    }
    const float *grad = oc_bordered(state->threads, scratch, OC_F32(conv_input.grad), g.n, &h, &w, co, in->conv_input.before_y, in->conv_input.before_x, in->conv_input.all_h, in->conv_input.all_w);
    for (int64_t fy = 0; fy < g.sh && fy < g.h; fy++)
        for (int64_t fx = 0; fx < g.sw && fx < g.w; fx++) {
            const phase p = phase_of(&g, co, fy, fx, in->conv_input.before_y, in->conv_input.before_x);
            float *first = OC_F32(conv_input.out) + (fy * g.w + fx) * g.c;
            if (!p.depth) { clear_phase(&g, &p, g.n, first); continue; }
            lay_out_phase(panels, OC_F32(conv_input.filter), &g, co, &p, 0, 1);
            windows s = phase_windows(&g, co, &p, grad, g.n, h, w, first, panels, offsets, phase_taps(offsets, co, &p, w));
            walk_all(state, &s);
        }
    return OC_OK;
}

static void prepare_conv_input(const oc_instr *in, const oc_state *state, float *shared, int64_t part, int64_t parts) {
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv_input.co, panel = 2 * oc_tiles_here()->lanes, wide = (g.c + panel - 1) / panel * panel;
    const int64_t w = needs_border(g.oh, g.ow, in->conv_input.before_y, in->conv_input.before_x, in->conv_input.all_h, in->conv_input.all_w) ? in->conv_input.all_w : g.ow;
    layouts l = layouts_at(shared, g.kh * g.kw);
    // One byte of what other members count runs in for each part: whether its weights are finite.
    ((uint8_t *)l.runs)[part] = !in->conv_input.border || are_finite(OC_F32(conv_input.filter), g.kh * g.kw * g.c * co, part, parts);
    for (int64_t fy = 0; fy < g.sh && fy < g.h; fy++)
        for (int64_t fx = 0; fx < g.sw && fx < g.w; fx++) {
            const phase p = phase_of(&g, co, fy, fx, in->conv_input.before_y, in->conv_input.before_x);
            if (p.depth && !part) phase_taps(l.offsets, co, &p, w);
            lay_out_phase(l.panels, OC_F32(conv_input.filter), &g, co, &p, part, parts);
            l.offsets += p.t * p.u;
            l.panels += p.depth * wide;
        }
}

static void conv_input_images(const oc_images_part *part) {
    const oc_instr *in = part->in;
    const oc_state *state = part->state;
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv_input.co, panel = 2 * oc_tiles_here()->lanes, wide = (g.c + panel - 1) / panel * panel, n = part->last - part->first;
    layouts l = layouts_at(part->shared, g.kh * g.kw);
    int64_t h = g.oh, w = g.ow;
    if (memchr(l.runs, 0, OC_PREPARED)) {
        oc_spread_windows(&g, co, n, OC_F32(conv_input.grad) + part->first * h * w * co, OC_F32(conv_input.filter), OC_F32(conv_input.out) + part->first * g.h * g.w * g.c);
        return;
    }
    const float *grad = oc_bordered(1, part->own, OC_F32(conv_input.grad) + part->first * h * w * co, n, &h, &w, co, in->conv_input.before_y, in->conv_input.before_x, in->conv_input.all_h, in->conv_input.all_w);
    for (int64_t fy = 0; fy < g.sh && fy < g.h; fy++)
        for (int64_t fx = 0; fx < g.sw && fx < g.w; fx++) {
            const phase p = phase_of(&g, co, fy, fx, in->conv_input.before_y, in->conv_input.before_x);
            float *first = OC_F32(conv_input.out) + ((part->first * g.h + fy) * g.w + fx) * g.c;
            if (!p.depth) { clear_phase(&g, &p, n, first); continue; }
            const int64_t runs = p.u == 1 || p.gap_x == 1 ? p.t : p.t * p.u;
            const windows s = phase_windows(&g, co, &p, grad, n, h, w, first, l.panels, l.offsets, runs);
            walk_rows(&s, 0, s.rows);
            l.offsets += p.t * p.u;
            l.panels += p.depth * wide;
        }
}

const oc_member oc_conv_input_member = {prepare_conv_input, conv_input_images, NULL};

// The gradient of the filter: for each tap the sum over pixels of image times gradient. The pixels are summed in chunks that follow from
// the sizes alone, and the sums of the chunks are added in order.
typedef struct {
    const oc_tiles *tiles;
    const float *images, *grad;
    float *sums, *out, *panels;
    const int64_t *offsets;
    int64_t runs, len, co, oh, ow, image, row, pixel;
    int64_t rows, chunks, groups, block;  // rows of all gradients; chunks of them; groups of tiles; rows that are summed at a time
} filter_sums;

// Adds rows [first, last) of the gradient times the images to `sums`, or sets them if `fresh`: tiles [tile0, tile1).
static void sum_rows(const filter_sums *s, float *sums, float *own, int64_t first, int64_t last, int fresh, int64_t tile0, int64_t tile1) {
    const int64_t lanes = s->tiles->lanes, panel = 2 * lanes, most = s->tiles->rows, pieces = (s->len + most - 1) / most;
    int64_t starts[RUNS];
    for (int64_t row = first; row < last; row += s->block) {
        const int64_t count = last - row < s->block ? last - row : s->block;
        for (int64_t r = 0; r < count; r++) starts[r] = (row + r) / s->oh * s->image + (row + r) % s->oh * s->row;
        const float *grad = s->grad + row * s->ow * s->co;
        oc_tile t = {.offsets = starts, .runs = count, .len = s->ow, .step = s->pixel, .ldc = s->co, .add = !fresh || row > first};
        for (int64_t j = 0; j < s->co; j += panel) {
            t.columns = s->co - j < panel ? s->co - j : panel;
            t.b = grad + j;
            t.ldb = s->co;
            if (s->co > panel || t.columns % lanes) {
                oc_lay_out(own, panel, t.b, s->co, 0, count * s->ow, t.columns);
                t.b = own;
                t.ldb = panel;
            }
            for (int64_t k = tile0; k < tile1; k++) {
                const int64_t run = k / pieces, piece = k % pieces;
                const int64_t at = s->len * piece / pieces, height = s->len * (piece + 1) / pieces - at;
                t.a = s->images + s->offsets[run] + at;
                t.c = sums + (run * s->len + at) * s->co + j;
                t.a2 = t.a;
                t.c2 = t.c + (height + 1) / 2 * s->co;
                s->tiles->fn[height - 1][1][t.columns > lanes](&t);
            }
        }
    }
}

static inline int64_t tiles_of(const filter_sums *s) { return s->runs * ((s->len + s->tiles->rows - 1) / s->tiles->rows); }

static void sum_chunk(void *context, int64_t part) {
    const filter_sums *s = context;
    const int64_t chunk = part / s->groups, group = part % s->groups, tiles = tiles_of(s);
    sum_rows(s, s->sums + chunk * s->runs * s->len * s->co, s->panels + part * s->block * s->ow * 2 * s->tiles->lanes, s->rows * chunk / s->chunks,
             s->rows * (chunk + 1) / s->chunks, 1, tiles * group / s->groups, tiles * (group + 1) / s->groups);
}

static filter_sums sums_of(const oc_geometry *g, int64_t co, const float *images, int64_t h, int64_t w, const float *grad, int64_t n,
                           const int64_t *offsets, int64_t runs) {
    return (filter_sums){.tiles = oc_tiles_here(), .images = images, .grad = grad, .co = co, .oh = g->oh, .ow = g->ow, .rows = n * g->oh,
                         .image = h * w * g->c, .row = g->sh * w * g->c, .pixel = g->sw * g->c, .offsets = offsets, .runs = runs,
                         .len = g->kh * g->kw * g->c / runs};
}

OC_KERNEL(oc_conv_filter) {
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv_filter.co, depth = g.kh * g.kw * g.c;
    float *scratch = (float *)state->scratch, *panels = scratch + in->conv_filter.border, *sums = panels + in->conv_filter.panel_floats;
    int64_t h = g.h, w = g.w;
    const float *images = oc_bordered(state->threads, scratch, OC_F32(conv_filter.x), g.n, &h, &w, g.c, g.ph, g.pw, in->conv_filter.all_h, in->conv_filter.all_w);
    const int64_t chunks = in->conv_filter.chunks;
    int64_t *offsets = (int64_t *)(sums + (chunks > 1 ? (chunks * depth * co + 1) / 2 * 2 : 0));
    filter_sums s = sums_of(&g, co, images, h, w, OC_F32(conv_filter.grad), g.n, offsets, taps(offsets, g.kh, g.kw, g.dh, g.dw, w * g.c, g.c));
    s.panels = panels;
    s.block = in->conv_filter.block;
    s.chunks = chunks;
    s.groups = in->conv_filter.groups;
    s.sums = chunks > 1 ? sums : OC_F32(conv_filter.out);
    const double work = (double)s.rows * (double)g.ow * (double)co * (double)depth;
    oc_parallel(oc_parts(state->threads, work / 50.0, 2) > 1 ? state->threads : 1, chunks * s.groups, sum_chunk, &s);
    if (chunks > 1) oc_add_chunks(state->threads, OC_F32(conv_filter.out), sums, depth * co, chunks);
    return OC_OK;
}

// In a group, the sums of chunks lie behind the offsets of taps.
static void prepare_conv_filter(const oc_instr *in, const oc_state *state, float *shared, int64_t part, int64_t parts) {
    const oc_geometry g = in->geometry;
    const layouts l = layouts_at(shared, g.kh * g.kw);
    const int64_t w = needs_border(g.h, g.w, g.ph, g.pw, in->conv_filter.all_h, in->conv_filter.all_w) ? in->conv_filter.all_w : g.w;
    (void)state;
    (void)parts;
    if (!part) *l.runs = taps(l.offsets, g.kh, g.kw, g.dh, g.dw, w * g.c, g.c);
}

static void conv_filter_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    const layouts l = layouts_at(p->shared, g.kh * g.kw);
    const int64_t n = p->last - p->first, co = in->conv_filter.co;
    int64_t h = g.h, w = g.w;
    const float *images = oc_bordered(1, p->own, OC_F32(conv_filter.x) + p->first * h * w * g.c, n, &h, &w, g.c, g.ph, g.pw, in->conv_filter.all_h, in->conv_filter.all_w);
    filter_sums s = sums_of(&g, co, images, h, w, OC_F32(conv_filter.grad) + p->first * g.oh * g.ow * co, n, l.offsets, *l.runs);
    s.block = in->conv_filter.block;
    float *panels = p->own + (images == p->own ? (n * h * w * g.c + 15) / 16 * 16 : 0);
    sum_rows(&s, l.panels + p->chunk * g.kh * g.kw * g.c * co, panels, 0, s.rows, p->fresh, 0, tiles_of(&s));
}

static void finish_conv_filter(const oc_instr *in, const oc_state *state, const float *shared, int64_t chunks) {
    const oc_geometry g = in->geometry;
    oc_add_chunks(state->threads, OC_F32(conv_filter.out), layouts_at((float *)shared, g.kh * g.kw).panels, g.kh * g.kw * g.c * in->conv_filter.co, chunks);
}

const oc_member oc_conv_filter_member = {prepare_conv_filter, conv_filter_images, finish_conv_filter};
