// Convolutions of each channel by itself, over images with as many channels as the result has. Scratch has room for
// images of the size that windows reach.
#include "images/image_groups.h"

typedef struct {
    const oc_instr *in;
    const oc_state *state;
    oc_geometry g;
    const float *images;  // with their border
    float *scratch, *sums;
    int64_t h, w, chunks;
} channels;

static channels channels_of(const oc_instr *in, const oc_state *state) {
    channels s = {.in = in, .state = state, .g = in->geometry, .scratch = (float *)state->scratch, .h = in->depthwise.all_h, .w = in->depthwise.all_w};
    return s;
}

static void with_border(channels *s, const float *images) {
    const oc_geometry *g = &s->g;
    int64_t h = g->h, w = g->w;
    s->images = oc_bordered(s->state->threads, s->scratch, images, g->n, &h, &w, g->c, g->ph, g->pw, s->h, s->w);
    s->h = h;
    s->w = w;
}

static int for_parts(channels *s, int64_t parts, oc_work work) {
    const oc_geometry *g = &s->g;
    const double cost = (double)(g->n * g->oh * g->ow) * (double)(g->c * g->kh * g->kw) * 0.1;
    oc_parallel(oc_parts(s->state->threads, cost, parts) > 1 ? s->state->threads : 1, parts, work, s);
    return OC_OK;
}

OC_CLONES static void add_products(int64_t n, float *restrict d, const float *restrict x, const float *restrict y) {
    for (int64_t k = 0; k < n; k++) d[k] += x[k] * y[k];
}

// A row of results.
static void convolve_row(void *context, int64_t row) {
    const channels *s = context;
    const oc_instr *in = s->in;
    const oc_state *state = s->state;
    const oc_geometry *g = &s->g;
    const float *image = s->images + (row / g->oh * s->h + row % g->oh * g->sh) * s->w * g->c;
    float *out = OC_F32(depthwise.out) + row * g->ow * g->c;
    memset(out, 0, (size_t)(g->ow * g->c) * sizeof(float));
    for (int64_t x = 0; x < g->ow; x++)
        for (int64_t p = 0; p < g->kh; p++)
            for (int64_t q = 0; q < g->kw; q++)
                add_products(g->c, out + x * g->c, image + (p * g->dh * s->w + x * g->sw + q * g->dw) * g->c, OC_F32(depthwise.filter) + (p * g->kw + q) * g->c);
}

OC_KERNEL(oc_depthwise) {
    channels s = channels_of(in, state);
    with_border(&s, OC_F32(depthwise.x));
    return for_parts(&s, s.g.n * s.g.oh, convolve_row);
}

// The gradient of an image: every pixel of the result's gradient goes back to where its window was.
static void scatter_image(void *context, int64_t n) {
    const channels *s = context;
    const oc_instr *in = s->in;
    const oc_state *state = s->state;
    const oc_geometry *g = &s->g;
    const float *grad = OC_F32(depthwise_input.grad) + n * g->oh * g->ow * g->c;
    float *image = s->scratch + n * s->h * s->w * g->c, *out = OC_F32(depthwise_input.out) + n * g->h * g->w * g->c;
    memset(image, 0, (size_t)(s->h * s->w * g->c) * sizeof(float));
    for (int64_t y = 0; y < g->oh; y++)
        for (int64_t x = 0; x < g->ow; x++, grad += g->c)
            for (int64_t p = 0; p < g->kh; p++)
                for (int64_t q = 0; q < g->kw; q++)
                    add_products(g->c, image + ((y * g->sh + p * g->dh) * s->w + x * g->sw + q * g->dw) * g->c, grad,
                                 OC_F32(depthwise_input.filter) + (p * g->kw + q) * g->c);
    const int64_t right = s->w - g->pw, inside = right < 0 ? 0 : right < g->w ? right : g->w;
    for (int64_t y = 0; y < g->h; y++, out += g->w * g->c) {
        const int64_t width = y + g->ph < s->h ? inside : 0;
        if (width) memcpy(out, image + ((y + g->ph) * s->w + g->pw) * g->c, (size_t)(width * g->c) * sizeof(float));
        memset(out + width * g->c, 0, (size_t)((g->w - width) * g->c) * sizeof(float));
    }
}

OC_KERNEL(oc_depthwise_input) {
    channels s = channels_of(in, state);
    return for_parts(&s, s.g.n, scatter_image);
}

static void sum_images(void *context, int64_t chunk) {
    const channels *s = context;
    const oc_instr *in = s->in;
    const oc_state *state = s->state;
    const oc_geometry *g = &s->g;
    const int64_t size = g->kh * g->kw * g->c, last = oc_bound(g->n, s->chunks, chunk + 1, 1);
    float *sums = s->sums + chunk * size;
    memset(sums, 0, (size_t)size * sizeof(float));
    for (int64_t n = oc_bound(g->n, s->chunks, chunk, 1); n < last; n++) {
        const float *image = s->images + n * s->h * s->w * g->c, *grad = OC_F32(depthwise_filter.grad) + n * g->oh * g->ow * g->c;
        for (int64_t y = 0; y < g->oh; y++)
            for (int64_t x = 0; x < g->ow; x++, grad += g->c)
                for (int64_t p = 0; p < g->kh; p++)
                    for (int64_t q = 0; q < g->kw; q++)
                        add_products(g->c, sums + (p * g->kw + q) * g->c,
                                     image + ((y * g->sh + p * g->dh) * s->w + x * g->sw + q * g->dw) * g->c, grad);
    }
}

OC_KERNEL(oc_depthwise_filter) {
    channels s = channels_of(in, state);
    s.sums = s.scratch + in->depthwise_filter.border;
    s.chunks = in->depthwise_filter.chunks;
    with_border(&s, OC_F32(depthwise_filter.x));
    for_parts(&s, s.chunks, sum_images);
    oc_add_chunks(state->threads, OC_F32(depthwise_filter.out), s.sums, s.g.kh * s.g.kw * s.g.c, s.chunks);
    return OC_OK;
}
