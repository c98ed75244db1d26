// Convolutions of each channel by itself. The image has as many channels as the result: where a channel has several filters, it has been
// repeated before.
#include "program.h"
#include <string.h>

enum { WIDE = 64 };  // channels whose sums are kept together

typedef struct {
    const oc_instr *in;
    const float *x, *w;
    float *out;
    int64_t parts, blocks;
} job;

// i[0] to i[13]: n, h, w, channels, window h, w, out h, w, stride h, w, before h, w, dilation h, w.
#define GEOMETRY(in)                                                                                                                    \
    const int64_t h = (in)->i[1], w = (in)->i[2], channels = (in)->i[3], kh = (in)->i[4], kw = (in)->i[5], oh = (in)->i[6],              \
                  ow = (in)->i[7], sh = (in)->i[8], sw = (in)->i[9], ph = (in)->i[10], pw = (in)->i[11], dh = (in)->i[12], dw = (in)->i[13]

// The windows first to last - 1 of a row whose element `at` (before the padding) lies inside: at + k * stride in [0, size).
static void inside(int64_t at, int64_t stride, int64_t size, int64_t count, int64_t *first, int64_t *last) {
    *first = at < 0 ? (-at + stride - 1) / stride : 0;
    *last = at >= size ? 0 : (size - 1 - at) / stride + 1;
    if (*last > count) *last = count;
}

OC_CLONES static void forward_part(void *context, int64_t part) {
    const job *j = context;
    GEOMETRY(j->in);
    const int64_t rows = j->in->i[0] * oh, end = oc_bound(rows, j->parts, part + 1, 1);
    for (int64_t row = oc_bound(rows, j->parts, part, 1); row < end; row++) {
        float *out = j->out + row * ow * channels;
        const float *image = j->x + row / oh * h * w * channels;
        memset(out, 0, (size_t)(ow * channels) * sizeof(float));
        for (int64_t a = 0; a < kh; a++) {
            const int64_t y = row % oh * sh - ph + a * dh;
            if (y < 0 || y >= h) continue;
            for (int64_t b = 0; b < kw; b++) {
                const int64_t at = b * dw - pw;
                const float *weights = j->w + (a * kw + b) * channels;
                int64_t first, last;
                inside(at, sw, w, ow, &first, &last);
                for (int64_t k = first; k < last; k++) {
                    const float *x = image + (y * w + at + k * sw) * channels;
                    float *o = out + k * channels;
                    for (int64_t c = 0; c < channels; c++) o[c] += x[c] * weights[c];
                }
            }
        }
    }
}

// Buffers: result, image, filter [window h, w, channels].
OC_KERNEL(oc_depthwise) {
    const double work = (double)(in->i[0] * in->i[6] * in->i[7] * in->i[3]) * (double)(in->i[4] * in->i[5]);
    job j = {.in = in, .out = OC_F32(0), .x = OC_F32(1), .w = OC_F32(2)};
    j.parts = oc_parts(state->threads, work * 0.1, in->i[0] * in->i[6]);
    oc_parallel(state->threads, j.parts, forward_part, &j);
    return OC_OK;
}

OC_CLONES static void input_part(void *context, int64_t part) {
    const job *j = context;
    GEOMETRY(j->in);
    const int64_t filters = j->in->i[14], depth = channels / filters;
    const int64_t rows = j->in->i[0] * h, end = oc_bound(rows, j->parts, part + 1, 1);
    for (int64_t row = oc_bound(rows, j->parts, part, 1); row < end; row++) {
        float *out = j->out + row * w * depth;
        const float *grad = j->x + row / h * oh * ow * channels;
        memset(out, 0, (size_t)(w * depth) * sizeof(float));
        for (int64_t a = 0; a < kh; a++) {
            const int64_t from = row % h + ph - a * dh;
            if (from < 0 || from % sh || from / sh >= oh) continue;
            for (int64_t b = 0; b < kw; b++) {
                const int64_t at = b * dw - pw;
                const float *weights = j->w + (a * kw + b) * channels;
                int64_t first, last;
                inside(at, sw, w, ow, &first, &last);
                for (int64_t k = first; k < last; k++) {
                    const float *g = grad + (from / sh * ow + k) * channels;
                    float *o = out + (at + k * sw) * depth;
                    if (filters == 1) {
                        for (int64_t c = 0; c < depth; c++) o[c] += g[c] * weights[c];
                    } else {
                        for (int64_t c = 0; c < depth; c++)
                            for (int64_t q = 0; q < filters; q++) o[c] += g[c * filters + q] * weights[c * filters + q];
                    }
                }
            }
        }
    }
}

// Buffers: gradient of the image, which has its own channels; gradient of the result, filter. i[14] filters of each channel.
OC_KERNEL(oc_depthwise_input) {
    const double work = (double)(in->i[0] * in->i[6] * in->i[7] * in->i[3]) * (double)(in->i[4] * in->i[5]);
    job j = {.in = in, .out = OC_F32(0), .x = OC_F32(1), .w = OC_F32(2)};
    j.parts = oc_parts(state->threads, work * 0.1, in->i[0] * in->i[1]);
    oc_parallel(state->threads, j.parts, input_part, &j);
    return OC_OK;
}

OC_CLONES static void filter_part(void *context, int64_t part) {
    const job *j = context;
    GEOMETRY(j->in);
    (void)kh;
    const int64_t tap = part / j->blocks, start = part % j->blocks * WIDE;
    const int64_t wide = channels - start < WIDE ? channels - start : WIDE, a = tap / kw, b = tap % kw, at = b * dw - pw;
    float sums[WIDE] = {0};
    int64_t first, last;
    inside(at, sw, w, ow, &first, &last);
    for (int64_t row = 0; row < j->in->i[0] * oh; row++) {
        const int64_t y = row % oh * sh - ph + a * dh;
        if (y < 0 || y >= h) continue;
        const float *image = j->x + (row / oh * h + y) * w * channels + start, *grad = j->w + row * ow * channels + start;
        float part_of_row[WIDE] = {0};
        for (int64_t k = first; k < last; k++) {
            const float *x = image + (at + k * sw) * channels, *g = grad + k * channels;
            for (int64_t c = 0; c < wide; c++) part_of_row[c] += x[c] * g[c];
        }
        for (int64_t c = 0; c < wide; c++) sums[c] += part_of_row[c];
    }
    memcpy(j->out + tap * channels + start, sums, (size_t)wide * sizeof(float));
}

// Buffers: gradient of the filter, image, gradient of the result.
OC_KERNEL(oc_depthwise_filter) {
    job j = {.in = in, .out = OC_F32(0), .x = OC_F32(1), .w = OC_F32(2), .blocks = (in->i[3] + WIDE - 1) / WIDE};
    j.parts = in->i[4] * in->i[5] * j.blocks;
    const double work = (double)(in->i[0] * in->i[6] * in->i[7]) * (double)(in->i[3] * in->i[4] * in->i[5]);
    oc_parallel(work > 2e5 ? state->threads : 1, j.parts, filter_part, &j);
    return OC_OK;
}
