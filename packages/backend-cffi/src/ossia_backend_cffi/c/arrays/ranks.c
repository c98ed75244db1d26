// Ranks: of predictions, of random permutations, and the largest elements of windows.
#include "program/program.h"
#include "arrays/direct.h"
#include "program/index.h"
#include <string.h>

// Whether fewer than k predictions of a row are larger than that of its target, and all are finite.
OC_CLONES static int is_in_top(const float *row, int64_t classes, int64_t target, int64_t k) {
    const float own = row[target];
    int64_t better = 0;
    for (int64_t start = 0; start < classes; start += 1 << 20) {
        const int64_t end = classes - start < 1 << 20 ? classes : start + (1 << 20);
        int32_t larger = 0, endless = 0;
        for (int64_t j = start; j < end; j++) {
            larger += row[j] > own;
            endless |= row[j] - row[j] != 0.0f;
        }
        if (endless) return 0;
        better += larger;
    }
    return better < k;
}

int oc_in_top_k(const float *predictions, int64_t rows, int64_t classes, const char *targets, int bytes, int64_t k, uint8_t *out) {
    for (int64_t r = 0; r < rows; r++) {
        const int64_t target = oc_index(targets, bytes, r);
        out[r] = target >= 0 && target < classes && is_in_top(predictions + r * classes, classes, target, k);
    }
    return 0;
}

// The permutation by Fisher and Yates that count - 1 random words give.
int oc_permutation(int64_t count, const uint32_t *words, int64_t *order) {
    for (int64_t k = 0; k < count; k++) order[k] = k;
    for (int64_t k = 0; k + 1 < count; k++) {
        const int64_t other = k + (int64_t)(words[k] % (uint64_t)(count - k)), held = order[k];
        order[k] = order[other];
        order[other] = held;
    }
    return 0;
}

// The largest element of each window of an image [n, h, w, c] and its place, the first of equal ones. sizes: n, h, w, c, rows and
// columns of the result, of a window, steps down and across, rows and columns before the image. NaN is refused.
int oc_largest_in_windows(const float *x, const int64_t *sizes, int with_batch, float *out, int64_t *places) {
    const int64_t n = sizes[0], h = sizes[1], w = sizes[2], c = sizes[3], rows = sizes[4], columns = sizes[5];
    for (int64_t b = 0; b < n; b++)
        for (int64_t r = 0; r < rows; r++)
            for (int64_t q = 0; q < columns; q++, out += c, places += c) {
                const int64_t top = r * sizes[8] - sizes[10], side = q * sizes[9] - sizes[11];
                const int64_t bottom = top + sizes[6] < h ? top + sizes[6] : h, end = side + sizes[7] < w ? side + sizes[7] : w;
                int64_t begun = 0;
                for (int64_t i = top > 0 ? top : 0; i < bottom; i++)
                    for (int64_t j = side > 0 ? side : 0; j < end; j++) {
                        const int64_t at = (i * w + j) * c, first = with_batch ? b * h * w * c + at : at;
                        const float *from = x + b * h * w * c + at;
                        int endless = 0;
                        if (!begun) for (int64_t k = 0; k < c; k++) { out[k] = from[k]; places[k] = first + k; endless |= from[k] != from[k]; }
                        else
                            for (int64_t k = 0; k < c; k++) {
                                const int larger = from[k] > out[k];
                                endless |= from[k] != from[k];
                                places[k] = larger ? first + k : places[k];
                                out[k] = larger ? from[k] : out[k];
                            }
                        if (endless) return 1;
                        begun = 1;
                    }
                if (!begun) return 1;
            }
    return 0;
}
