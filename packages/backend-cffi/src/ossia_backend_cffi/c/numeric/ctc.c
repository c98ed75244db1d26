// Connectionist temporal classification: how unlikely labels are, summed over all their places in time, and the gradient of that.
#include <stdint.h>
#include "arrays/direct.h"
#include "program/pool.h"
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A probability m * 2^e, 0.5 <= m < 1, or 0: those of whole sequences are far below what a double holds.
typedef struct { double m; int64_t e; } tiny;

static const tiny NEVER = {0.0, 0};

static double power_of_two(int64_t e) {
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static tiny normal(double m, int64_t e) {
    int moved;
    if (m == 0.0) return NEVER;
    m = frexp(m, &moved);
    return (tiny){m, e + moved};
}

static tiny either(tiny a, tiny b) {
    if (a.m == 0.0) return b;
    if (b.m == 0.0) return a;
    if (a.e < b.e) { const tiny other = a; a = b; b = other; }
    const int64_t below = a.e - b.e;
    if (below < 100) a.m += b.m * power_of_two(-below);
    return a;
}

typedef struct {
    const char *inputs;
    char *loss, *gradient;
    const int32_t *labels;
    const int64_t *starts, *lengths;
    int64_t times, batch, classes;
    int doubles, merge;
    atomic_int failed;
} ctc;

static double element(const char *at, int doubles, int64_t k) { return doubles ? ((const double *)at)[k] : (double)((const float *)at)[k]; }

static void put(char *at, int doubles, int64_t k, double value) {
    if (doubles) ((double *)at)[k] = value;
    else ((float *)at)[k] = (float)value;
}

// The probabilities of the classes, in the place of the gradient; those that are denormal are 0. Whether they are numbers.
static int probabilities(const ctc *of, const char *x, char *y) {
    const int64_t n = of->classes;
    const int doubles = of->doubles;
    double most = -INFINITY, sum = 0.0;
    for (int64_t k = 0; k < n; k++) {
        const double value = element(x, doubles, k);
        most = value > most ? value : most;
    }
    for (int64_t k = 0; k < n; k++) {
        const double value = element(x, doubles, k) - most, power = doubles ? exp(value) : (double)expf((float)value);
        put(y, doubles, k, power);
        sum += power;
    }
    for (int64_t k = 0; k < n; k++) {
        const double value = element(y, doubles, k) / sum;
        put(y, doubles, k, value < (doubles ? DBL_MIN : FLT_MIN) ? 0.0 : value);
    }
    return !isnan(sum);
}

// What leads to a state from the states before it, or after it (`step` -1): `own` is what is known of the state, `path` its class.
static tiny reached(const ctc *of, const tiny *own, const int64_t *path, int64_t s, int64_t states, int step) {
    const int64_t blank = of->classes - 1, one = s - step, two = s - 2 * step;
    tiny found = path[s] == blank || of->merge ? own[s] : NEVER;
    if (one >= 0 && one < states) found = either(found, own[one]);
    // Blanks between labels may be left out, but for equal labels that would be one.
    const int64_t to = step > 0 ? s : two;
    if (two >= 0 && two < states && path[to] != blank && !(of->merge && path[s] == path[two])) found = either(found, own[two]);
    return found;
}

// An example: frames, the path of its labels with blanks around them, and room for what leads to and from the states.
static double example(const ctc *of, int64_t b, int64_t frames, int64_t states, const int64_t *path, tiny *alpha, tiny *beta, double *row) {
    const int64_t width = of->classes, bytes = of->doubles ? 8 : 4;
    char *gradient = of->gradient + b * width * bytes;
    const int64_t stride = of->batch * width * bytes;
    for (int64_t t = 0; t < frames; t++) {
        const tiny *before = alpha + (t - 1) * states;
        tiny *now = alpha + t * states;
        for (int64_t s = 0; s < states; s++) {
            const tiny lead = !t ? (s < 2 ? (tiny){1.0, 0} : NEVER) : reached(of, before, path, s, states, 1);
            now[s] = normal(lead.m * element(gradient + t * stride, of->doubles, path[s]), lead.e);
        }
    }
    const tiny *last = alpha + (frames - 1) * states;
    const tiny ends = either(last[states - 1], last[states - 2]), total = normal(ends.m, ends.e);
    tiny *ahead = beta + states;  // after a frame, with what it gives to the states
    for (int64_t s = 0; s < states; s++) beta[s] = s >= states - 2 ? (tiny){1.0, 0} : NEVER;
    for (int64_t t = frames - 1; t >= 0; t--) {
        char *y = gradient + t * stride;
        for (int64_t k = 0; k < width; k++) row[k] = element(y, of->doubles, k);
        for (int64_t s = 0; s < states; s++) {
            const tiny a = alpha[t * states + s];
            ahead[s] = normal(beta[s].m * row[path[s]], beta[s].e);
            beta[s].m *= a.m;  // now what goes through the state
            beta[s].e += a.e - total.e;
        }
        for (int64_t s = 0; s < states && total.m != 0.0; s++)
            if (beta[s].m != 0.0 && beta[s].e > -1000) row[path[s]] -= ldexp(beta[s].m / total.m, (int)(beta[s].e < 8 ? beta[s].e : 8));
        for (int64_t k = 0; k < width; k++) put(y, of->doubles, k, row[k]);
        for (int64_t s = 0; s < states; s++) beta[s] = reached(of, ahead, path, s, states, -1);
    }
    return total.m == 0.0 ? INFINITY : -(log(total.m) + (double)total.e * 0.693147180559945309417);
}

static void ctc_part(void *context, int64_t b) {
    ctc *of = context;
    const int64_t frames = of->lengths[b], count = of->starts[b + 1] - of->starts[b], states = 2 * count + 1;
    const int64_t bytes = of->classes * (of->doubles ? 8 : 4);
    int numbers = 1;
    for (int64_t t = 0; t < of->times; t++) {
        const int64_t at = (t * of->batch + b) * bytes;
        if (t < frames) numbers &= probabilities(of, of->inputs + at, of->gradient + at);
        else memset(of->gradient + at, 0, (size_t)bytes);
    }
    if (!frames || !numbers) {
        for (int64_t t = 0; t < frames; t++)
            for (int64_t k = 0; k < of->classes; k++) put(of->gradient + (t * of->batch + b) * bytes, of->doubles, k, NAN);
        put(of->loss, of->doubles, b, frames ? NAN : 0.0);
        return;
    }
    size_t cells, size;
    if (__builtin_mul_overflow((size_t)frames + 2, (size_t)states, &cells) || __builtin_mul_overflow(cells, sizeof(tiny), &size)) size = SIZE_MAX / 2;
    tiny *alpha = malloc(size);
    int64_t *path = malloc((size_t)states * sizeof *path);
    double *row = malloc((size_t)of->classes * sizeof *row);
    if (!alpha || !path || !row) atomic_store(&of->failed, 1);
    else {
        for (int64_t s = 0; s < states; s++) path[s] = s % 2 ? of->labels[of->starts[b] + s / 2] : of->classes - 1;
        put(of->loss, of->doubles, b, example(of, b, frames, states, path, alpha, alpha + frames * states, row));
    }
    free(alpha);
    free(path);
    free(row);
}

// Of logits [times, batch, classes], the loss of each example and its gradient. The labels of example b begin at starts[b]; of its frames the
// first lengths[b] count, and without any its loss is 0.
int oc_ctc(int doubles, const char *inputs, const int64_t *sizes, const int32_t *labels, const int64_t *starts, const int64_t *lengths, int merge,
           int threads, char *loss, char *gradient) {
    const int64_t times = sizes[0], batch = sizes[1], classes = sizes[2], count = sizes[3];
    if (times < 1 || batch < 1 || classes < 2 || count < 0 || starts[0] != 0 || starts[batch] != count) return 1;
    double work = (double)times * (double)batch * (double)classes * 10.0;
    for (int64_t b = 0; b < batch; b++) {
        if (starts[b + 1] <= starts[b] || starts[b + 1] > count || lengths[b] < 0 || lengths[b] > times) return 1;
        work += (double)lengths[b] * (double)(starts[b + 1] - starts[b]) * 100.0;
    }
    for (int64_t k = 0; k < count; k++) if (labels[k] < 0 || labels[k] >= classes - 1) return 1;
    ctc of = {.inputs = inputs, .loss = loss, .gradient = gradient, .labels = labels, .starts = starts, .lengths = lengths,
              .times = times, .batch = batch, .classes = classes, .doubles = doubles, .merge = merge};
    if (oc_parts(threads, work, batch) > 1) oc_parallel(threads, batch, ctc_part, &of);
    else for (int64_t b = 0; b < batch; b++) ctc_part(&of, b);
    return atomic_load(&of.failed);
}
