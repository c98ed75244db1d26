// Groups of instructions that work image by image.
#include "images/image_groups.h"
#include "products/layer_stages.h"
#include <stdatomic.h>

const oc_member *const oc_members[] = {
    &oc_conv_member, &oc_conv_input_member, &oc_conv_filter_member, &oc_pool_member, &oc_max_pool_grad_member, &oc_avg_pool_grad_member,
    &oc_elementwise_member, &oc_sum_member, &oc_batch_moments_member, &oc_batch_scale_member, &oc_batch_products_member,
    &oc_batch_gradient_member, &oc_matmul_member, &oc_winograd_member, &oc_winograd_input_member, &oc_winograd_filter_member,
};

typedef struct {
    const oc_instr *in;
    const oc_state *state;
    int64_t count, n, step, parts;
    float *own;
    int64_t own_floats;
    atomic_uint_fast64_t taken;  // which threads' scratch is in use, by bit
} group;

static inline float *floats_at(const oc_state *state, int64_t at) { return (float *)state->scratch + 16 * at; }

static void prepare_part(void *context, int64_t part) {
    const group *g = context;
    const oc_instr *in = g->in + part / OC_PREPARED;
    const oc_member *m = oc_members[in->member.runs_as];
    if (m->prepare) m->prepare(in, g->state, floats_at(g->state, in->member.shared), part % OC_PREPARED, OC_PREPARED);
}

static void run_part(void *context, int64_t part) {
    group *g = context;
    const int slot = oc_take_slot(&g->taken);
    const int64_t first = oc_bound(g->n, g->parts, part, 1), last = oc_bound(g->n, g->parts, part + 1, 1);
    for (int64_t at = first; at < last; at += g->step)
        for (int64_t k = 0; k < g->count; k++) {
            const oc_instr *in = g->in + k;
            const oc_images_part p = {in, g->state, floats_at(g->state, in->member.shared), g->own + slot * g->own_floats, g->n, at,
                                      at + g->step < last ? at + g->step : last, part, at == first};
            oc_members[in->member.runs_as]->run(&p);
        }
    oc_free_slot(&g->taken, slot);
}

// The first instruction of a group. In the code table: members, images, images worked on at a time, chunks if there are sums over images
// (else 0), where the threads' scratch begins and how much one has (in 64 bytes), threads that there is scratch for, floats to be laid
// out (-1: rows of a batch), microseconds.
OC_KERNEL(oc_images) {
    const int32_t *p = state->code + in->member.group;
    group g = {.in = in, .state = state, .count = p[0], .n = p[1], .step = p[2], .parts = p[3], .own = floats_at(state, p[4]),
               .own_floats = 16 * (int64_t)p[5]};
    const int threads = state->threads < p[6] ? state->threads : p[6];
    if (p[7] < 0) {
        const oc_chain chain = {in, state, g.count, g.n, g.own, g.own_floats};
        oc_run_chain(&chain, threads, p[8]);
        return OC_OK;
    }
    oc_parallel(oc_parts(threads, p[7] * 0.3, OC_PREPARED) > 1 ? threads : 1, g.count * OC_PREPARED, prepare_part, &g);
    const int split = oc_parts(threads, p[8] * 1000.0, g.n) > 1;
    const int64_t chunks = g.parts;
    if (!chunks) g.parts = oc_parts(threads, p[8] * 1000.0, (g.n + g.step - 1) / g.step);
    oc_parallel(split ? threads : 1, g.parts, run_part, &g);
    for (int64_t k = 0; k < g.count; k++) {
        const oc_member *m = oc_members[in[k].member.runs_as];
        if (m->finish) m->finish(&in[k], state, floats_at(state, in[k].member.shared), chunks);
    }
    return OC_OK;
}

// The others of a group: the first has run them.
OC_KERNEL(oc_grouped) {
    (void)in;
    (void)state;
    return OC_OK;
}

typedef struct {
    const oc_instr *in;
    const oc_state *state;
    const int32_t *lengths;
    int64_t own;                 // bytes of scratch of a thread
    atomic_uint_fast64_t taken;  // which threads' scratch is in use, by bit
    atomic_int error;
} chains;

static void run_chain(void *context, int64_t part) {
    chains *c = context;
    const int slot = oc_take_slot(&c->taken);
    oc_state state = *c->state;
    state.threads = 1;
    state.scratch += slot * c->own;
    const oc_instr *in = c->in;
    for (int64_t k = 0; k < part; k++) in += c->lengths[k];
    for (int64_t k = 0; k < c->lengths[part]; k++, in++) {
        const int error = oc_kernels[in->member.runs_as](in, &state);
        if (error) atomic_store_explicit(&c->error, error, memory_order_relaxed);
    }
    oc_free_slot(&c->taken, slot);
}

// The first of several chains of instructions that do not depend on each other. In the code table: chains, how much scratch a thread has (in
// 64 bytes), threads that there is scratch for, instructions of each chain. Each runs as `member.runs_as`.
OC_KERNEL(oc_together) {
    const int32_t *p = state->code + in->member.group;
    chains c = {.in = in, .state = state, .lengths = p + 3, .own = 64 * (int64_t)p[1]};
    if (!oc_parallel_briefly(state->threads < p[2] ? state->threads : p[2], p[0], run_chain, &c)) oc_parallel(1, p[0], run_chain, &c);
    return atomic_load_explicit(&c.error, memory_order_relaxed);
}

typedef struct { const oc_instr *in; const oc_state *state; const oc_member *member; int64_t images; } alone;

static void one_image(void *context, int64_t n) {
    const alone *a = context;
    const oc_images_part p = {a->in, a->state, (float *)a->state->scratch, NULL, a->images, n, n + 1, 0, 0};
    a->member->run(&p);
}

int oc_each_image(const oc_instr *in, const oc_state *state, const oc_member *member, int64_t n, double cost) {
    alone a = {in, state, member, n};
    oc_parallel(oc_parts(state->threads, cost * (double)n, n) > 1 ? state->threads : 1, n, one_image, &a);
    if (member->finish) member->finish(in, state, (const float *)state->scratch, 0);
    return OC_OK;
}

typedef struct { float *d; const float *sums; int64_t size, chunks, parts; } addition;

OC_CLONES static void add_range(const addition *a, int64_t first, int64_t last) {
    for (int64_t k = first; k < last; k++) a->d[k] = a->sums[k];
    for (int64_t q = 1; q < a->chunks; q++)
        for (int64_t k = first; k < last; k++) a->d[k] += a->sums[q * a->size + k];
}

static void add_part(void *context, int64_t part) {
    const addition *a = context;
    const int64_t last = oc_bound(a->size, a->parts, part + 1, 16);
    for (int64_t at = oc_bound(a->size, a->parts, part, 16); at < last; at += 4096) add_range(a, at, at + 4096 < last ? at + 4096 : last);
}

void oc_add_chunks(int threads, float *d, const float *sums, int64_t size, int64_t chunks) {
    addition a = {d, sums, size, chunks, oc_parts(threads, (double)(size * chunks) * 0.2, 64)};
    oc_parallel(threads, a.parts, add_part, &a);
}
