// What models of quantized numbers need beside matrix products: depthwise convolutions of 8-bit and of real numbers, and sums of products
// brought to the scale of a result. Sources: B. Jacob and others, https://arxiv.org/abs/1712.05877, section 2.2.
#include "program/program.h"
#include "arrays/direct.h"

enum { BLOCK = 16, MOST_TAPS = 1 << 14 };

// x * fraction * 2^(shift - 31), rounded as the reference kernels do: the product to nearest, ties up; then the shift to nearest, ties away.
static inline int64_t scaled(int64_t x, int64_t fraction, int left, int right) {
    const int64_t most = INT32_MAX, raised = (int64_t)((uint64_t)x << left);
    int64_t high = (int64_t)((uint64_t)raised * (uint64_t)fraction + (1u << 30)) >> 31;
    high = high > most ? most : high;
    const int64_t mask = ((int64_t)1 << right) - 1;
    return (high >> right) + ((high & mask) > (mask >> 1) + (high < 0));
}

#define SCALED(NAME, TOTAL, OUT)                                                                                                          \
    OC_CLONES static void NAME(int64_t channels, const TOTAL *restrict total, const int64_t *restrict bias,                               \
                               const int64_t *restrict fraction, const int64_t *restrict shift, int64_t zero, int64_t low, int64_t high,  \
                               OUT *restrict out) {                                                                                       \
        for (int64_t c = 0; c < channels; c++) {                                                                                          \
            const int left = shift[c] > 0 ? (int)shift[c] : 0, right = shift[c] < 0 ? (int)-shift[c] : 0;                                 \
            int64_t value = scaled((int64_t)total[c] + bias[c], fraction[c], left, right) + zero;                                         \
            value = value < low ? low : value;                                                                                            \
            out[c] = (OUT)(value > high ? high : value);                                                                                  \
        }                                                                                                                                 \
    }
SCALED(floats_to_int8, float, int8_t)
SCALED(floats_to_uint8, float, uint8_t)
SCALED(doubles_to_int8, double, int8_t)
SCALED(doubles_to_uint8, double, uint8_t)
SCALED(integers_to_int8, int32_t, int8_t)
SCALED(integers_to_uint8, int32_t, uint8_t)

static int wrong_shifts(int64_t channels, const int64_t *shift) {
    for (int64_t c = 0; c < channels; c++)
        if (shift[c] < -31 || shift[c] > 31) return 1;
    return 0;
}

int oc_requantize(int doubles, int is_unsigned, int64_t rows, int64_t channels, const char *total, const int64_t *bias, const int64_t *fraction,
                  const int64_t *shift, const int64_t *range, char *out) {
    if (rows < 0 || channels < 0 || wrong_shifts(channels, shift)) return 1;
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

// Sums of one result over the window; channels by blocks whose sums stay in registers.
#define SUMS(NAME, VALUE, WEIGHT, SUM)                                                                                                    \
    OC_CLONES static void NAME(oc_reach y, oc_reach x, int64_t dilation_y, int64_t dilation_x, int64_t width, int64_t window_x,           \
                               int64_t channels, SUM zero, const VALUE *restrict image, const WEIGHT *restrict weights,                   \
                               SUM *restrict out) {                                                                                       \
        for (int64_t c = 0; c < channels; c += BLOCK) {                                                                                   \
            const int64_t n = channels - c < BLOCK ? channels - c : BLOCK;                                                                \
            SUM sums[BLOCK] = {0};                                                                                                        \
            for (int64_t i = y.first; i < y.end; i++)                                                                                     \
                for (int64_t j = x.first; j < x.end; j++) {                                                                               \
                    const VALUE *from = image + ((y.at + i * dilation_y) * width + x.at + j * dilation_x) * channels + c;                 \
                    const WEIGHT *by = weights + (i * window_x + j) * channels + c;                                                       \
                    if (n == BLOCK) for (int k = 0; k < BLOCK; k++) sums[k] += ((SUM)from[k] - zero) * (SUM)by[k];                        \
                    else for (int k = 0; k < n; k++) sums[k] += ((SUM)from[k] - zero) * (SUM)by[k];                                       \
                }                                                                                                                         \
            for (int k = 0; k < n; k++) out[c + k] = sums[k];                                                                             \
        }                                                                                                                                 \
    }
SUMS(sums_of_int8, int8_t, int16_t, int32_t)
SUMS(sums_of_uint8, uint8_t, int16_t, int32_t)
SUMS(sums_of_floats, float, float, float)

// sizes: batch, height, width, channels; height and width of the window, of the strides, of the dilations; rows and columns of the result;
// zeros above and to the left.
static int wrong_sizes(const int64_t *sizes) {
    for (int k = 0; k < 14; k++)
        if (sizes[k] < 0 || sizes[k] > (1 << 24) || (k >= 4 && k < 10 && !sizes[k])) return 1;
    return sizes[4] > MOST_TAPS || sizes[5] > MOST_TAPS || sizes[4] * sizes[5] > MOST_TAPS;
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

int oc_depthwise_integers(int is_unsigned, const int64_t *sizes, int32_t zero, const char *image, const int16_t *weights, const int64_t *bias,
                          const int64_t *fraction, const int64_t *shift, const int64_t *range, int to_unsigned, int32_t *line, char *out) {
    const int64_t channels = sizes[3];
    if (wrong_sizes(sizes) || wrong_shifts(channels, shift)) return 1;
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
                    integers_to_uint8(channels, line, bias, fraction, shift, range[0], range[1], range[2], (uint8_t *)out);
                else
                    integers_to_int8(channels, line, bias, fraction, shift, range[0], range[1], range[2], (int8_t *)out);
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
