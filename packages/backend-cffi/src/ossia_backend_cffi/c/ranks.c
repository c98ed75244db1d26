// Ranks of predictions.
#include "program.h"
#include "direct.h"
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
        const int64_t target = bytes == 4 ? ((const int32_t *)targets)[r] : ((const int64_t *)targets)[r];
        out[r] = target >= 0 && target < classes && is_in_top(predictions + r * classes, classes, target, k);
    }
    return 0;
}
