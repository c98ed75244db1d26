// Pools over regions of differing sizes, and what their gradients add up; a region reaches one element further if they overlap.
#include "program/program.h"
#include "arrays/direct.h"
#include <float.h>
#include <string.h>

enum { BATCH, HEIGHT, WIDTH, DEPTH, ROWS, COLUMNS };  // of `sizes`
enum { LARGEST, MEAN };

// One behind the last element of a region.
static inline int64_t end_of(const int64_t *borders, int64_t k, int overlapping, int64_t size) {
    const int64_t end = borders[k + 1] + (overlapping ? 1 : 0);
    return end < size ? end : size;
}

static int fit(const int64_t *borders, int64_t count, int64_t size) {
    for (int64_t k = 0; k < count; k++) if (borders[k] < 0 || borders[k] >= borders[k + 1]) return 0;
    return borders[count] <= size;
}

OC_CLONES static void take_largest(int64_t n, const float *restrict x, float *restrict out) {
    for (int64_t k = 0; k < n; k++) out[k] = x[k] > out[k] ? x[k] : out[k];
}

OC_CLONES static void add(int64_t n, const float *restrict x, float *restrict out) {
    for (int64_t k = 0; k < n; k++) out[k] += x[k];
}

OC_CLONES static void add_doubles(int64_t n, const double *restrict x, double *restrict out) {
    for (int64_t k = 0; k < n; k++) out[k] += x[k];
}

// Rows of images are pooled first, into `line` ([width, depth]), then columns. The search for the largest begins at the least number: NaN
// and infinities below it are never found.
int oc_fractional_pool(int how, const float *x, const int64_t *sizes, const int64_t *rows, const int64_t *columns, int overlapping,
                       float *line, float *out) {
    const int64_t depth = sizes[DEPTH], wide = sizes[WIDTH] * depth;
    if (!fit(rows, sizes[ROWS], sizes[HEIGHT]) || !fit(columns, sizes[COLUMNS], sizes[WIDTH])) return 1;
    for (int64_t b = 0; b < sizes[BATCH]; b++)
        for (int64_t r = 0; r < sizes[ROWS]; r++) {
            const float *image = x + b * sizes[HEIGHT] * wide;
            const int64_t first = rows[r], last = end_of(rows, r, overlapping, sizes[HEIGHT]);
            if (how == LARGEST) {
                for (int64_t k = 0; k < wide; k++) line[k] = -FLT_MAX;
                for (int64_t y = first; y < last; y++) take_largest(wide, image + y * wide, line);
            } else {
                memcpy(line, image + first * wide, (size_t)wide * sizeof *line);
                for (int64_t y = first + 1; y < last; y++) add(wide, image + y * wide, line);
            }
            for (int64_t c = 0; c < sizes[COLUMNS]; c++, out += depth) {
                const int64_t begin = columns[c], end = end_of(columns, c, overlapping, sizes[WIDTH]);
                memcpy(out, line + begin * depth, (size_t)depth * sizeof *out);
                for (int64_t at = begin + 1; at < end; at++) (how == LARGEST ? take_largest : add)(depth, line + at * depth, out);
                const float area = (float)((last - first) * (end - begin));
                for (int64_t k = 0; how == MEAN && k < depth; k++) out[k] /= area;
            }
        }
    return 0;
}

// Each gradient goes to the first largest element of its region, row by row, or to the first of all where none equals it.
int oc_fractional_max_gradient(const float *x, const float *y, const float *gradients, const int64_t *sizes, const int64_t *rows,
                               const int64_t *columns, float *out) {
    const int64_t depth = sizes[DEPTH], wide = sizes[WIDTH] * depth, image = sizes[HEIGHT] * wide;
    if (!fit(rows, sizes[ROWS], sizes[HEIGHT]) || !fit(columns, sizes[COLUMNS], sizes[WIDTH])) return 1;
    memset(out, 0, (size_t)(sizes[BATCH] * image) * sizeof *out);
    for (int64_t b = 0; b < sizes[BATCH]; b++, x += image, out += image)
        for (int64_t r = 0; r < sizes[ROWS]; r++)
            for (int64_t c = 0; c < sizes[COLUMNS]; c++)
                for (int64_t k = 0; k < depth; k++, y++, gradients++) {
                    int64_t place = rows[r] * wide + columns[c] * depth + k;
                    for (int64_t at = rows[r], found = 0; at < rows[r + 1] && !found; at++)
                        for (int64_t beside = columns[c]; beside < columns[c + 1] && !found; beside++)
                            if ((found = x[at * wide + beside * depth + k] == *y)) place = at * wide + beside * depth + k;
                    out[place] += *gradients;
                }
    return 0;
}

// Each gradient is spread over its region in double precision. `line` is [width, depth], `image` [height, width, depth].
int oc_fractional_mean_gradient(const float *gradients, const int64_t *sizes, const int64_t *rows, const int64_t *columns, int overlapping,
                                double *line, double *image, float *out) {
    const int64_t depth = sizes[DEPTH], wide = sizes[WIDTH] * depth, size = sizes[HEIGHT] * wide;
    if (!fit(rows, sizes[ROWS], sizes[HEIGHT]) || !fit(columns, sizes[COLUMNS], sizes[WIDTH])) return 1;
    for (int64_t b = 0; b < sizes[BATCH]; b++, out += size) {
        memset(image, 0, (size_t)size * sizeof *image);
        for (int64_t r = 0; r < sizes[ROWS]; r++) {
            const int64_t last = end_of(rows, r, overlapping, sizes[HEIGHT]);
            memset(line, 0, (size_t)wide * sizeof *line);
            for (int64_t c = 0; c < sizes[COLUMNS]; c++, gradients += depth) {
                const int64_t end = end_of(columns, c, overlapping, sizes[WIDTH]);
                const double area = (double)((last - rows[r]) * (end - columns[c]));
                for (int64_t at = columns[c]; at < end; at++)
                    for (int64_t k = 0; k < depth; k++) line[at * depth + k] += (double)gradients[k] / area;
            }
            for (int64_t y = rows[r]; y < last; y++) add_doubles(wide, line, image + y * wide);
        }
        for (int64_t k = 0; k < size; k++) out[k] = (float)image[k];
    }
    return 0;
}
