// Copies between places that are strides apart: transposes, slices, concatenation, broadcasts.
#include "program/program.h"
#include <string.h>

enum { RANK = 6, TILE = 16 };

typedef struct {
    int64_t item, rank, dims[RANK], from[RANK], to[RANK];
    const char *src;
    char *dst;
    int turned;             // the axis that lies side by side in the source, if the last one does so in the target; else -1
    int shared;             // the axis that threads share
    int64_t step, parts;
} copying;

// A tile of the source is read line by line and written line by line, so that no line of the caches is needed twice.
#define TURN(NAME, T)                                                                                              \
    OC_CLONES static void NAME(const T *src, int64_t fs, T *dst, int64_t ts, int64_t rows, int64_t columns) {      \
        T tile[TILE][TILE];                                                                                        \
        for (int64_t c = 0; c < columns; c += TILE)                                                                \
            for (int64_t r = 0; r < rows; r += TILE) {                                                             \
                const T *s = src + r + c * fs;                                                                     \
                T *d = dst + r * ts + c;                                                                           \
                if (rows - r >= TILE && columns - c >= TILE) {                                                     \
                    for (int j = 0; j < TILE; j++) memcpy(tile[j], s + j * fs, sizeof tile[j]);                    \
                    for (int i = 0; i < TILE; i++) {                                                               \
                        T line[TILE];                                                                              \
                        for (int j = 0; j < TILE; j++) line[j] = tile[j][i];                                       \
                        memcpy(d + i * ts, line, sizeof line);                                                     \
                    }                                                                                              \
                } else {                                                                                           \
                    const int64_t high = rows - r < TILE ? rows - r : TILE, wide = columns - c < TILE ? columns - c : TILE; \
                    for (int64_t i = 0; i < high; i++) for (int64_t j = 0; j < wide; j++) d[i * ts + j] = s[i + j * fs]; \
                }                                                                                                  \
            }                                                                                                      \
    }

TURN(turn_8, uint8_t)
TURN(turn_16, uint16_t)
TURN(turn_32, uint32_t)
TURN(turn_64, uint64_t)

#define STRIDED(NAME, T)                                                                                           \
    OC_CLONES static void NAME(const T *src, int64_t fs, T *dst, int64_t ts, int64_t n) {                          \
        if (ts == 1) for (int64_t k = 0; k < n; k++) dst[k] = src[k * fs];                                         \
        else for (int64_t k = 0; k < n; k++) dst[k * ts] = src[k * fs];                                            \
    }

STRIDED(strided_32, uint32_t)
STRIDED(strided_64, uint64_t)

// One row along the last axis, or with a turned axis what these two span.
static void copy_innermost(const copying *c, const char *src, char *dst) {
    const int64_t item = c->item, last = c->dims[c->rank - 1], fs = c->from[c->rank - 1], ts = c->to[c->rank - 1];
    if (c->turned >= 0) {
        const int64_t rows = c->dims[c->turned], to = c->to[c->turned];
        if (item == 4) turn_32((const uint32_t *)src, fs, (uint32_t *)dst, to, rows, last);
        else if (item == 8) turn_64((const uint64_t *)src, fs, (uint64_t *)dst, to, rows, last);
        else if (item == 2) turn_16((const uint16_t *)src, fs, (uint16_t *)dst, to, rows, last);
        else turn_8((const uint8_t *)src, fs, (uint8_t *)dst, to, rows, last);
    }
    else if (fs == 1 && ts == 1) memcpy(dst, src, (size_t)(last * item));
    else if (item == 4) strided_32((const uint32_t *)src, fs, (uint32_t *)dst, ts, last);
    else if (item == 8) strided_64((const uint64_t *)src, fs, (uint64_t *)dst, ts, last);
    else for (int64_t k = 0; k < last; k++) memcpy(dst + k * ts * item, src + k * fs * item, (size_t)item);
}

static void copy_part(void *context, int64_t part) {
    copying c = *(const copying *)context;
    const int64_t all = c.dims[c.shared], first = oc_bound(all, c.parts, part, c.step), last = oc_bound(all, c.parts, part + 1, c.step);
    const char *src = c.src + first * c.from[c.shared] * c.item;
    char *dst = c.dst + first * c.to[c.shared] * c.item;
    c.dims[c.shared] = last - first;
    if (first == last) return;
    int64_t at[RANK] = {0};
    for (;;) {
        copy_innermost(&c, src, dst);
        int64_t axis = c.rank - 2;
        for (; axis >= 0; axis--) {
            if (axis == c.turned) continue;
            src += c.from[axis] * c.item;
            dst += c.to[axis] * c.item;
            if (++at[axis] < c.dims[axis]) break;
            src -= c.from[axis] * c.dims[axis] * c.item;
            dst -= c.to[axis] * c.dims[axis] * c.item;
            at[axis] = 0;
        }
        if (axis < 0) return;
    }
}

OC_KERNEL(oc_strided_copy) {
    copying c = {.item = in->strided_copy.item, .rank = in->strided_copy.rank, .turned = -1};
    double elements = 1.0;
    c.src = state->buffers[in->strided_copy.x] + in->strided_copy.start * c.item;
    c.dst = state->buffers[in->strided_copy.out] + in->strided_copy.at * c.item;
    if (!c.rank) { memcpy(c.dst, c.src, (size_t)c.item); return OC_OK; }
    for (int64_t k = 0; k < c.rank; k++) {
        c.dims[k] = in->strided_copy.dims[k];
        c.from[k] = in->strided_copy.source[k];
        c.to[k] = in->strided_copy.target[k];
        if (!c.dims[k]) return OC_OK;
        elements *= (double)c.dims[k];
        if (c.dims[k] > c.dims[c.shared]) c.shared = (int)k;
    }
    const int64_t last = c.rank - 1;
    const int sized = c.item == 1 || c.item == 2 || c.item == 4 || c.item == 8;
    if (sized && c.to[last] == 1 && c.from[last] != 1 && c.dims[last] > 1)
        for (int k = 0; k < last; k++) if (c.from[k] == 1 && c.dims[k] > 1) c.turned = k;
    c.step = c.shared == last || c.shared == c.turned ? TILE : 1;
    c.parts = oc_parts(state->threads, elements * (double)c.item * (c.turned >= 0 ? 0.12 : 0.06), (c.dims[c.shared] + c.step - 1) / c.step);
    oc_parallel(state->threads, c.parts, copy_part, &c);
    return OC_OK;
}
