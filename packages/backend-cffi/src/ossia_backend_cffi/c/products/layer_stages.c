// Layers are cut into stages, one for each thread, and the rows of the batch into a few parts, which pass from stage to stage: while one
// thread takes a part through its layers, the next has the part before. So weights stay in the cache of the core that has them,
// where their gradients and updates find them too; from core to core go only the rows at the border of two stages.
#include "products/layer_stages.h"
#include <stdatomic.h>

enum {
    MOST_STAGES = 16,
    MOST_PARTS = 16,
    FEWEST_ROWS = 8,      // of a part
    STAGE_COST = 12,      // microseconds that a stage should take at least
    PATIENCE = 100,       // looks before a thread takes over what another has not begun
    LONG_PATIENCE = 1000, // or what it is slow with
};
enum { WAITING, AT_WORK, READY };

typedef struct {
    const oc_chain *chain;
    int stages, parts, turned;
    int first[MOST_STAGES + 1];            // member that each stage begins with
    atomic_int started[MOST_STAGES];       // whether its own thread is there
    atomic_int prepared[MOST_STAGES];      // whether its weights are laid out
    atomic_int taken[MOST_STAGES];         // parts of the rows that have been taken through it, or are
    atomic_uint done[MOST_STAGES];         // those that are through, by bit
    atomic_uint_fast64_t slots;            // which threads' scratch is in use, by bit
} pipeline;

static inline void look_again(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static inline float *floats_at(const oc_chain *c, int64_t at) { return (float *)c->state->scratch + 16 * at; }

static int64_t work_of(const oc_instr *in) {
    return oc_members[in->member.runs_as] == &oc_matmul_member ? in->matmul.m * in->matmul.n * in->matmul.k : 16 * in->chain.elements;
}

static void prepare(pipeline *p, int stage) {
    int found = WAITING;
    if (atomic_compare_exchange_strong_explicit(&p->prepared[stage], &found, AT_WORK, memory_order_relaxed, memory_order_relaxed)) {
        for (int k = p->first[stage]; k < p->first[stage + 1]; k++) {
            const oc_instr *in = p->chain->in + k;
            const oc_member *m = oc_members[in->member.runs_as];
            if (m->prepare) m->prepare(in, p->chain->state, floats_at(p->chain, in->member.shared), 0, 1);
        }
        atomic_store_explicit(&p->prepared[stage], READY, memory_order_release);
    } else while (atomic_load_explicit(&p->prepared[stage], memory_order_acquire) != READY) look_again();
}

// Takes the next part of the rows through a stage if the stage before is done with it, and nobody else has it.
static int advance(pipeline *p, int stage, float *own) {
    int part = atomic_load_explicit(&p->taken[stage], memory_order_relaxed);
    if (part >= p->parts) return 0;
    if (stage && !(atomic_load_explicit(&p->done[stage - 1], memory_order_acquire) >> part & 1)) return 0;
    if (!atomic_compare_exchange_strong_explicit(&p->taken[stage], &part, part + 1, memory_order_relaxed, memory_order_relaxed)) return 0;
    prepare(p, stage);
    const oc_chain *c = p->chain;
    const int64_t first = oc_bound(c->rows, p->parts, part, 1), last = oc_bound(c->rows, p->parts, part + 1, 1);
    for (int k = p->first[stage]; k < p->first[stage + 1]; k++) {
        const oc_instr *in = c->in + k;
        const oc_images_part rows = {in, c->state, floats_at(c, in->member.shared), own, c->rows, first, last, 0, 0};
        oc_members[in->member.runs_as]->run(&rows);
    }
    atomic_fetch_or_explicit(&p->done[stage], 1u << part, memory_order_release);
    return 1;
}

static void run_stage(void *context, int64_t number) {
    pipeline *p = context;
    // Weights that the layers before this one follow in the first half of a step have the first threads, whichever way rows pass.
    const int stage = p->turned ? p->stages - 1 - (int)number : (int)number, slot = oc_take_slot(&p->slots);
    float *own = p->chain->own + slot * p->chain->own_floats;
    atomic_store_explicit(&p->started[stage], 1, memory_order_relaxed);
    prepare(p, stage);
    for (int looks = 0; atomic_load_explicit(&p->taken[stage], memory_order_relaxed) < p->parts; looks++) {
        if (advance(p, stage, own)) looks = 0;
        else look_again();
        if (looks < PATIENCE) continue;
        // What this stage waits for may lie with a thread that is not there, or has no core to run on.
        for (int other = 0; other < stage; other++)
            if ((looks > LONG_PATIENCE || !atomic_load_explicit(&p->started[other], memory_order_relaxed)) && advance(p, other, own)) break;
    }
    oc_free_slot(&p->slots, slot);
}

static void run_alone(const oc_chain *c) {
    for (int64_t k = 0; k < c->count; k++) {
        const oc_images_part rows = {c->in + k, c->state, NULL, c->own, c->rows, 0, c->rows, 0, 0};
        oc_members[c->in[k].member.runs_as]->run(&rows);
    }
}

void oc_run_chain(const oc_chain *c, int threads, int64_t cost) {
    const int64_t least[] = {cost / STAGE_COST, MOST_STAGES, c->count, c->rows / FEWEST_ROWS};
    int64_t stages = threads;
    for (int k = 0; k < 4; k++) if (stages > least[k]) stages = least[k];
    if (stages < 2) { run_alone(c); return; }
    const int64_t parts = c->rows / FEWEST_ROWS;
    pipeline p = {.chain = c, .stages = (int)stages, .parts = (int)(parts < MOST_PARTS ? parts : MOST_PARTS)};
    int64_t all = 0, before = 0;
    for (int64_t k = 0; k < c->count; k++) {
        all += work_of(c->in + k);
        p.turned |= oc_members[c->in[k].member.runs_as] == &oc_matmul_member && c->in[k].matmul.tb;
    }
    int stage = 0;
    for (int64_t k = 0; k < c->count; k++) {
        // A stage begins with the first member whose middle lies behind the share of those before; each gets one at least.
        const int64_t work = work_of(c->in + k), left = c->count - k;
        const int begins = (before + work / 2) * stages >= all * (stage + 1) || left <= stages - 1 - stage;
        if (stage + 1 < stages && k > p.first[stage] && begins) p.first[++stage] = (int)k;
        before += work;
    }
    p.first[stages] = (int)c->count;
    if (!oc_parallel_briefly(threads, stages, run_stage, &p)) run_alone(c);
}
