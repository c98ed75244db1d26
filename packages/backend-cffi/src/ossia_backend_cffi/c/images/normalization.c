// Batch normalization of images, and its gradient. Images are [outer, channels, inner]: channels last have inner 1, channels first outer images.
// Every block of rows gives a mean and a sum of squares of its own, put together afterwards, so that the images are read once for both and
// every number of threads gives the same result.
#include "images/image_groups.h"
#include <math.h>

// A product that is too large must overflow before something is added to it, as it does on NumPy.
#if defined(__GNUC__) && !defined(__clang__)
#define UNFUSED __attribute__((optimize("fp-contract=off")))
#else
#pragma STDC FP_CONTRACT OFF
#define UNFUSED
#endif

typedef struct {
    int64_t outer, channels, inner, rows, blocks;  // rows of a block
    const float *x, *grad;
    float *y;
    float *first, *second;                         // [blocks, channels] of sums over a block
    const float *mean, *a, *b, *c;                 // by channel
    int last;                                      // whether channels are last
} images;

static images layout(const oc_instr *in, const oc_state *state) {
    images m = {.outer = in->layout.outer, .channels = in->layout.channels, .inner = in->layout.inner, .rows = in->layout.rows, .blocks = in->layout.blocks};
    m.last = m.inner == 1;
    m.first = (float *)state->scratch;
    m.second = m.first + m.blocks * m.channels;
    return m;
}

static inline int64_t rows_of(const images *m, int64_t block) {
    const int64_t left = m->outer - block * m->rows;
    return left < m->rows ? left : m->rows;
}

OC_CLONES UNFUSED static void mean_of_rows(int64_t rows, int64_t n, const float *restrict x, float *restrict mean, float *restrict squares) {
    for (int64_t c = 0; c < n; c++) mean[c] = squares[c] = 0.0f;
    for (int64_t r = 0; r < rows; r++) for (int64_t c = 0; c < n; c++) mean[c] += x[r * n + c];
    for (int64_t c = 0; c < n; c++) mean[c] /= (float)rows;
    for (int64_t r = 0; r < rows; r++) for (int64_t c = 0; c < n; c++) { const float d = x[r * n + c] - mean[c]; squares[c] += d * d; }
}

OC_CLONES UNFUSED static void mean_of_run(int64_t n, const float *restrict x, float *mean, float *squares) {
    float part[32] = {0}, sum = 0.0f;
    int64_t k = 0;
    for (; k + 32 <= n; k += 32) for (int q = 0; q < 32; q++) part[q] += x[k + q];
    for (; k < n; k++) sum += x[k];
    for (int q = 0; q < 32; q++) sum += part[q];
    const float middle = sum / (float)n;
    memset(part, 0, sizeof part);
    sum = 0.0f;
    for (k = 0; k + 32 <= n; k += 32) for (int q = 0; q < 32; q++) { const float d = x[k + q] - middle; part[q] += d * d; }
    for (; k < n; k++) { const float d = x[k] - middle; sum += d * d; }
    for (int q = 0; q < 32; q++) sum += part[q];
    *mean = middle;
    *squares = sum;
}

static void moments_part(void *context, int64_t block) {
    const images *m = context;
    const int64_t at = block * m->channels;
    if (m->last) mean_of_rows(rows_of(m, block), m->channels, m->x + block * m->rows * m->channels, m->first + at, m->second + at);
    else for (int64_t c = 0; c < m->channels; c++) mean_of_run(m->inner, m->x + (at + c) * m->inner, m->first + at + c, m->second + at + c);
}

// For numbers that are too large, or none: what comes out is what the sums over all rows give.
UNFUSED static void moments_at_once(const images *m, int64_t channel, float *mean, float *squares) {
    const int64_t step = m->last ? m->channels : 1, inner = m->last ? m->outer : m->inner, outer = m->last ? 1 : m->outer;
    float sum = 0.0f, square = 0.0f;
    for (int64_t o = 0; o < outer; o++)
        for (int64_t k = 0; k < inner; k++) sum += m->x[(m->last ? channel : (o * m->channels + channel) * inner) + k * step];
    const float middle = sum / ((float)m->outer * (float)m->inner);
    for (int64_t o = 0; o < outer; o++)
        for (int64_t k = 0; k < inner; k++) {
            const float d = m->x[(m->last ? channel : (o * m->channels + channel) * inner) + k * step] - middle;
            square += d * d;
        }
    *mean = middle;
    *squares = square;
}

// y = (x - mean) a + b
OC_CLONES UNFUSED static void scale_rows(int64_t rows, int64_t n, const float *restrict x, const float *restrict mean, const float *restrict a,
                                 const float *restrict b, float *restrict y) {
    for (int64_t r = 0; r < rows; r++) for (int64_t c = 0; c < n; c++) y[r * n + c] = (x[r * n + c] - mean[c]) * a[c] + b[c];
}

OC_CLONES UNFUSED static void scale_run(int64_t n, const float *restrict x, float mean, float a, float b, float *restrict y) {
    for (int64_t k = 0; k < n; k++) y[k] = (x[k] - mean) * a + b;
}

static void scale_part(void *context, int64_t block) {
    const images *m = context;
    const int64_t at = block * m->rows * m->channels;
    if (m->last) { scale_rows(rows_of(m, block), m->channels, m->x + at, m->mean, m->a, m->b, m->y + at); return; }
    for (int64_t c = 0; c < m->channels; c++)
        scale_run(m->inner, m->x + (at + c) * m->inner, m->mean[c], m->a[c], m->b[c], m->y + (at + c) * m->inner);
}

static void run(const oc_state *state, images *m, oc_work work, double cost) {
    const int threads = oc_parts(state->threads, (double)m->outer * (double)m->channels * (double)m->inner * cost, m->blocks) > 1 ? state->threads : 1;
    oc_parallel(threads, m->blocks, work, m);
}

// From the moments of blocks, those of all: to `mean` and `kept`, and the variance without bias to `variance`.
UNFUSED static void put_together(const images *m, float *mean, float *kept, float *variance) {
    const int64_t n = m->channels;
    memcpy(mean, m->first, (size_t)n * sizeof(float));
    memcpy(kept, m->second, (size_t)n * sizeof(float));
    double count = m->last ? (double)rows_of(m, 0) : (double)m->inner;
    for (int64_t block = 1; block < m->blocks; block++) {
        const double more = m->last ? (double)rows_of(m, block) : (double)m->inner, total = count + more;
        const float share = (float)(more / total), weight = (float)(count * more / total);
        const float *first = m->first + block * n, *second = m->second + block * n;
        for (int64_t c = 0; c < n; c++) {
            const float d = first[c] - mean[c];
            mean[c] += d * share;
            kept[c] += second[c] + d * d * weight;
        }
        count = total;
    }
    for (int64_t c = 0; c < n; c++) if (!isfinite(mean[c]) || !isfinite(kept[c])) moments_at_once(m, c, mean + c, kept + c);
    const float unbiased = (float)(count / (count > 1.0 ? count - 1.0 : 1.0));
    for (int64_t c = 0; c < n; c++) { kept[c] /= (float)count; variance[c] = kept[c] * unbiased; }
}

UNFUSED OC_KERNEL(oc_batch_norm) {
    images m = layout(in, state);
    const int64_t n = m.channels;
    const float *scale = OC_F32(batch_norm.scale), *offset = OC_F32(batch_norm.offset), epsilon = (float)in->batch_norm.epsilon;
    float *a = m.second + m.blocks * n, *mean = OC_F32(batch_norm.mean), *variance = OC_F32(batch_norm.variance), *kept = OC_F32(batch_norm.kept_variance);
    m.x = OC_F32(batch_norm.x);
    m.y = OC_F32(batch_norm.y);
    if (in->layout.training) {
        run(state, &m, moments_part, 0.3);
        put_together(&m, mean, kept, variance);
    } else {
        memcpy(mean, OC_F32(batch_norm.given_mean), (size_t)n * sizeof(float));
        memcpy(variance, OC_F32(batch_norm.given_variance), (size_t)n * sizeof(float));
        memcpy(kept, variance, (size_t)n * sizeof(float));
    }
    memcpy(OC_F32(batch_norm.kept_mean), mean, (size_t)n * sizeof(float));
    for (int64_t c = 0; c < n; c++) a[c] = scale[c] / sqrtf(kept[c] + epsilon);
    m.mean = mean;
    m.a = a;
    m.b = offset;
    if (!in->layout.training) {
        float *b = a + n, *none = b + n;
        for (int64_t c = 0; c < n; c++) { b[c] = offset[c] - mean[c] * a[c]; none[c] = 0.0f; }
        m.b = b;
        m.mean = none;
    }
    run(state, &m, scale_part, 0.2);
    return OC_OK;
}

OC_CLONES UNFUSED static void products_of_rows(int64_t rows, int64_t n, const float *restrict x, const float *restrict g, const float *restrict mean,
                                       float *restrict sum, float *restrict product) {
    for (int64_t c = 0; c < n; c++) sum[c] = product[c] = 0.0f;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < n; c++) { sum[c] += g[r * n + c]; product[c] += g[r * n + c] * (x[r * n + c] - mean[c]); }
}

OC_CLONES UNFUSED static void products_of_run(int64_t n, const float *restrict x, const float *restrict g, float mean, float *sum, float *product) {
    float s[32] = {0}, p[32] = {0};
    int64_t k = 0;
    for (; k + 32 <= n; k += 32) for (int q = 0; q < 32; q++) { s[q] += g[k + q]; p[q] += g[k + q] * (x[k + q] - mean); }
    for (; k < n; k++) { s[0] += g[k]; p[0] += g[k] * (x[k] - mean); }
    for (int q = 1; q < 32; q++) { s[0] += s[q]; p[0] += p[q]; }
    *sum = s[0];
    *product = p[0];
}

static void products_part(void *context, int64_t block) {
    const images *m = context;
    const int64_t to = block * m->channels, at = block * m->rows * m->channels;
    if (m->last) {
        products_of_rows(rows_of(m, block), m->channels, m->x + at, m->grad + at, m->mean, m->first + to, m->second + to);
        return;
    }
    for (int64_t c = 0; c < m->channels; c++)
        products_of_run(m->inner, m->x + (at + c) * m->inner, m->grad + (at + c) * m->inner, m->mean[c], m->first + to + c, m->second + to + c);
}

// y = (g + (x - mean) a + b) c
OC_CLONES UNFUSED static void gradient_rows(int64_t rows, int64_t n, const float *restrict x, const float *restrict g, const float *restrict mean,
                                    const float *restrict a, const float *restrict b, const float *restrict c, float *restrict y) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t k = 0; k < n; k++) y[r * n + k] = (g[r * n + k] + (x[r * n + k] - mean[k]) * a[k] + b[k]) * c[k];
}

OC_CLONES UNFUSED static void gradient_run(int64_t n, const float *restrict x, const float *restrict g, float mean, float a, float b, float c,
                                   float *restrict y) {
    for (int64_t k = 0; k < n; k++) y[k] = (g[k] + (x[k] - mean) * a + b) * c;
}

static void gradient_part(void *context, int64_t block) {
    const images *m = context;
    const int64_t at = block * m->rows * m->channels;
    if (m->last) { gradient_rows(rows_of(m, block), m->channels, m->x + at, m->grad + at, m->mean, m->a, m->b, m->c, m->y + at); return; }
    for (int64_t c = 0; c < m->channels; c++)
        gradient_run(m->inner, m->x + (at + c) * m->inner, m->grad + (at + c) * m->inner, m->mean[c], m->a[c], m->b[c], m->c[c],
                     m->y + (at + c) * m->inner);
}

// From the products of blocks, the gradients of scale and offset, and what makes the gradient of x: y = (g + (x - mean) a + b) factor.
UNFUSED static void put_products_together(const images *m, const float *scale, const float *variance, float epsilon, float *dscale,
                                          float *doffset, float *a, float *b, float *factor, int training) {
    const int64_t n = m->channels;
    const float count = (float)m->outer * (float)m->inner;
    memset(doffset, 0, (size_t)n * sizeof(float));
    memset(dscale, 0, (size_t)n * sizeof(float));
    for (int64_t block = 0; block < m->blocks; block++)
        for (int64_t c = 0; c < n; c++) { doffset[c] += m->first[block * n + c]; dscale[c] += m->second[block * n + c]; }
    for (int64_t c = 0; c < n; c++) {
        const float inverse = 1.0f / sqrtf(variance[c] + epsilon);
        a[c] = training ? -dscale[c] / count * inverse * inverse : 0.0f;
        b[c] = training ? -doffset[c] / count : 0.0f;
        factor[c] = scale[c] * inverse;
        dscale[c] *= inverse;
    }
}

UNFUSED OC_KERNEL(oc_batch_norm_grad) {
    images m = layout(in, state);
    const int64_t n = m.channels;
    float *a = m.second + m.blocks * n, *b = a + n, *factor = b + n;
    m.grad = OC_F32(batch_norm_grad.grad);
    m.x = OC_F32(batch_norm_grad.x);
    m.y = OC_F32(batch_norm_grad.dx);
    m.mean = OC_F32(batch_norm_grad.mean);
    run(state, &m, products_part, 0.4);
    put_products_together(&m, OC_F32(batch_norm_grad.scale), OC_F32(batch_norm_grad.variance), (float)in->batch_norm_grad.epsilon, OC_F32(batch_norm_grad.dscale), OC_F32(batch_norm_grad.doffset), a, b, factor, (int)in->layout.training);
    if (!in->layout.training) {
        m.x = m.grad;
        m.mean = m.b = b;
        m.a = factor;
        run(state, &m, scale_part, 0.2);
        return OC_OK;
    }
    m.a = a;
    m.b = b;
    m.c = factor;
    run(state, &m, gradient_part, 0.4);
    return OC_OK;
}

// In training, with channels last, the same in two instructions each, which work image by image.
// What every channel is scaled by lies in a buffer in between.
static images by_image(const oc_instr *in, float *sums) {
    const int64_t n = in->pixels.n, channels = in->pixels.channels, rows = in->pixels.pixels;
    return (images){.outer = n * rows, .channels = channels, .inner = 1, .rows = rows, .blocks = n, .first = sums,
                    .second = sums + n * channels, .last = 1};
}

static void moments_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    images m = by_image(in, p->shared);
    m.x = OC_F32(batch_moments.x);
    for (int64_t n = p->first; n < p->last; n++) moments_part(&m, n);
}

UNFUSED static void finish_moments(const oc_instr *in, const oc_state *state, const float *shared, int64_t chunks) {
    images m = by_image(in, (float *)shared);
    const float *scale = OC_F32(batch_moments.scale), epsilon = (float)in->batch_moments.epsilon;
    float *mean = OC_F32(batch_moments.mean), *kept = OC_F32(batch_moments.kept_variance), *both = OC_F32(batch_moments.factors);
    (void)chunks;
    m.x = OC_F32(batch_moments.x);
    put_together(&m, mean, kept, OC_F32(batch_moments.variance));
    memcpy(OC_F32(batch_moments.kept_mean), mean, (size_t)m.channels * sizeof(float));
    memcpy(both, mean, (size_t)m.channels * sizeof(float));
    for (int64_t c = 0; c < m.channels; c++) both[m.channels + c] = scale[c] / sqrtf(kept[c] + epsilon);
}

static void scale_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    images m = by_image(in, NULL);
    m.y = OC_F32(batch_scale.y);
    m.x = OC_F32(batch_scale.x);
    m.mean = OC_F32(batch_scale.factors);
    m.a = m.mean + m.channels;
    m.b = OC_F32(batch_scale.offset);
    for (int64_t n = p->first; n < p->last; n++) scale_part(&m, n);
}

static void products_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    images m = by_image(in, p->shared);
    m.grad = OC_F32(batch_products.grad);
    m.x = OC_F32(batch_products.x);
    m.mean = OC_F32(batch_products.mean);
    for (int64_t n = p->first; n < p->last; n++) products_part(&m, n);
}

static void finish_products(const oc_instr *in, const oc_state *state, const float *shared, int64_t chunks) {
    const images m = by_image(in, (float *)shared);
    float *a = OC_F32(batch_products.factors);
    (void)chunks;
    put_products_together(&m, OC_F32(batch_products.scale), OC_F32(batch_products.variance), (float)in->batch_products.epsilon, OC_F32(batch_products.dscale), OC_F32(batch_products.doffset), a, a + m.channels, a + 2 * m.channels, 1);
}

static void gradient_images(const oc_images_part *p) {
    const oc_instr *in = p->in;
    const oc_state *state = p->state;
    images m = by_image(in, NULL);
    m.y = OC_F32(batch_gradient.dx);
    m.grad = OC_F32(batch_gradient.grad);
    m.x = OC_F32(batch_gradient.x);
    m.a = OC_F32(batch_gradient.factors);
    m.b = m.a + m.channels;
    m.c = m.b + m.channels;
    m.mean = OC_F32(batch_gradient.mean);
    for (int64_t n = p->first; n < p->last; n++) gradient_part(&m, n);
}

const oc_member oc_batch_moments_member = {NULL, moments_images, finish_moments}, oc_batch_scale_member = {NULL, scale_images, NULL},
    oc_batch_products_member = {NULL, products_images, finish_products}, oc_batch_gradient_member = {NULL, gradient_images, NULL};

OC_KERNEL(oc_batch_moments) { return oc_each_image(in, state, &oc_batch_moments_member, in->pixels.n, (double)(in->pixels.channels * in->pixels.pixels) * 0.3); }
OC_KERNEL(oc_batch_scale) { return oc_each_image(in, state, &oc_batch_scale_member, in->pixels.n, (double)(in->pixels.channels * in->pixels.pixels) * 0.2); }
OC_KERNEL(oc_batch_products) { return oc_each_image(in, state, &oc_batch_products_member, in->pixels.n, (double)(in->pixels.channels * in->pixels.pixels) * 0.4); }
OC_KERNEL(oc_batch_gradient) { return oc_each_image(in, state, &oc_batch_gradient_member, in->pixels.n, (double)(in->pixels.channels * in->pixels.pixels) * 0.4); }
