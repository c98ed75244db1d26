// Instructions that work image by image, one after the other on the same images while these are in the second-level cache: a convolution,
// the elementwise chain behind it, the pooling behind that. Together they are one piece of work; threads share the images.
#ifndef OSSIA_IMAGES_H
#define OSSIA_IMAGES_H

#include "program/program.h"
#include <stdatomic.h>
#include <string.h>

enum { OC_PREPARED = 8 };  // parts that a member's preparation is split into

typedef struct {
    const oc_instr *in;
    const oc_state *state;
    float *shared;          // what `prepare` made for all images, then the sums of chunks
    float *own;             // scratch of this thread
    int64_t images;         // of the group
    int64_t first, last;    // those to be worked on
    int64_t chunk;          // for sums over images, in which one these are
    int fresh;              // whether they are the first of the chunk
} oc_images_part;

typedef struct {
    void (*prepare)(const oc_instr *, const oc_state *, float *shared, int64_t part, int64_t parts);
    void (*run)(const oc_images_part *);
    void (*finish)(const oc_instr *, const oc_state *, const float *shared, int64_t chunks);
} oc_member;

// In the order of `_MEMBERS` in image_groups.py; `member.runs_as` is one of these.
extern const oc_member oc_conv_member, oc_conv_input_member, oc_conv_filter_member, oc_pool_member, oc_max_pool_grad_member,
    oc_avg_pool_grad_member, oc_elementwise_member, oc_sum_member, oc_batch_moments_member, oc_batch_scale_member,
    oc_batch_products_member, oc_batch_gradient_member, oc_matmul_member, oc_winograd_member, oc_winograd_input_member,
    oc_winograd_filter_member;

// A thread's part of the scratch: the first that no other uses, by the bits of `slots`; there are as many as threads.
static inline int oc_take_slot(atomic_uint_fast64_t *slots) {
    for (;;) {
        uint_fast64_t taken = atomic_load_explicit(slots, memory_order_relaxed);
        const int slot = __builtin_ctzll(~taken);
        if (atomic_compare_exchange_weak_explicit(slots, &taken, taken | (uint_fast64_t)1 << slot, memory_order_acquire,
                                                  memory_order_relaxed)) return slot;
    }
}

static inline void oc_free_slot(atomic_uint_fast64_t *slots, int slot) {
    atomic_fetch_and_explicit(slots, ~((uint_fast64_t)1 << slot), memory_order_release);
}

// A member by itself: every one of `n` images is a part of the work, of `cost` nanoseconds; what images share lies at the start of the scratch.
int oc_each_image(const oc_instr *in, const oc_state *state, const oc_member *member, int64_t n, double cost);

// The images with a border of zeros, so that windows never leave them: in scratch, unless they need none; `*h` and `*w` become the distances
// between rows and images.
const float *oc_bordered(int threads, float *scratch, const float *images, int64_t n, int64_t *h, int64_t *w, int64_t c, int64_t before_y,
                         int64_t before_x, int64_t all_h, int64_t all_w);

// The gradient of `n` images without a border: what each pixel of the gradient adds to the pixels of its window.
void oc_spread_windows(const oc_geometry *g, int64_t co, int64_t n, const float *grad, const float *filter, float *out);

// d[size] = the sum of `chunks` such rows of `sums`, added in order.
void oc_add_chunks(int threads, float *d, const float *sums, int64_t size, int64_t chunks);

#endif
