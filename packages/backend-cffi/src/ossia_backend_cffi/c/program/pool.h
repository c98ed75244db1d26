// Threads that share the work of one instruction. One pool serves the whole process; its threads start when work is first
// split, and again after a fork.
#ifndef OSSIA_POOL_H
#define OSSIA_POOL_H

#include <stdint.h>

enum { OC_MAX_THREADS = 64 };

// Does part number `part` of what `context` describes.
typedef void (*oc_work)(void *context, int64_t part);

// Runs all `parts` of a piece of work on the calling thread and up to `threads` - 1 others, and returns when they are done.
// Which thread does which part is open, so that parts must not depend on each other, and their number and extent must not
// depend on `threads` where rounding would show it. May be called from several threads at once.
void oc_parallel(int threads, int64_t parts, oc_work work, void *context);

// The same for work of some tens of microseconds. Where other programs keep the cores busy, a helper often comes when such work is over,
// or loses its core in the middle of it: then pieces that follow are kept from the helpers. Returns 0 in that case, and if there is
// only one thread to do it: nothing has been done then, and the caller does it in the way that is best for one thread.
int oc_parallel_briefly(int threads, int64_t parts, oc_work work, void *context);

// Into how many parts work of `cost` nanoseconds is worth splitting: at most `most`, 1 if it should stay on one thread.
static inline int64_t oc_parts(int threads, double cost, int64_t most) {
    if (threads < 2 || cost < 20000.0) return 1;
    const double pieces = cost / 10000.0, limit = 8.0 * threads;
    int64_t parts = (int64_t)(pieces < limit ? pieces : limit);
    if (parts > most) parts = most;
    return parts < 1 ? 1 : parts;
}

// Where part `part` of `parts` begins among `total` items, in steps of `step` items.
static inline int64_t oc_bound(int64_t total, int64_t parts, int64_t part, int64_t step) {
    const int64_t steps = (total + step - 1) / step;
    const int64_t at = (steps / parts * part + (steps % parts * part) / parts) * step;
    return at < total ? at : total;
}

#endif
