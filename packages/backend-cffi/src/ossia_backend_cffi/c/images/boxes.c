// Boxes cut out of images and resized, and the best of boxes that overlap.
#include "program/program.h"
#include "arrays/direct.h"
#include <math.h>
#include <stdlib.h>
#pragma GCC optimize("fp-contract=off")

enum { BATCH, HEIGHT, WIDTH, DEPTH, BOXES, ROWS, COLUMNS };  // of `sizes`

typedef struct {
    int nearest;
    const float *images, *boxes;
    const int64_t *sizes;
    const int32_t *of;
    float outside, *out;
    int64_t parts;
} cropping;

// Where row `k` of a crop lies in its image; whether that is inside.
static inline int place(float low, float high, int64_t old, int64_t count, int64_t k, float *at) {
    const float last = (float)(old - 1);
    if (count > 1) *at = low * last + (float)k * ((high - low) * last / (float)(count - 1));
    else *at = 0.5f * (low + high) * last;
    return *at >= 0.0f && *at <= last;
}

static inline int64_t bounded(float at, int64_t old) { return at < (float)(old - 1) ? (int64_t)at : old - 1; }

static inline __attribute__((always_inline)) void crop(const cropping *c, int64_t box, int64_t depth) {
    const int64_t height = c->sizes[HEIGHT], width = c->sizes[WIDTH], rows = c->sizes[ROWS], columns = c->sizes[COLUMNS];
    const float *corners = c->boxes + 4 * box, *image = c->images + c->of[box] * height * width * depth;
    float *out = c->out + box * rows * columns * depth;
    for (int64_t r = 0; r < rows; r++) {
        float y, x;
        const int inside = place(corners[0], corners[2], height, rows, r, &y);
        const float down = inside ? y - floorf(y) : 0.0f;
        const float *top = NULL, *bottom = NULL;
        if (inside) {
            top = image + bounded(floorf(c->nearest ? y + 0.5f : y), height) * width * depth;
            bottom = image + bounded(ceilf(y), height) * width * depth;
        }
        for (int64_t col = 0; col < columns; col++, out += depth) {
            if (!inside || !place(corners[1], corners[3], width, columns, col, &x)) {
                for (int64_t k = 0; k < depth; k++) out[k] = c->outside;
                continue;
            }
            const int64_t left = bounded(floorf(c->nearest ? x + 0.5f : x), width) * depth, right = bounded(ceilf(x), width) * depth;
            const float across = x - floorf(x);
            for (int64_t k = 0; k < depth; k++) {
                if (c->nearest) { out[k] = top[left + k]; continue; }
                const float above = top[left + k] + (top[right + k] - top[left + k]) * across;
                const float below = bottom[left + k] + (bottom[right + k] - bottom[left + k]) * across;
                out[k] = above + (below - above) * down;
            }
        }
    }
}

OC_CLONES static void crop_one(const cropping *c, int64_t box) {
    if (c->sizes[DEPTH] == 3) crop(c, box, 3);
    else if (c->sizes[DEPTH] == 1) crop(c, box, 1);
    else crop(c, box, c->sizes[DEPTH]);
}

static void crops_part(void *context, int64_t part) {
    const cropping *c = context;
    const int64_t last = oc_bound(c->sizes[BOXES], c->parts, part + 1, 1);
    for (int64_t box = oc_bound(c->sizes[BOXES], c->parts, part, 1); box < last; box++) crop_one(c, box);
}

// Crops of boxes, of the images whose numbers are in `of`, which is the call's own; 1 where one is not there.
int oc_crops(int nearest, const float *images, const int64_t *sizes, const float *boxes, const int32_t *of, float outside, int threads,
             float *out) {
    for (int k = HEIGHT; k <= COLUMNS; k++) if (k != BOXES && sizes[k] < 1) return 1;
    for (int64_t k = 0; k < sizes[BOXES]; k++) if (of[k] < 0 || of[k] >= sizes[BATCH]) return 1;
    cropping c = {nearest, images, boxes, sizes, of, outside, out, 1};
    c.parts = oc_parts(threads, (double)sizes[BOXES] * (double)(sizes[ROWS] * sizes[COLUMNS] * sizes[DEPTH]) * 2.0, sizes[BOXES]);
    if (sizes[BOXES]) oc_parallel(threads, c.parts, crops_part, &c);
    return 0;
}

typedef struct { float top, left, bottom, right, area; } area_box;

static inline float lower(float a, float b) { return b < a ? b : a; }
static inline float higher(float a, float b) { return b > a ? b : a; }

static area_box in_order(const float *b) {
    area_box made = {lower(b[0], b[2]), lower(b[1], b[3]), higher(b[0], b[2]), higher(b[1], b[3]), 0.0f};
    made.area = (b[2] > b[0] ? b[2] - b[0] : b[0] - b[2]) * (b[3] > b[1] ? b[3] - b[1] : b[1] - b[3]);
    return made;
}

// Whether two boxes share no more than `threshold` of what they cover; one without an area shares nothing.
static inline int apart(const area_box *a, const area_box *b, float threshold) {
    if (!(a->area > 0.0f) || !(b->area > 0.0f)) return 0.0f <= threshold;
    const float height = higher(lower(a->bottom, b->bottom) - higher(a->top, b->top), 0.0f);
    const float width = higher(lower(a->right, b->right) - higher(a->left, b->left), 0.0f);
    const float common = height * width, whole = a->area + b->area - common;
    return common / (whole > 0.0f ? whole : 1.0f) <= threshold;
}

// Of boxes in `order`, the call's own, those that none chosen before overlaps by more than `threshold`, `limit` at most; their number, or -1.
int64_t oc_suppress(const float *boxes, int64_t count, const int64_t *order, int64_t ordered, int64_t limit, float threshold, int32_t *chosen) {
    if (limit > ordered) limit = ordered;
    if (count > INT32_MAX) return -1;
    area_box *kept = malloc((size_t)(limit + 1) * sizeof *kept);
    if (!kept) return -1;
    int64_t found = 0;
    for (int64_t k = 0; k < ordered && found < limit; k++) {
        if (order[k] < 0 || order[k] >= count) { found = -1; break; }
        kept[found] = in_order(boxes + 4 * order[k]);
        int64_t other = found - 1;
        while (other >= 0 && apart(&kept[other], &kept[found], threshold)) other--;
        if (other < 0) chosen[found++] = (int32_t)order[k];
    }
    free(kept);
    return found;
}
