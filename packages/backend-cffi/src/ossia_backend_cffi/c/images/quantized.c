// What models of quantized numbers need beside matrix products: depthwise convolutions of 8-bit and of real numbers, and sums of products
// brought to the scale of a result. Sources: B. Jacob and others, https://arxiv.org/abs/1712.05877, section 2.2.
#include <string.h>
#include "program/program.h"
#include "arrays/direct.h"

enum { MOST_TAPS = 128, MOST = 1 << 30 };  // as many products of 9-bit by 8-bit numbers are exact in single precision

// Sums and biases below 2^30 times fraction * 2^(-shift - 31), rounded as the reference kernels do: the product to nearest, ties up; then the
// shift to nearest, ties away from zero; then kept between bounds, which are those of the result less its zero point. The high half of the
// product is taken without a shift of negative numbers, which AVX2 does not have.
#define SCALED(NAME, TOTAL, OUT)                                                                                                            \
    OC_CLONES static void NAME(int64_t channels, const TOTAL *restrict total, const int32_t *restrict bias,                                 \
                               const int32_t *restrict fraction, const int32_t *restrict shift, int32_t zero, int32_t low, int32_t high,    \
                               OUT *restrict out) {                                                                                         \
        for (int64_t c = 0; c < channels; c++) {                                                                                            \
            const int64_t product = (int64_t)((int32_t)total[c] + bias[c]) * fraction[c];                                                   \
            const uint64_t raised = (uint64_t)product + ((uint64_t)1 << 62) + ((uint64_t)1 << 30);                                          \
            const int32_t x = (int32_t)((uint32_t)(raised >> 31) - ((uint32_t)1 << 31)), mask = (int32_t)((1u << shift[c]) - 1);            \
            int32_t value = (x >> shift[c]) + ((x & mask) > (mask >> 1) + (x < 0));                                                         \
            value = value < low ? low : value;                                                                                              \
            out[c] = (OUT)((value > high ? high : value) + zero);                                                                           \
        }                                                                                                                                   \
    }
SCALED(floats_to_int8, float, int8_t)
SCALED(floats_to_uint8, float, uint8_t)
SCALED(doubles_to_int8, double, int8_t)
SCALED(doubles_to_uint8, double, uint8_t)

static int wrong_scales(int64_t channels, const int32_t *bias, const int32_t *fraction, const int32_t *shift, const int32_t *range) {
    for (int k = 0; k < 3; k++)
        if (range[k] < -MOST || range[k] > MOST) return 1;
    for (int64_t c = 0; c < channels; c++)
        if (bias[c] <= -MOST || bias[c] >= MOST || fraction[c] < 0 || shift[c] < 0 || shift[c] > 30) return 1;
    return 0;
}

int oc_requantize(int doubles, int is_unsigned, int64_t rows, int64_t channels, const char *total, const int32_t *bias, const int32_t *fraction,
                  const int32_t *shift, const int32_t *range, char *out) {
    if (rows < 0 || channels < 0 || wrong_scales(channels, bias, fraction, shift, range)) return 1;
    for (int64_t r = 0; r < rows; r++) {
        const int64_t at = r * channels;
        if (doubles && is_unsigned)
            doubles_to_uint8(channels, (const double *)total + at, bias, fraction, shift, range[0], range[1], range[2], (uint8_t *)out + at);
        else if (doubles)
            doubles_to_int8(channels, (const double *)total + at, bias, fraction, shift, range[0], range[1], range[2], (int8_t *)out + at);
        else if (is_unsigned)
            floats_to_uint8(channels, (const float *)total + at, bias, fraction, shift, range[0], range[1], range[2], (uint8_t *)out + at);
        else
            floats_to_int8(channels, (const float *)total + at, bias, fraction, shift, range[0], range[1], range[2], (int8_t *)out + at);
    }
    return 0;
}

// Where a window of one result lies: the places of the filter that see the image, along one dimension.
typedef struct { int64_t first, end, at; } oc_reach;
static oc_reach reach(int64_t result, int64_t stride, int64_t before, int64_t dilation, int64_t window, int64_t size) {
    oc_reach seen = {0, window, result * stride - before};
    while (seen.first < seen.end && seen.at + seen.first * dilation < 0) seen.first++;
    while (seen.end > seen.first && seen.at + (seen.end - 1) * dilation >= size) seen.end--;
    return seen;
}

// Sums of one result over the window; channels by blocks whose sums stay in registers, the last ones one by one.
typedef float oc_eight __attribute__((vector_size(32)));
typedef int32_t oc_words __attribute__((vector_size(32)));
#define SUMS(NAME, VALUE, REAL)                                                                                                             \
    typedef VALUE NAME##_eight __attribute__((vector_size(8 * sizeof(VALUE))));                                                             \
    OC_CLONES static void NAME(oc_reach y, oc_reach x, int64_t dilation_y, int64_t dilation_x, int64_t width, int64_t window_x,             \
                               int64_t channels, float zero, const VALUE *restrict image, const float *restrict weights,                    \
                               float *restrict out) {                                                                                       \
        int64_t c = 0;                                                                                                                      \
        for (; c + 16 <= channels; c += 16) {                                                                                               \
            oc_eight first = {0}, second = {0};                                                                                             \
            for (int64_t i = y.first; i < y.end; i++)                                                                                       \
                for (int64_t j = x.first; j < x.end; j++) {                                                                                 \
                    NAME##_eight from[2];                                                                                                   \
                    oc_eight by[2];                                                                                                         \
                    memcpy(from, image + ((y.at + i * dilation_y) * width + x.at + j * dilation_x) * channels + c, sizeof from);            \
                    memcpy(by, weights + (i * window_x + j) * channels + c, sizeof by);                                                     \
                    first += (REAL(from[0]) - zero) * by[0];                                                                                \
                    second += (REAL(from[1]) - zero) * by[1];                                                                               \
                }                                                                                                                           \
            memcpy(out + c, &first, sizeof first);                                                                                          \
            memcpy(out + c + 8, &second, sizeof second);                                                                                    \
        }                                                                                                                                   \
        for (int64_t k = c; k < channels; k++) out[k] = 0;                                                                                  \
        for (int64_t i = y.first; i < y.end; i++)                                                                                           \
            for (int64_t j = x.first; j < x.end; j++) {                                                                                     \
                const VALUE *from = image + ((y.at + i * dilation_y) * width + x.at + j * dilation_x) * channels;                           \
                const float *by = weights + (i * window_x + j) * channels;                                                                  \
                for (int64_t k = c; k < channels; k++) out[k] += ((float)from[k] - zero) * by[k];                                           \
            }                                                                                                                               \
    }
#define OC_AS_IT_IS(x) (x)
#define OC_REAL(x) __builtin_convertvector(__builtin_convertvector(x, oc_words), oc_eight)
SUMS(sums_of_int8, int8_t, OC_REAL)
SUMS(sums_of_uint8, uint8_t, OC_REAL)
SUMS(sums_of_floats, float, OC_AS_IT_IS)

// sizes: batch, height, width, channels; height and width of the window, of the strides, of the dilations; rows and columns of the result;
// zeros above and to the left.
static int wrong_sizes(const int64_t *sizes) {
    for (int k = 0; k < 14; k++)
        if (sizes[k] < 0 || sizes[k] > (1 << 24) || (k >= 4 && k < 10 && !sizes[k])) return 1;
    return sizes[4] * sizes[5] > MOST_TAPS;
}

int oc_depthwise_floats(const int64_t *sizes, const float *image, const float *weights, const float *bias, const float *range, float *out) {
    if (wrong_sizes(sizes)) return 1;
    const int64_t channels = sizes[3];
    for (int64_t b = 0; b < sizes[0]; b++, image += sizes[1] * sizes[2] * channels)
        for (int64_t r = 0; r < sizes[10]; r++) {
            const oc_reach y = reach(r, sizes[6], sizes[12], sizes[8], sizes[4], sizes[1]);
            for (int64_t c = 0; c < sizes[11]; c++, out += channels) {
                const oc_reach x = reach(c, sizes[7], sizes[13], sizes[9], sizes[5], sizes[2]);
                sums_of_floats(y, x, sizes[8], sizes[9], sizes[2], sizes[5], channels, 0, image, weights, out);
                oc_bias_and_clamp(1, channels, bias, range, out);
            }
        }
    return 0;
}

int oc_depthwise_integers(int is_unsigned, const int64_t *sizes, float zero, const char *image, const float *weights, const int32_t *bias,
                          const int32_t *fraction, const int32_t *shift, const int32_t *range, int to_unsigned, float *line, char *out) {
    const int64_t channels = sizes[3];
    if (wrong_sizes(sizes) || wrong_scales(channels, bias, fraction, shift, range)) return 1;
    for (int64_t b = 0; b < sizes[0]; b++, image += sizes[1] * sizes[2] * channels)
        for (int64_t r = 0; r < sizes[10]; r++) {
            const oc_reach y = reach(r, sizes[6], sizes[12], sizes[8], sizes[4], sizes[1]);
            for (int64_t c = 0; c < sizes[11]; c++, out += channels) {
                const oc_reach x = reach(c, sizes[7], sizes[13], sizes[9], sizes[5], sizes[2]);
                if (is_unsigned)
                    sums_of_uint8(y, x, sizes[8], sizes[9], sizes[2], sizes[5], channels, zero, (const uint8_t *)image, weights, line);
                else
                    sums_of_int8(y, x, sizes[8], sizes[9], sizes[2], sizes[5], channels, zero, (const int8_t *)image, weights, line);
                if (to_unsigned)
                    floats_to_uint8(channels, line, bias, fraction, shift, range[0], range[1], range[2], (uint8_t *)out);
                else
                    floats_to_int8(channels, line, bias, fraction, shift, range[0], range[1], range[2], (int8_t *)out);
            }
        }
    return 0;
}

OC_CLONES int oc_bias_and_clamp(int64_t rows, int64_t channels, const float *bias, const float *range, float *x) {
    const float low = range[0], high = range[1];
    for (int64_t r = 0; r < rows; r++, x += channels)
        for (int64_t c = 0; c < channels; c++) {
            const float sum = x[c] + bias[c], within = sum < low ? low : sum;
            x[c] = within > high ? high : within;
        }
    return 0;
}

// Rows times weights, four rows and sixteen columns at a time. Weights lie in panels of sixteen columns, [panel][depth][16], the last one filled up.
OC_CLONES static void panel(int64_t rows, int64_t depth, int64_t columns, int64_t n, const float *restrict x, const float *restrict weights,
                            float *restrict out) {
    for (int64_t r = 0; r < rows; r += 4) {
        const int64_t here = rows - r < 4 ? rows - r : 4;
        const float *at[4];
        for (int k = 0; k < 4; k++) at[k] = x + (r + (k < here ? k : 0)) * depth;
        oc_eight a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0}, d0 = {0}, d1 = {0};
        for (int64_t k = 0; k < depth; k++) {
            oc_eight by[2];
            memcpy(by, weights + k * 16, sizeof by);
            a0 += at[0][k] * by[0], a1 += at[0][k] * by[1], b0 += at[1][k] * by[0], b1 += at[1][k] * by[1];
            c0 += at[2][k] * by[0], c1 += at[2][k] * by[1], d0 += at[3][k] * by[0], d1 += at[3][k] * by[1];
        }
        const oc_eight sums[4][2] = {{a0, a1}, {b0, b1}, {c0, c1}, {d0, d1}};
        for (int64_t k = 0; k < here; k++) memcpy(out + (r + k) * columns, sums[k], (size_t)n * sizeof(float));
    }
}

int oc_panels(int64_t rows, int64_t depth, int64_t columns, const float *x, const float *weights, float *out) {
    enum { ROWS = 64 };  // of x, which stay in the cache while all panels go by
    for (int64_t r = 0; r < rows; r += ROWS)
        for (int64_t c = 0; c < columns; c += 16)
            panel(rows - r < ROWS ? rows - r : ROWS, depth, columns, columns - c < 16 ? columns - c : 16, x + r * depth, weights + c * depth,
                  out + r * columns + c);
    return 0;
}
