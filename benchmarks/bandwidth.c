// How fast this machine copies floats: each thread copies a part of its own, again and again; the best round counts.
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

typedef struct { char *to; const char *from; size_t bytes; pthread_barrier_t *start; } part;

static void *copy(void *context) {
    const part *p = context;
    pthread_barrier_wait(p->start);
    memcpy(p->to, p->from, p->bytes);
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Bytes per second, read and written, of copying `bytes` bytes on `threads` (at most 64) threads, the best of `rounds`.
double copy_bandwidth(char *to, const char *from, int64_t bytes, int threads, int rounds) {
    double best = 0.0;
    if (threads > 64) threads = 64;
    while (rounds--) {
        pthread_t thread[64];
        part parts[64];
        pthread_barrier_t start;
        pthread_barrier_init(&start, NULL, (unsigned)threads + 1);
        const int64_t share = bytes / threads;
        for (int k = 0; k < threads; k++) {
            parts[k] = (part){to + k * share, from + k * share, (size_t)share, &start};
            if (pthread_create(thread + k, NULL, copy, parts + k)) return 0.0;
        }
        const double began = now();
        pthread_barrier_wait(&start);
        for (int k = 0; k < threads; k++) pthread_join(thread[k], NULL);
        const double speed = 2.0 * (double)bytes / (now() - began);
        if (speed > best) best = speed;
        pthread_barrier_destroy(&start);
    }
    return best;
}
