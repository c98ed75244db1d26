// Random numbers by Philox4x32-10, the same as on NumPy (see ossia_core.random.philox): a value depends on the position where the values of
// a run start, and on its own number.
#include "program.h"
#include <string.h>

enum { LANES = 64 };  // counters at a time

typedef struct { uint32_t word[4][LANES]; } words;

// The words of the counters first .. first + LANES after a position {key, low half of the counter, high half}.
OC_CLONES static void draw(words *w, const uint64_t *position, uint64_t first) {
    const uint64_t low = position[1] + first, high = position[2] + (low < first);
    for (int k = 0; k < LANES; k++) {
        const uint64_t at = low + (uint64_t)k, above = high + (at < low);
        w->word[0][k] = (uint32_t)at;
        w->word[1][k] = (uint32_t)(at >> 32);
        w->word[2][k] = (uint32_t)above;
        w->word[3][k] = (uint32_t)(above >> 32);
    }
    uint32_t key0 = (uint32_t)position[0], key1 = (uint32_t)(position[0] >> 32);
    for (int round = 0; round < 10; round++) {
        for (int k = 0; k < LANES; k++) {
            const uint64_t a = (uint64_t)w->word[0][k] * 0xD2511F53u, b = (uint64_t)w->word[2][k] * 0xCD9E8D57u;
            w->word[0][k] = (uint32_t)(b >> 32) ^ w->word[1][k] ^ key0;
            w->word[1][k] = (uint32_t)b;
            w->word[2][k] = (uint32_t)(a >> 32) ^ w->word[3][k] ^ key1;
            w->word[3][k] = (uint32_t)a;
        }
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

typedef struct { float *out; const uint64_t *position; int64_t count, parts; } drawing;

static void uniform_part(void *context, int64_t part) {
    const drawing *d = context;
    const int64_t last = oc_bound(d->count, d->parts, part + 1, 4 * LANES);
    for (int64_t at = oc_bound(d->count, d->parts, part, 4 * LANES); at < last; at += 4 * LANES) {
        words w;
        float values[4 * LANES];
        draw(&w, d->position, (uint64_t)at / 4);
        for (int k = 0; k < LANES; k++)
            for (int q = 0; q < 4; q++) {
                // The low 23 bits are the fraction of a number in [1, 2).
                const uint32_t bits = (w.word[q][k] & 0x7FFFFFu) | 0x3F800000u;
                memcpy(&values[4 * k + q], &bits, sizeof bits);
            }
        const int64_t n = last - at < 4 * LANES ? last - at : 4 * LANES;
        for (int64_t k = 0; k < n; k++) d->out[at + k] = values[k] - 1.0f;
    }
}

// Buffers: result, position. i[0] elements. Uniform values in [0, 1).
OC_KERNEL(oc_random_uniform) {
    const int64_t count = in->i[0];
    drawing d = {OC_F32(0), (const uint64_t *)state->buffers[in->buf[1]], count, 1};
    d.parts = oc_parts(state->threads, (double)count * 1.0, count / (4 * LANES) + 1);
    oc_parallel(state->threads, d.parts, uniform_part, &d);
    return OC_OK;
}
