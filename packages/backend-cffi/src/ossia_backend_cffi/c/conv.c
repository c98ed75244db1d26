// Convolutions over [n, h, w, channels] as tiles that read the images where they lie: the pixels that a tile of outputs needs for one row of
// the window are as far apart as the outputs, so nothing is laid out but a border of zeros where windows reach beyond the image.
#include "program.h"
#include "tiles.h"
#include <string.h>

enum { RUNS = 64, SUMMED = 256 };

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
    int64_t inside = b->all_w - b->before_x < b->w ? b->all_w - b->before_x : b->w;
    for (int64_t y = 0; y < b->all_h; y++, to += row) {
        const int64_t iy = y - b->before_y;
        if (iy < 0 || iy >= b->h) { memset(to, 0, (size_t)row * sizeof(float)); continue; }
        memset(to, 0, (size_t)(b->before_x * b->c) * sizeof(float));
        memcpy(to + b->before_x * b->c, from + iy * b->w * b->c, (size_t)(inside * b->c) * sizeof(float));
        const int64_t done = b->before_x + inside;
        memset(to + done * b->c, 0, (size_t)((b->all_w - done) * b->c) * sizeof(float));
    }
}

// The images with their border, in scratch unless they need none; `*h` and `*w` become the distance between rows and images.
static const float *bordered(const oc_state *state, float *scratch, const float *images, int64_t n, int64_t *h, int64_t *w, int64_t c, int64_t before_y,
                             int64_t before_x, int64_t all_h, int64_t all_w) {
    if (!before_y && !before_x && all_h <= *h && all_w <= *w) return images;
    border b = {images, scratch, *h, *w, c, before_y, before_x, all_h, all_w};
    const double cost = (double)n * (double)(all_h * all_w * c) * 0.2;
    oc_parallel(oc_parts(state->threads, cost, n) > 1 ? state->threads : 1, n, add_border, &b);
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

static void walk(void *context, int64_t part) {
    const windows *s = context;
    const int64_t lanes = s->tiles->lanes, panel = 2 * lanes, most = s->tiles->rows;
    const int64_t pieces = (s->width + most - 1) / most, last = oc_bound(s->rows, s->parts, part + 1, 1);
    oc_tile t = {.offsets = s->offsets, .runs = s->runs, .len = s->len, .step = s->pixel, .ldb = panel, .ldc = s->out_pixel};
    for (int64_t at = oc_bound(s->rows, s->parts, part, 1); at < last;) {
        const int64_t next = at + 1, two = 2 * s->width <= most && next < last;  // a tile takes two narrow rows
        const float *images = s->images + at / s->height * s->image + at % s->height * s->row;
        const float *images2 = s->images + next / s->height * s->image + next % s->height * s->row;
        float *out = s->out + at / s->height * s->out_image + at % s->height * s->out_row;
        float *out2 = s->out + next / s->height * s->out_image + next % s->height * s->out_row;
        for (int64_t j = 0; j < s->channels; j += panel) {
            t.columns = s->channels - j < panel ? s->channels - j : panel;
            t.b = s->panels + j * s->depth;
            for (int64_t k = 0; k < pieces; k++) {
                const int64_t x = s->width * k / pieces, height = two ? 2 * s->width : s->width * (k + 1) / pieces - x;
                t.a = images + x * s->pixel;
                t.c = out + x * s->out_pixel + j;
                t.a2 = two ? images2 : t.a + (height + 1) / 2 * s->pixel;
                t.c2 = two ? out2 + j : t.c + (height + 1) / 2 * s->out_pixel;
                s->tiles->fn[height - 1][0][t.columns > lanes](&t);
            }
        }
        at += two ? 2 : 1;
    }
}

static void walk_all(const oc_state *state, windows *s) {
    const double work = (double)s->rows * (double)s->width * (double)s->channels * (double)s->depth;
    s->parts = oc_parts(state->threads, work / 50.0, s->rows);
    oc_parallel(state->threads, s->parts, walk, s);
}

typedef struct { int64_t n, h, w, c, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw; } geometry;

static inline geometry geometry_of(const oc_instr *in) {
    geometry g;
    memcpy(&g, in->i, sizeof g);
    return g;
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

// Buffers: result, images, filter. i[14]: channels out, i[15], i[16]: height and width that windows reach, i[17]: floats for the border,
// i[18]: for the filter's panels; offsets of taps lie behind them.
OC_KERNEL(oc_conv) {
    const geometry g = geometry_of(in);
    const int64_t co = in->i[14], depth = g.kh * g.kw * g.c;
    const oc_tiles *tiles = oc_tiles_here();
    float *scratch = (float *)state->scratch, *panels = scratch + in->i[17];
    int64_t *offsets = (int64_t *)(panels + in->i[18]), h = g.h, w = g.w;
    const float *images = bordered(state, scratch, OC_F32(1), g.n, &h, &w, g.c, g.ph, g.pw, in->i[15], in->i[16]);
    const int64_t panel = 2 * tiles->lanes;
    for (int64_t j = 0; j < co; j += panel) oc_lay_out(panels + j * depth, panel, OC_F32(2) + j, co, 0, depth, co - j < panel ? co - j : panel);
    windows s = {tiles, images, OC_F32(0), panels, offsets, 0, 0, depth, h * w * g.c, g.sh * w * g.c, g.sw * g.c,
                 g.oh * g.ow * co, g.ow * co, co, g.oh, g.ow, co, g.n * g.oh, 1};
    s.runs = taps(offsets, g.kh, g.kw, g.dh, g.dw, w * g.c, g.c);
    s.len = depth / s.runs;
    walk_all(state, &s);
    return OC_OK;
}

// Buffers: result, filter, gradient. The gradient is walked over with the filter turned round; with strides, the pixels of the result
// fall into classes that meet different taps. i[14]: channels out, i[15] .. i[18]: rows and columns of zeros before the gradient, its height
// and width with zeros, i[19]: floats for that, i[20]: for panels.
OC_KERNEL(oc_conv_input) {
    const geometry g = geometry_of(in);
    const int64_t co = in->i[14], before_y = in->i[15], before_x = in->i[16];
    const oc_tiles *tiles = oc_tiles_here();
    const int64_t panel = 2 * tiles->lanes;
    float *out = OC_F32(0), *scratch = (float *)state->scratch, *panels = scratch + in->i[19];
    const float *filter = OC_F32(1);
    int64_t *offsets = (int64_t *)(panels + in->i[20]), h = g.oh, w = g.ow;
    const float *grad = bordered(state, scratch, OC_F32(2), g.n, &h, &w, co, before_y, before_x, in->i[17], in->i[18]);
    // Taps that one pixel meets are this far apart in the filter and in the gradient.
    const int64_t gap_y = g.sh > 1 ? 1 : g.dh, gap_x = g.sw > 1 ? 1 : g.dw;
    for (int64_t fy = 0; fy < g.sh && fy < g.h; fy++)
        for (int64_t fx = 0; fx < g.sw && fx < g.w; fx++) {
            const int64_t p0 = (fy + g.ph) % g.sh, q0 = (fx + g.pw) % g.sw, height = (g.h - fy + g.sh - 1) / g.sh, width = (g.w - fx + g.sw - 1) / g.sw;
            const int64_t t = p0 < g.kh ? (g.kh - p0 + g.sh - 1) / g.sh : 0, u = q0 < g.kw ? (g.kw - q0 + g.sw - 1) / g.sw : 0, depth = t * u * co;
            float *first = out + (fy * g.w + fx) * g.c;
            if (!depth) {
                for (int64_t n = 0; n < g.n; n++)
                    for (int64_t y = 0; y < height; y++)
                        for (int64_t x = 0; x < width; x++)
                            memset(first + ((n * g.h + y * g.sh) * g.w + x * g.sw) * g.c, 0, (size_t)g.c * sizeof(float));
                continue;
            }
            for (int64_t j = 0; j < g.c; j += panel)
                for (int64_t a = 0; a < t; a++)
                    for (int64_t b = 0; b < u; b++) {
                        const float *tap = filter + ((p0 + g.sh * (t - 1 - a)) * g.kw + q0 + g.sw * (u - 1 - b)) * g.c * co;
                        oc_lay_out(panels + j * depth + (a * u + b) * co * panel, panel, tap + j * co, co, 1, co, g.c - j < panel ? g.c - j : panel);
                    }
            const int64_t y0 = before_y + (fy + g.ph - p0) / g.sh - (t - 1) * gap_y, x0 = before_x + (fx + g.pw - q0) / g.sw - (u - 1) * gap_x;
            windows s = {tiles, grad + (y0 * w + x0) * co, first, panels, offsets, 0, 0, depth, h * w * co, w * co, co,
                         g.h * g.w * g.c, g.sh * g.w * g.c, g.sw * g.c, height, width, g.c, g.n * height, 1};
            s.runs = taps(offsets, t, u, gap_y, gap_x, w * co, co);
            s.len = depth / s.runs;
            walk_all(state, &s);
        }
    return OC_OK;
}

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

static void sum_chunk(void *context, int64_t part) {
    const filter_sums *s = context;
    const int64_t chunk = part / s->groups, group = part % s->groups;
    const int64_t first = s->rows * chunk / s->chunks, last = s->rows * (chunk + 1) / s->chunks;
    const int64_t lanes = s->tiles->lanes, panel = 2 * lanes, most = s->tiles->rows;
    const int64_t pieces = (s->len + most - 1) / most, tiles = s->runs * pieces;
    const int64_t tile0 = tiles * group / s->groups, tile1 = tiles * (group + 1) / s->groups;
    float *sums = s->sums + chunk * s->runs * s->len * s->co, *own = s->panels + part * s->block * s->ow * panel;
    int64_t starts[RUNS];
    for (int64_t row = first; row < last; row += s->block) {
        const int64_t count = last - row < s->block ? last - row : s->block;
        for (int64_t r = 0; r < count; r++) starts[r] = (row + r) / s->oh * s->image + (row + r) % s->oh * s->row;
        const float *grad = s->grad + row * s->ow * s->co;
        oc_tile t = {.offsets = starts, .runs = count, .len = s->ow, .step = s->pixel, .ldc = s->co, .add = row > first};
        for (int64_t j = 0; j < s->co; j += panel) {
            t.columns = s->co - j < panel ? s->co - j : panel;
            t.b = grad + j;
            t.ldb = s->co;
            if (t.columns % lanes) {
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

static void add_chunks(void *context, int64_t part) {
    const filter_sums *s = context;
    const int64_t size = s->runs * s->len * s->co, first = oc_bound(size, s->groups, part, 16), last = oc_bound(size, s->groups, part + 1, 16);
    for (int64_t k = first; k < last; k++) {
        float total = s->sums[k];
        for (int64_t q = 1; q < s->chunks; q++) total += s->sums[q * size + k];
        s->out[k] = total;
    }
}

// Buffers: result, images, gradient. i[14]: channels out, i[15], i[16]: height and width that windows reach, i[17]: floats for the border,
// i[18]: chunks, i[19]: groups, i[20]: rows summed at a time, i[21]: floats for panels.
OC_KERNEL(oc_conv_filter) {
    const geometry g = geometry_of(in);
    const int64_t co = in->i[14], depth = g.kh * g.kw * g.c;
    float *scratch = (float *)state->scratch, *panels = scratch + in->i[17], *sums = panels + in->i[21];
    int64_t h = g.h, w = g.w;
    filter_sums s = {.tiles = oc_tiles_here(), .grad = OC_F32(2), .out = OC_F32(0), .panels = panels, .co = co, .oh = g.oh, .ow = g.ow,
                     .rows = g.n * g.oh, .chunks = in->i[18], .groups = in->i[19], .block = in->i[20]};
    s.images = bordered(state, scratch, OC_F32(1), g.n, &h, &w, g.c, g.ph, g.pw, in->i[15], in->i[16]);
    s.sums = s.chunks > 1 ? sums : s.out;
    int64_t *offsets = (int64_t *)(sums + (s.chunks > 1 ? (s.chunks * depth * co + 1) / 2 * 2 : 0));
    s.offsets = offsets;
    s.image = h * w * g.c;
    s.row = g.sh * w * g.c;
    s.pixel = g.sw * g.c;
    s.runs = taps(offsets, g.kh, g.kw, g.dh, g.dw, w * g.c, g.c);
    s.len = depth / s.runs;
    const double work = (double)s.rows * (double)g.ow * (double)co * (double)depth;
    oc_parallel(oc_parts(state->threads, work / 50.0, 2) > 1 ? state->threads : 1, s.chunks * s.groups, sum_chunk, &s);
    if (s.chunks == 1) return OC_OK;
    s.groups = oc_parts(state->threads, (double)(depth * co * s.chunks) * 0.2, 64);
    oc_parallel(state->threads, s.groups, add_chunks, &s);
    return OC_OK;
}
