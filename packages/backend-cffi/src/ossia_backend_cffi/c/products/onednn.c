// oneDNN through the functions of its C interface, which are looked up at run time. The work is cut in parts that follow from the sizes
// alone: the pool's threads take one after the other, each of them OpenMP's only thread while it is inside, so that the library starts none of
// its own, and results do not depend on the number of threads.
#include "products/onednn.h"
#include "images/image_groups.h"
#include "program/program.h"
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__linux__)
#include <dlfcn.h>

// -- what is used of the library's interface ------------------------------------------------------------------------------------------

enum { MAJOR = 3, MINOR = 2 };  // the version whose functions these are
enum { CPU = 1, IN_ORDER = 1, F32 = 3, ANY_LAYOUT = 1, TRAINING = 64, DIRECT = 1, OF_USER = 1 };
enum { WEIGHTS_MD = 131, SCRATCHPAD_MD = 136 };
enum { SRC = 1, DST = 17, WEIGHTS = 33, SCRATCHPAD = 80, DIFF_SRC = 129, DIFF_DST = 145 };
enum { DIMS = 12 };

typedef void *handle;  // each kind of object of the library has its own type there
typedef struct { int name; handle memory; } argument;
typedef struct { int major, minor, patch; const char *hash; unsigned cpu, gpu; } version;

static struct {
    const version *(*version)(void);
    int (*engine_create)(handle *, int, size_t);
    int (*stream_create)(handle *, handle, unsigned);
    int (*stream_destroy)(handle);
    int (*md_create_with_strides)(handle *, int, const int64_t *, int, const int64_t *);
    int (*md_create_with_tag)(handle *, int, const int64_t *, int, int);
    int (*md_clone)(handle *, handle);
    int (*md_destroy)(handle);
    int (*md_equal)(handle, handle);
    size_t (*md_get_size)(handle);
    int (*memory_create)(handle *, handle, handle, void *);
    int (*memory_destroy)(handle);
    int (*attr_create)(handle *);
    int (*attr_set_scratchpad_mode)(handle, int);
    handle (*pd_query_md)(handle, int, int);
    int (*pd_destroy)(handle);
    int (*forward)(handle *, handle, int, int, handle, handle, handle, handle, const int64_t *, const int64_t *, const int64_t *,
                   const int64_t *, handle);
    int (*backward_data)(handle *, handle, int, handle, handle, handle, const int64_t *, const int64_t *, const int64_t *, const int64_t *,
                         handle, handle);
    int (*matmul)(handle *, handle, handle, handle, handle, handle, handle);
    int (*reorder)(handle *, handle, handle, handle, handle, handle);
    int (*primitive_create)(handle *, handle);
    int (*primitive_destroy)(handle);
    int (*primitive_execute)(handle, handle, int, const argument *);
    int (*omp_get_max_threads)(void);
    void (*omp_set_num_threads)(int);
} lib;

static handle engine, attributes;  // there once the library is loaded

static int look_up(handle library) {
    const struct { const char *name; void *function; } wanted[] = {
        {"dnnl_version", &lib.version}, {"dnnl_engine_create", &lib.engine_create}, {"dnnl_stream_create", &lib.stream_create},
        {"dnnl_stream_destroy", &lib.stream_destroy}, {"dnnl_memory_desc_create_with_strides", &lib.md_create_with_strides},
        {"dnnl_memory_desc_create_with_tag", &lib.md_create_with_tag}, {"dnnl_memory_desc_clone", &lib.md_clone},
        {"dnnl_memory_desc_destroy", &lib.md_destroy}, {"dnnl_memory_desc_equal", &lib.md_equal},
        {"dnnl_memory_desc_get_size", &lib.md_get_size}, {"dnnl_memory_create", &lib.memory_create},
        {"dnnl_memory_destroy", &lib.memory_destroy}, {"dnnl_primitive_attr_create", &lib.attr_create},
        {"dnnl_primitive_attr_set_scratchpad_mode", &lib.attr_set_scratchpad_mode},
        {"dnnl_primitive_desc_query_md", &lib.pd_query_md},
        {"dnnl_primitive_desc_destroy", &lib.pd_destroy}, {"dnnl_convolution_forward_primitive_desc_create", &lib.forward},
        {"dnnl_convolution_backward_data_primitive_desc_create", &lib.backward_data},
        {"dnnl_matmul_primitive_desc_create", &lib.matmul}, {"dnnl_reorder_primitive_desc_create", &lib.reorder},
        {"dnnl_primitive_create", &lib.primitive_create}, {"dnnl_primitive_destroy", &lib.primitive_destroy},
        {"dnnl_primitive_execute", &lib.primitive_execute}, {"omp_get_max_threads", &lib.omp_get_max_threads},
        {"omp_set_num_threads", &lib.omp_set_num_threads},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        void *found = dlsym(library, wanted[k].name);
        if (!found) return 0;
        memcpy(wanted[k].function, &found, sizeof found);
    }
    return 1;
}

int oc_dnn_open(const char *path) {
    if (engine) return 0;
    handle library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 1;
    int wrong = look_up(library) ? 0 : 2;
    if (!wrong) {
        const version *v = lib.version();
        if (!v || v->major != MAJOR || v->minor != MINOR) wrong = 3;
    }
    if (!wrong && (lib.attr_create(&attributes) || lib.attr_set_scratchpad_mode(attributes, OF_USER) || lib.engine_create(&engine, CPU, 0))) {
        engine = NULL;
        wrong = 4;
    }
    if (wrong) dlclose(library);
    return wrong;
}

// -- making -----------------------------------------------------------------------------------------------------------------------------

// What a part of the work is: so many images or rows of a product; of images, bands of rows with what is to be added above and below.
typedef struct { int64_t count, in_rows, out_rows, above, below; } extent;

typedef struct {
    extent size;
    int64_t in_at, out_at;  // where it begins, in bytes
    handle primitive, in, out, scratchpad;
    int shared;             // whether these belong to the part before, which is of the same size
} piece;

struct oc_dnn {
    int kind;
    handle plain, wanted;         // the weights as they are, and as the library wants them
    handle reorder, reorder_own;  // what takes them there if they differ, and the description of its scratch
    int64_t weights_bytes, own_bytes;  // of the weights as wanted, and of the scratch of a part
    double cost;                  // in nanoseconds
    int64_t parts;
    piece piece[];
};

static int enter(void) {
    const int before = lib.omp_get_max_threads();
    lib.omp_set_num_threads(1);
    return before;
}

static void leave(int before) { lib.omp_set_num_threads(before); }

// An array whose dimensions lie in memory in this order, the last one densely. NULL if the library declines.
static handle dense(int rank, const int64_t *dims, const int *order) {
    int64_t steps[DIMS] = {0}, step = 1, all[DIMS] = {0};
    for (int k = rank - 1; k >= 0; k--) { steps[order[k]] = step; step *= dims[order[k]]; }
    memcpy(all, dims, (size_t)rank * sizeof *dims);
    handle md = NULL;
    return lib.md_create_with_strides(&md, rank, all, F32, steps) ? NULL : md;
}

static handle images(int64_t n, int64_t h, int64_t w, int64_t c) {
    return dense(4, (int64_t[]){n, c, h, w}, (int[]){0, 2, 3, 1});
}

// The bytes of an array, rounded up so that the next one begins with a line of the cache.
static int64_t bytes_of(handle md) { return ((int64_t)lib.md_get_size(md) + 63) / 64 * 64; }

// What a primitive needs besides its operands; not 0 if there is no memory.
static int note_scratchpad(oc_dnn *d, handle *md, handle pd) {
    handle found = lib.pd_query_md(pd, SCRATCHPAD_MD, 0);
    if (!found || lib.md_clone(md, found)) return 1;
    const int64_t own = bytes_of(found);
    if (own > d->own_bytes) d->own_bytes = own;
    return 0;
}

static int64_t above_zero(int64_t n) { return n > 0 ? n : 0; }

// The part that computes rows [first, last) of an image, and where it begins. Not 0 if it would read nothing.
static int band(const oc_dnn *d, const oc_geometry *g, int64_t first, int64_t last, piece *p, int64_t *in_row, int64_t *out_row) {
    const int64_t reach = (g->kh - 1) * g->dh + 1;
    if (d->kind == OC_DNN_FORWARD) {
        const int64_t start = first * g->sh - g->ph, end = (last - 1) * g->sh + reach - g->ph;
        *in_row = above_zero(start);
        *out_row = first;
        p->size = (extent){p->size.count, (end < g->h ? end : g->h) - *in_row, last - first, above_zero(-start), above_zero(end - g->h)};
    } else {
        // The windows that these rows of the image are in.
        const int64_t begin = above_zero(first + g->ph - reach + g->sh) / g->sh, after = (last - 1 + g->ph) / g->sh + 1;
        const int64_t end = after < g->oh ? after : g->oh, above = first + g->ph - begin * g->sh;
        *in_row = first;
        *out_row = begin;
        p->size = (extent){p->size.count, last - first, end - begin, above, above_zero((end - begin - 1) * g->sh + reach - above - last + first)};
    }
    return p->size.in_rows < 1 || p->size.out_rows < 1 || p->size.above < 0;
}

// Describes the work of a part on arrays of these descriptions.
static int describe(const oc_dnn *d, const oc_instr *in, const piece *p, handle weights, handle *pd) {
    if (d->kind == OC_DNN_PRODUCT) return lib.matmul(pd, engine, p->in, weights, NULL, p->out, attributes);
    const oc_geometry g = in->geometry;
    const int64_t strides[DIMS] = {g.sh, g.sw}, dilations[DIMS] = {g.dh - 1, g.dw - 1}, before[DIMS] = {p->size.above, g.pw};
    const int64_t after[DIMS] = {p->size.below, above_zero((g.ow - 1) * g.sw + (g.kw - 1) * g.dw + 1 - g.w - g.pw)};
    handle forward = NULL;
    int error = lib.forward(&forward, engine, TRAINING, DIRECT, p->in, weights, NULL, p->out, strides, dilations, before, after, attributes);
    if (error || d->kind == OC_DNN_FORWARD) { *pd = forward; return error; }
    error = lib.backward_data(pd, engine, DIRECT, p->in, weights, p->out, strides, dilations, before, after, forward, attributes);
    lib.pd_destroy(forward);
    return error;
}

// The first part asks for a layout of the weights, the others get the same.
static int make_part(oc_dnn *d, const oc_instr *in, piece *p, handle weights) {
    const piece *before = p - 1;
    if (d->wanted && !memcmp(&p->size, &before->size, sizeof p->size)) {
        p->shared = 1;
        p->primitive = before->primitive; p->in = before->in; p->out = before->out; p->scratchpad = before->scratchpad;
        return 0;
    }
    if (d->kind == OC_DNN_PRODUCT) {
        const int64_t m = in->matmul.m, n = in->matmul.n, k = in->matmul.k;
        // The rows of a turned factor lie as far from each other as before.
        const int64_t dims[DIMS] = {p->size.count, k}, steps[DIMS] = {in->matmul.ta ? 1 : k, in->matmul.ta ? m : 1};
        if (lib.md_create_with_strides(&p->in, 2, dims, F32, steps)) return 1;
        p->out = dense(2, (int64_t[]){p->size.count, n}, (int[]){0, 1});
    } else {
        p->in = images(p->size.count, p->size.in_rows, in->geometry.w, in->geometry.c);
        p->out = images(p->size.count, p->size.out_rows, in->geometry.ow, in->conv.co);
    }
    handle pd = NULL;
    if (!p->in || !p->out || describe(d, in, p, d->wanted ? d->wanted : weights, &pd)) return 1;
    handle wanted = lib.pd_query_md(pd, WEIGHTS_MD, 0);
    const int error = !wanted || note_scratchpad(d, &p->scratchpad, pd) || (!d->wanted && lib.md_clone(&d->wanted, wanted)) ||
                      lib.primitive_create(&p->primitive, pd);
    lib.pd_destroy(pd);
    return error;
}

static int make(oc_dnn *d, const oc_instr *in, int64_t blocks, int64_t bands) {
    const int product = d->kind == OC_DNN_PRODUCT, rank = product ? 2 : 4, turned = product && in->matmul.tb;
    const oc_geometry g = product ? (oc_geometry){.n = in->matmul.m} : in->geometry;
    const int64_t dims[DIMS] = {product ? in->matmul.k : in->conv.co, product ? in->matmul.n : g.c, g.kh, g.kw};
    d->plain = product ? dense(2, dims, turned ? (int[]){1, 0} : (int[]){0, 1}) : dense(4, dims, (int[]){2, 3, 1, 0});
    handle weights = NULL;
    if (!d->plain || lib.md_create_with_tag(&weights, rank, dims, F32, ANY_LAYOUT)) return 1;
    const int64_t in_row = product ? 0 : g.w * g.c, out_row = product ? 0 : g.ow * in->conv.co;
    const int64_t in_floats = !product ? g.h * in_row : in->matmul.ta ? 1 : in->matmul.k, out_floats = product ? in->matmul.n : g.oh * out_row;
    d->cost = (double)g.n * (double)out_floats * (double)(product ? in->matmul.k : g.kh * g.kw * g.c) / 50.0;
    int error = 0;
    for (int64_t k = 0; k < d->parts && !error; k++) {
        piece *p = &d->piece[k];
        const int64_t first = oc_bound(g.n, blocks, k / bands, 1), rows = d->kind == OC_DNN_FORWARD ? g.oh : g.h;
        int64_t in_at = 0, out_at = 0;
        p->size = (extent){oc_bound(g.n, blocks, k / bands + 1, 1) - first, g.h, g.oh, g.ph,
                           above_zero((g.oh - 1) * g.sh + (g.kh - 1) * g.dh + 1 - g.h - g.ph)};
        if (bands > 1)
            error = band(d, &g, oc_bound(rows, bands, k % bands, 1), oc_bound(rows, bands, k % bands + 1, 1), p, &in_at, &out_at);
        error = error || make_part(d, in, p, weights);
        p->in_at = (first * in_floats + in_at * in_row) * (int64_t)sizeof(float);
        p->out_at = (first * out_floats + out_at * out_row) * (int64_t)sizeof(float);
    }
    lib.md_destroy(weights);
    if (error) return 1;
    if (lib.md_equal(d->plain, d->wanted)) return 0;
    d->weights_bytes = bytes_of(d->wanted);
    handle pd = NULL;
    if (lib.reorder(&pd, d->plain, engine, d->wanted, engine, attributes)) return 1;
    error = note_scratchpad(d, &d->reorder_own, pd) || lib.primitive_create(&d->reorder, pd);
    lib.pd_destroy(pd);
    return error;
}

oc_dnn *oc_dnn_make(int kind, const oc_instr *in, int64_t blocks, int64_t bands) {
    oc_dnn *d = engine ? calloc(1, sizeof *d + (size_t)(blocks * bands) * sizeof(piece)) : NULL;
    if (!d) return NULL;
    d->kind = kind;
    d->parts = blocks * bands;
    const int before = enter();
    const int error = make(d, in, blocks, bands);
    leave(before);
    if (!error) return d;
    oc_dnn_free(d);
    return NULL;
}

void oc_dnn_free(oc_dnn *d) {
    for (int64_t k = 0; k < d->parts; k++) {
        piece *p = &d->piece[k];
        if (p->shared) continue;
        if (p->primitive) lib.primitive_destroy(p->primitive);
        if (p->in) lib.md_destroy(p->in);
        if (p->out) lib.md_destroy(p->out);
        if (p->scratchpad) lib.md_destroy(p->scratchpad);
    }
    if (d->reorder) lib.primitive_destroy(d->reorder);
    if (d->reorder_own) lib.md_destroy(d->reorder_own);
    if (d->plain) lib.md_destroy(d->plain);
    if (d->wanted) lib.md_destroy(d->wanted);
    free(d);
}

// The weights as wanted, then every part's own.
int64_t oc_dnn_scratch(const oc_dnn *d) { return d->weights_bytes + d->own_bytes * d->parts; }

// -- running ----------------------------------------------------------------------------------------------------------------------------

typedef struct { int name; handle md; void *data; } operand;

// Runs a primitive on this thread; not 0 if it fails. Memory objects are made anew: several runs may be under way.
static int execute(handle primitive, int count, const operand *operands) {
    argument arguments[4];
    handle stream = NULL;
    int made = 0, error = 0;
    const int before = enter();
    while (made < count && !error) {
        arguments[made].name = operands[made].name;
        error = lib.memory_create(&arguments[made].memory, operands[made].md, engine, operands[made].data);
        made += !error;
    }
    if (!error) error = lib.stream_create(&stream, engine, IN_ORDER);
    if (!error) error = lib.primitive_execute(primitive, stream, count, arguments);
    if (stream) lib.stream_destroy(stream);
    while (made) lib.memory_destroy(arguments[--made].memory);
    leave(before);
    return error;
}

typedef struct {
    const oc_dnn *d;
    char *in, *out, *weights, *own;
    atomic_int failed;
} work;

static void run_part(void *context, int64_t part) {
    work *w = context;
    const oc_dnn *d = w->d;
    const piece *p = &d->piece[part];
    const int gradient = d->kind == OC_DNN_INPUT;
    const operand operands[] = {
        {gradient ? DIFF_SRC : SRC, p->in, w->in + p->in_at},
        {WEIGHTS, d->wanted, w->weights},
        {gradient ? DIFF_DST : DST, p->out, w->out + p->out_at},
        {SCRATCHPAD, p->scratchpad, w->own + part * d->own_bytes},
    };
    if (execute(p->primitive, 4, operands)) atomic_store_explicit(&w->failed, 1, memory_order_relaxed);
}

OC_CLONES static int are_finite(const int32_t *bits, int64_t count) {
    int found = 0;
    for (int64_t k = 0; k < count; k++) found |= (bits[k] & 0x7f800000) == 0x7f800000;
    return !found;
}

static int run(const oc_dnn *d, const oc_instr *in, const oc_state *state) {
    char *const *buffers = state->buffers;
    work w = {.d = d, .own = state->scratch + d->weights_bytes};
    if (d->kind == OC_DNN_INPUT) {
        w.in = buffers[in->conv_input.out];
        w.weights = buffers[in->conv_input.filter];
        w.out = buffers[in->conv_input.grad];
    } else if (d->kind == OC_DNN_PRODUCT) {
        w.in = buffers[in->matmul.a];
        w.weights = buffers[in->matmul.b];
        w.out = buffers[in->matmul.out];
    } else {
        w.in = buffers[in->conv.x];
        w.weights = buffers[in->conv.filter];
        w.out = buffers[in->conv.out];
    }
    // The library leaves out the border, where zeros times weights that are not finite make NaN.
    if (d->kind == OC_DNN_FORWARD && !are_finite((const int32_t *)w.weights, (int64_t)(lib.md_get_size(d->plain) / sizeof(float)))) return 1;
    if (d->reorder) {
        const operand operands[] = {{SRC, d->plain, w.weights}, {DST, d->wanted, state->scratch}, {SCRATCHPAD, d->reorder_own, w.own}};
        if (execute(d->reorder, 3, operands)) return 1;
        w.weights = state->scratch;
    }
    oc_parallel(oc_parts(state->threads, d->cost, d->parts) > 1 ? state->threads : 1, d->parts, run_part, &w);
    return atomic_load_explicit(&w.failed, memory_order_relaxed);
}

#else  // only the wheel for Linux is known

struct oc_dnn { int unused; };
int oc_dnn_open(const char *path) { (void)path; return 1; }
oc_dnn *oc_dnn_make(int kind, const oc_instr *in, int64_t blocks, int64_t bands) {
    (void)kind; (void)in; (void)blocks; (void)bands;
    return NULL;
}
void oc_dnn_free(oc_dnn *d) { (void)d; }
int64_t oc_dnn_scratch(const oc_dnn *d) { (void)d; return 0; }
static int run(const oc_dnn *d, const oc_instr *in, const oc_state *state) { (void)d; (void)in; (void)state; return 1; }
#endif

OC_KERNEL(oc_onednn) {
    const oc_dnn *d = (const oc_dnn *)(intptr_t)in->library.made;
    return run(d, in, state) ? oc_kernels[in->library.kernel_number](in, state) : OC_OK;
}
