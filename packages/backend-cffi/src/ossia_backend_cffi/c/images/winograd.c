// Convolutions with windows of 3 by 3 and 5 by 5 as products of polynomials (Toom and Cook, Winograd): along a row, a window of `taps` weights
// at `places` places reads taps + places - 1 = 6 pixels, and as many values of two polynomials at six points say all of the result. Pixels
// and weights are turned into those values, 6 by 6 of a tile of the image; then each of the 36 is a product of matrices, [tiles, channels] by
// [channels, channels out]; then values are turned into pixels. That is 36 multiplications where windows take 100 (5 by 5, tiles of 2 by 2) or
// 144 (3 by 3, tiles of 4 by 4). The gradient of the filter is the same with tiles of the gradient in place of weights.
//
// The points are 0, 3/4, -3/4, 3/2, -3/2 and infinity, with which rounding errors are about those of sums that go tap by tap; with 1 and 2 they
// would be three times as large. What is not finite would spread within a tile: where a result is not, the image is computed tap by tap.
#include "images/image_groups.h"
#include "products/tiles.h"
#include <stdatomic.h>

enum { POINTS = 6, VALUES = POINTS * POINTS, LANES = 16, CHANNELS = 512 };

typedef float vec __attribute__((vector_size(64), aligned(4), may_alias));
typedef double wide __attribute__((vector_size(64), aligned(4), may_alias));
typedef float half __attribute__((vector_size(32), aligned(4), may_alias));

#define POINT1 0.75f
#define POINT2 1.5f
#define SQUARE1 (POINT1 * POINT1)
#define SQUARE2 (POINT2 * POINT2)

// What the values at the points have to be multiplied by, in all.
static const double scales[POINTS] = {
    1.0 / (SQUARE1 * SQUARE2), 0.5 / (SQUARE1 * (SQUARE1 - SQUARE2)), 0.5 / (SQUARE1 * (SQUARE1 - SQUARE2)),
    0.5 / (SQUARE2 * (SQUARE2 - SQUARE1)), 0.5 / (SQUARE2 * (SQUARE2 - SQUARE1)), 1.0,
};

static const float nothing[CHANNELS] __attribute__((aligned(64)));

// Six pixels, `step` apart in d, become what multiplies the values at the points.
#define SPREAD(y, at, d, step)                                                                                \
    {                                                                                                         \
        const vec d0 = d[0], d1 = d[step], d2 = d[2 * step], d3 = d[3 * step], d4 = d[4 * step], d5 = d[5 * step]; \
        const vec even1 = d4 - SQUARE2 * d2, odd1 = POINT1 * (d3 - SQUARE2 * d1);                             \
        const vec even2 = d4 - SQUARE1 * d2, odd2 = POINT2 * (d3 - SQUARE1 * d1);                             \
        y[0] = d4 - (SQUARE1 + SQUARE2) * d2 + (SQUARE1 * SQUARE2) * d0;                                      \
        y[at] = even1 + odd1;                                                                                 \
        y[2 * at] = even1 - odd1;                                                                             \
        y[3 * at] = even2 + odd2;                                                                             \
        y[4 * at] = even2 - odd2;                                                                             \
        y[5 * at] = d5 - (SQUARE1 + SQUARE2) * d3 + (SQUARE1 * SQUARE2) * d1;                                 \
    }

// A polynomial of n coefficients, `step` apart in w, at the points.
#define EVALUATE(type, n, y, at, w, step)                                                                     \
    {                                                                                                         \
        type even1 = w[0], even2 = w[0], odd1 = w[step], odd2 = w[step];                                      \
        if (n > 2) { even1 += SQUARE1 * w[2 * step]; even2 += SQUARE2 * w[2 * step]; }                        \
        if (n > 3) { odd1 += SQUARE1 * w[3 * step]; odd2 += SQUARE2 * w[3 * step]; }                          \
        if (n > 4) { even1 += SQUARE1 * SQUARE1 * w[4 * step]; even2 += SQUARE2 * SQUARE2 * w[4 * step]; }    \
        odd1 *= POINT1;                                                                                       \
        odd2 *= POINT2;                                                                                       \
        y[0] = w[0];                                                                                          \
        y[at] = even1 + odd1;                                                                                 \
        y[2 * at] = even1 - odd1;                                                                             \
        y[3 * at] = even2 + odd2;                                                                             \
        y[4 * at] = even2 - odd2;                                                                             \
        y[5 * at] = w[((n) - 1) * step];                                                                      \
    }

// Products at the six points, `step` apart in m, become n results.
#define COLLECT(n, y, at, m, step)                                                                            \
    {                                                                                                         \
        const vec sum1 = m[step] + m[2 * step], sum2 = m[3 * step] + m[4 * step], last = m[5 * step];         \
        const vec apart1 = POINT1 * (m[step] - m[2 * step]), apart2 = POINT2 * (m[3 * step] - m[4 * step]);   \
        y[0] = m[0] + sum1 + sum2;                                                                            \
        y[at] = n == 2 ? apart1 + apart2 + last : apart1 + apart2;                                            \
        if (n > 2) y[2 * at] = SQUARE1 * sum1 + SQUARE2 * sum2;                                               \
        if (n == 3) y[2 * at] += last;                                                                        \
        if (n > 3) y[3 * at] = SQUARE1 * apart1 + SQUARE2 * apart2;                                           \
        if (n == 4) y[3 * at] += last;                                                                        \
        if (n > 4) y[4 * at] = SQUARE1 * SQUARE1 * sum1 + SQUARE2 * SQUARE2 * sum2 + last;                    \
    }

// The pixels of a tile, 6 by 6 with `c` channels each, become values, each kind `apart` from the next.
OC_CLONES static void spread_tile(const float *const *pixels, float *values, int64_t apart, int64_t c) {
    for (int64_t k = 0; k < c; k += LANES) {
        vec half_way[VALUES], row[POINTS];
        for (int x = 0; x < POINTS; x++) {
            for (int y = 0; y < POINTS; y++) row[y] = *(const vec *)(pixels[POINTS * y + x] + k);
            vec *to = half_way + x;
            SPREAD(to, POINTS, row, 1)
        }
        for (int y = 0; y < POINTS; y++) {
            const vec *from = half_way + POINTS * y;
            SPREAD(row, 1, from, 1)
            for (int x = 0; x < POINTS; x++) *(vec *)(values + (POINTS * y + x) * apart + k) = row[x];
        }
    }
}

// The values of a tile of the gradient, `n` by `n`, before they are scaled.
#define EVALUATE_TILE(n)                                                                                      \
    for (int64_t k = 0; k < c; k += LANES) {                                                                  \
        vec half_way[POINTS * n], row[POINTS];                                                                \
        for (int x = 0; x < n; x++) {                                                                         \
            for (int y = 0; y < n; y++) row[y] = *(const vec *)(pixels[n * y + x] + k);                       \
            vec *to = half_way + x;                                                                           \
            EVALUATE(vec, n, to, n, row, 1)                                                                   \
        }                                                                                                     \
        for (int y = 0; y < POINTS; y++) {                                                                    \
            const vec *from = half_way + n * y;                                                               \
            EVALUATE(vec, n, row, 1, from, 1)                                                                 \
            for (int x = 0; x < POINTS; x++) *(vec *)(values + (POINTS * y + x) * apart + k) = row[x];        \
        }                                                                                                     \
    }

OC_CLONES static void evaluate_tile(int n, const float *const *pixels, float *values, int64_t apart, int64_t c) {
    if (n == 2) EVALUATE_TILE(2)
    else EVALUATE_TILE(4)
}

// Products at the six points in both directions, which READ leaves in row[y], become n by n results, which WRITE finds in row[x].
#define COLLECT_BOTH_WAYS(n, READ, WRITE)                                                                     \
    vec half_way[n * POINTS], row[POINTS];                                                                    \
    for (int x = 0; x < POINTS; x++) {                                                                        \
        for (int y = 0; y < POINTS; y++) { READ }                                                             \
        vec *to = half_way + x;                                                                               \
        COLLECT(n, to, POINTS, row, 1)                                                                        \
    }                                                                                                         \
    for (int y = 0; y < n; y++) {                                                                             \
        const vec *from = half_way + POINTS * y;                                                              \
        COLLECT(n, row, 1, from, 1)                                                                           \
        for (int x = 0; x < n; x++) { WRITE }                                                                 \
    }

// The products of a tile become n by n pixels of c channels, rows[y] + x * c; whether all are finite is in the sum.
#define COLLECT_TILE(n)                                                                                       \
    for (int64_t k = 0; k < c; k += LANES) {                                                                  \
        COLLECT_BOTH_WAYS(n, row[y] = *(const vec *)(products + (POINTS * y + x) * apart + k);,               \
                          *(vec *)(rows[y] + x * c + k) = row[x]; total += row[x];)                           \
    }

OC_CLONES static void collect_tile(int n, const float *products, int64_t apart, float *const *rows, int64_t c, float *sums) {
    vec total = *(const vec *)sums;
    if (n == 2) COLLECT_TILE(2)
    else COLLECT_TILE(4)
    *(vec *)sums = total;
}

// Values of the weights [first, last) of each tap, in twice the precision.
#define EVALUATE_FILTER(n)                                                                                    \
    for (int64_t k = first; k < last; k += LANES / 2) {                                                       \
        wide half_way[POINTS * n], row[POINTS];                                                               \
        for (int x = 0; x < n; x++) {                                                                         \
            for (int y = 0; y < n; y++) {                                                                     \
                const int tap = turned ? n * n - 1 - (n * y + x) : n * y + x;                                 \
                row[y] = __builtin_convertvector(*(const half *)(filter + tap * size + k), wide);             \
            }                                                                                                 \
            wide *to = half_way + x;                                                                          \
            EVALUATE(wide, n, to, n, row, 1)                                                                  \
        }                                                                                                     \
        for (int y = 0; y < POINTS; y++) {                                                                    \
            const wide *from = half_way + n * y;                                                              \
            EVALUATE(wide, n, row, 1, from, 1)                                                                \
            for (int x = 0; x < POINTS; x++)                                                                  \
                *(half *)(values + (POINTS * y + x) * size + k) = __builtin_convertvector(row[x] * (scales[y] * scales[x]), half); \
        }                                                                                                     \
    }

OC_CLONES static void evaluate_filter(int n, const float *filter, int64_t size, int turned, float *values, int64_t first, int64_t last) {
    if (n == 3) EVALUATE_FILTER(3)
    else EVALUATE_FILTER(5)
}

// The gradient of the filter from the sums of chunks, elements [first, last) of each tap.
#define COLLECT_FILTER(n)                                                                                     \
    for (int64_t k = first; k < last; k += LANES) {                                                           \
        COLLECT_BOTH_WAYS(n,                                                                                  \
            const float *from = sums + (POINTS * y + x) * size + k;                                           \
            row[y] = *(const vec *)from;                                                                      \
            for (int64_t q = 1; q < chunks; q++) row[y] += *(const vec *)(from + q * VALUES * size);          \
            row[y] *= (float)(scales[y] * scales[x]);,                                                        \
            *(vec *)(filter + (n * y + x) * size + k) = row[x]; total += row[x];)                             \
    }

OC_CLONES static int collect_filter(int n, const float *sums, int64_t chunks, int64_t size, float *filter, int64_t first, int64_t last) {
    vec total = {0};
    if (n == 3) COLLECT_FILTER(3)
    else COLLECT_FILTER(5)
    float rest = 0.0f;
    for (int k = 0; k < LANES; k++) rest += total[k] * 0.0f;
    return rest == 0.0f;
}

// A convolution of `n` images without strides: result pixel y, x meets pixels from y - before_y, x - before_x on.
typedef struct {
    int64_t n, h, w, c;            // the images
    int64_t oh, ow, co;            // the result
    int64_t taps, places;          // of a window, and of a tile, along a dimension
    int64_t before_y, before_x, down, across;  // the last two: tiles
} walk;

static walk walk_of(const oc_geometry *g, int64_t co, int64_t n) {
    walk s = {n, g->h, g->w, g->c, g->oh, g->ow, co, g->kh, POINTS + 1 - g->kh, g->ph, g->pw, 0, 0};
    s.down = (s.oh + s.places - 1) / s.places;
    s.across = (s.ow + s.places - 1) / s.places;
    return s;
}

// The gradient of the images is a convolution of that of the result with the filter turned round.
static walk walk_back(const oc_geometry *g, int64_t co, int64_t n) {
    walk s = {n, g->oh, g->ow, co, g->h, g->w, g->c, g->kh, POINTS + 1 - g->kh, g->kh - 1 - g->ph, g->kw - 1 - g->pw, 0, 0};
    s.down = (s.oh + s.places - 1) / s.places;
    s.across = (s.ow + s.places - 1) / s.places;
    return s;
}

typedef struct { int64_t n, y, x; } place;

static inline place place_of(const walk *s, int64_t tile) {
    return (place){tile / (s->down * s->across), tile / s->across % s->down * s->places, tile % s->across * s->places};
}

// Where `size` by `size` pixels from y, x on lie; zeros beyond the image.
static void pixels_at(const float **pixels, const float *image, int64_t h, int64_t w, int64_t c, int64_t y, int64_t x, int64_t size) {
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) {
            const int inside = y + i >= 0 && y + i < h && x + j >= 0 && x + j < w;
            *pixels++ = inside ? image + ((y + i) * w + x + j) * c : nothing;
        }
}

// Floats from one kind of values of `tiles` tiles to the next: an odd number of cache lines, so that they fall into different sets.
static inline int64_t distance(int64_t tiles, int64_t c) { return (tiles * c / LANES | 1) * LANES; }

static void spread_tiles(const walk *s, const float *images, int64_t first, int64_t last, float *values, int64_t apart) {
    const float *pixels[VALUES];
    for (int64_t t = first; t < last; t++, values += s->c) {
        const place p = place_of(s, t);
        pixels_at(pixels, images + p.n * s->h * s->w * s->c, s->h, s->w, s->c, p.y - s->before_y, p.x - s->before_x, POINTS);
        spread_tile(pixels, values, apart, s->c);
    }
}

// Fills the results of tiles [first, last); the sums of all their pixels are added to sums[LANES].
static void collect_tiles(const walk *s, const float *products, int64_t apart, int64_t first, int64_t last, float *out, float *sums) {
    float edge[16 * CHANNELS] __attribute__((aligned(64)));
    for (int64_t t = first; t < last; t++, products += s->co) {
        const place p = place_of(s, t);
        const int64_t high = s->oh - p.y < s->places ? s->oh - p.y : s->places, broad = s->ow - p.x < s->places ? s->ow - p.x : s->places;
        const int whole = high == s->places && broad == s->places;
        float *to = out + ((p.n * s->oh + p.y) * s->ow + p.x) * s->co, *rows[4];
        for (int64_t y = 0; y < s->places; y++) rows[y] = whole ? to + y * s->ow * s->co : edge + y * s->places * s->co;
        collect_tile((int)s->places, products, apart, rows, s->co, sums);
        for (int64_t y = 0; !whole && y < high; y++) memcpy(to + y * s->ow * s->co, rows[y], (size_t)(broad * s->co) * sizeof(float));
    }
}

// products[tiles, co] = values[tiles, c] weights[c, co].
static void multiply(const oc_tiles *tiles, int64_t count, int64_t c, int64_t co, const float *values, const float *weights, float *products) {
    const int64_t none = 0, pieces = (count + tiles->rows - 1) / tiles->rows;
    oc_tile t = {.offsets = &none, .runs = 1, .len = c, .step = c, .ldb = co, .ldc = co};
    for (int64_t j = 0; j < co; j += 2 * tiles->lanes)
        for (int64_t k = 0; k < pieces; k++) {
            const int64_t at = count * k / pieces, height = count * (k + 1) / pieces - at;
            t.columns = co - j < 2 * tiles->lanes ? co - j : 2 * tiles->lanes;
            t.a = values + at * c;
            t.a2 = t.a + (height + 1) / 2 * c;
            t.b = weights + j;
            t.c = products + at * co + j;
            t.c2 = t.c + (height + 1) / 2 * co;
            tiles->fn[height - 1][0][t.columns > tiles->lanes](&t);
        }
}

// sums[c, co] = (sums +) values[tiles, c]' gradients[tiles, co].
static void add_products(const oc_tiles *tiles, int64_t count, int64_t c, int64_t co, const float *values, const float *gradients, float *sums, int fresh) {
    const int64_t none = 0, pieces = (c + tiles->rows - 1) / tiles->rows;
    oc_tile t = {.offsets = &none, .runs = 1, .len = count, .step = c, .ldb = co, .ldc = co, .add = !fresh};
    for (int64_t j = 0; j < co; j += 2 * tiles->lanes)
        for (int64_t k = 0; k < pieces; k++) {
            const int64_t at = c * k / pieces, height = c * (k + 1) / pieces - at;
            t.columns = co - j < 2 * tiles->lanes ? co - j : 2 * tiles->lanes;
            t.a = t.a2 = values + at;
            t.b = gradients + j;
            t.c = sums + at * co + j;
            t.c2 = t.c + (height + 1) / 2 * co;
            tiles->fn[height - 1][1][t.columns > tiles->lanes](&t);
        }
}

// Returns whether all results are finite.
static int convolve(const walk *s, const float *images, const float *weights, float *out, float *own, int64_t most) {
    const oc_tiles *tiles = oc_tiles_here();
    const int64_t all = s->n * s->down * s->across, from = distance(most, s->c), to = distance(most, s->co);
    float *values = own, *products = own + VALUES * from, sums[LANES] = {0}, rest = 0.0f;
    const int64_t blocks = (all + most - 1) / most;
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t first = all * block / blocks, last = all * (block + 1) / blocks;
        spread_tiles(s, images, first, last, values, from);
        for (int64_t v = 0; v < VALUES; v++)
            multiply(tiles, last - first, s->c, s->co, values + v * from, weights + v * s->c * s->co, products + v * to);
        collect_tiles(s, products, to, first, last, out, sums);
    }
    for (int k = 0; k < LANES; k++) rest += sums[k] * 0.0f;
    return rest == 0.0f;
}

// The same tap by tap: zeros beyond the image count, as they do for other convolutions.
OC_CLONES static void convolve_taps(const walk *s, const float *images, const float *filter, float *out) {
    for (int64_t at = 0; at < s->n * s->oh * s->ow; at++, out += s->co) {
        const int64_t y = at / s->ow % s->oh - s->before_y, x = at % s->ow - s->before_x;
        const float *pixels[VALUES];
        pixels_at(pixels, images + at / (s->oh * s->ow) * s->h * s->w * s->c, s->h, s->w, s->c, y, x, s->taps);
        memset(out, 0, (size_t)s->co * sizeof(float));
        for (int64_t tap = 0; tap < s->taps * s->taps; tap++)
            for (int64_t c = 0; c < s->c; c++) {
                const float *restrict weights = filter + (tap * s->c + c) * s->co, pixel = pixels[tap][c];
                for (int64_t j = 0; j < s->co; j++) out[j] += pixel * weights[j];
            }
    }
}

static void prepare_winograd(const oc_instr *in, const oc_state *state, float *shared, int64_t part, int64_t parts) {
    const oc_geometry g = in->geometry;
    const int64_t size = g.c * in->conv.co;
    evaluate_filter((int)g.kh, OC_F32(conv.filter), size, 0, shared, oc_bound(size, parts, part, LANES), oc_bound(size, parts, part + 1, LANES));
}

static void winograd_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    const walk s = walk_of(&g, in->conv.co, p->last - p->first);
    const float *images = OC_F32(conv.x) + p->first * g.h * g.w * g.c;
    float *out = OC_F32(conv.out) + p->first * g.oh * g.ow * s.co;
    if (!convolve(&s, images, p->shared, out, p->own, in->member.tiles)) convolve_taps(&s, images, OC_F32(conv.filter), out);
}

const oc_member oc_winograd_member = {prepare_winograd, winograd_images, NULL};

// The values of the filter turned round, channels out first: evaluated as it lies behind them, then turned.
static void prepare_winograd_input(const oc_instr *in, const oc_state *state, float *shared, int64_t part, int64_t parts) {
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv_input.co, size = g.c * co, first = oc_bound(co, parts, part, LANES), last = oc_bound(co, parts, part + 1, LANES);
    float *values = shared + VALUES * size;
    if (first == last) return;
    for (int64_t c = 0; c < g.c; c++) evaluate_filter((int)g.kh, OC_F32(conv_input.filter), size, 1, values, c * co + first, c * co + last);
    for (int64_t v = 0; v < VALUES; v++)
        oc_lay_out(shared + v * size + first * g.c, g.c, values + v * size + first, co, 1, last - first, g.c);
}

static void winograd_input_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv_input.co;
    const walk s = walk_back(&g, co, p->last - p->first);
    const float *grad = OC_F32(conv_input.grad) + p->first * g.oh * g.ow * co;
    float *out = OC_F32(conv_input.out) + p->first * g.h * g.w * g.c;
    if (!convolve(&s, grad, p->shared, out, p->own, in->member.tiles)) oc_spread_windows(&g, co, s.n, grad, OC_F32(conv_input.filter), out);
}

const oc_member oc_winograd_input_member = {prepare_winograd_input, winograd_input_images, NULL};

static void winograd_filter_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    const oc_geometry g = in->geometry;
    const oc_tiles *tiles = oc_tiles_here();
    const walk s = walk_of(&g, in->conv_filter.co, p->last - p->first);
    const int64_t size = g.c * s.co, most = in->member.tiles, from = distance(most, s.c), to = distance(most, s.co);
    const int64_t all = s.n * s.down * s.across, blocks = (all + most - 1) / most;
    const float *images = OC_F32(conv_filter.x) + p->first * g.h * g.w * g.c, *grad = OC_F32(conv_filter.grad) + p->first * g.oh * g.ow * s.co, *pixels[VALUES];
    float *values = p->own, *gradients = p->own + VALUES * from, *sums = p->shared + p->chunk * VALUES * size;
    for (int64_t block = 0; block < blocks; block++) {
        const int64_t first = all * block / blocks, last = all * (block + 1) / blocks;
        spread_tiles(&s, images, first, last, values, from);
        for (int64_t t = first; t < last; t++) {
            const place at = place_of(&s, t);
            pixels_at(pixels, grad + at.n * g.oh * g.ow * s.co, g.oh, g.ow, s.co, at.y, at.x, s.places);
            evaluate_tile((int)s.places, pixels, gradients + (t - first) * s.co, to, s.co);
        }
        for (int64_t v = 0; v < VALUES; v++)
            add_products(tiles, last - first, s.c, s.co, values + v * from, gradients + v * to, sums + v * size, p->fresh && !block);
    }
}

typedef struct {
    const oc_geometry *g;
    const float *sums, *images, *grad;
    float *out;
    int64_t co, chunks, parts;
    atomic_int endless;  // whether something is not finite
} filter_end;

static void collect_part(void *context, int64_t part) {
    filter_end *e = context;
    const int64_t size = e->g->c * e->co;
    if (!collect_filter((int)e->g->kh, e->sums, e->chunks, size, e->out, oc_bound(size, e->parts, part, LANES), oc_bound(size, e->parts, part + 1, LANES)))
        atomic_store_explicit(&e->endless, 1, memory_order_relaxed);
}

// The gradient of a tap, pixel by pixel.
OC_CLONES static void sum_tap(void *context, int64_t tap) {
    const filter_end *e = context;
    const oc_geometry *g = e->g;
    float *sums = e->out + tap * g->c * e->co;
    memset(sums, 0, (size_t)(g->c * e->co) * sizeof(float));
    for (int64_t at = 0; at < g->n * g->oh * g->ow; at++) {
        const int64_t y = at / g->ow % g->oh - g->ph + tap / g->kw, x = at % g->ow - g->pw + tap % g->kw;
        const int inside = y >= 0 && y < g->h && x >= 0 && x < g->w;
        const float *pixel = inside ? e->images + ((at / (g->oh * g->ow) * g->h + y) * g->w + x) * g->c : nothing, *restrict grad = e->grad + at * e->co;
        for (int64_t c = 0; c < g->c; c++) {
            float *restrict to = sums + c * e->co;
            for (int64_t j = 0; j < e->co; j++) to[j] += pixel[c] * grad[j];
        }
    }
}

static void finish_winograd_filter(const oc_instr *in, const oc_state *state, const float *shared, int64_t chunks) {
    const oc_geometry g = in->geometry;
    const int64_t co = in->conv_filter.co;
    filter_end e = {&g, shared, OC_F32(conv_filter.x), OC_F32(conv_filter.grad), OC_F32(conv_filter.out), co, chunks, 1, 0};
    e.parts = oc_parts(state->threads, (double)(g.c * co * chunks * VALUES) * 0.2, g.c * co / LANES);
    oc_parallel(state->threads, e.parts, collect_part, &e);
    if (atomic_load_explicit(&e.endless, memory_order_relaxed)) oc_parallel(state->threads, g.kh * g.kw, sum_tap, &e);
}

const oc_member oc_winograd_filter_member = {NULL, winograd_filter_images, finish_winograd_filter};
