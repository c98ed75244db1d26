// The pool: a list of jobs that still want helpers, under one lock. Threads look for a job for a moment before they sleep, because
// the instructions of a program follow each other closely. The lock is never held while parts are computed.
#define _GNU_SOURCE  // for sched_getcpu
#include "program/pool.h"
#include "program/denormals.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

enum {
    LOOKS = 4500,                   // looks before a thread sleeps: some 150 microseconds
    LATE = 3,                       // times in a row that helpers come late before brief work is kept from them
    SHORTEST = 32, LONGEST = 1024,  // pieces of brief work that are kept from them then: more each time
    CALM = 256,                     // pieces in time that halve what is kept next time
};

typedef struct job {
    oc_work work;
    void *context;
    int64_t parts;
    uint64_t mode;             // how the caller rounds: its helpers do the same
    atomic_uint_fast64_t taken;  // parts that threads have taken: by the caller from the front, above them by helpers from the back
    atomic_int helpers;        // threads of the pool that are at it; changes under the lock
    int wanted;                // helpers that may still join
    int waiting;               // whether the caller sleeps until the helpers are gone
    struct job *later;
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t offered = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;
static pthread_once_t registered = PTHREAD_ONCE_INIT;
static job *open_jobs;         // those that want helpers
static atomic_int open_count;  // how many they are, to look at without the lock
static int started, sleeping;

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// The caller begins in front and the helpers at the back, so that what a thread works on is mostly what it worked on last time, and in
// its cache. Parts that nobody has taken lie between.
static void take_parts(job *j, int behind) {
    const uint64_t one = behind ? (uint64_t)1 << 32 : 1;
    for (;;) {
        const uint64_t taken = atomic_fetch_add_explicit(&j->taken, one, memory_order_relaxed);
        const int64_t front = (int64_t)(taken & 0xFFFFFFFFu), back = (int64_t)(taken >> 32);
        if (front + back >= j->parts) return;
        j->work(j->context, behind ? j->parts - 1 - back : front);
    }
}

// Takes a job off the list; the lock is held.
static void close_job(job *j) {
    for (job **at = &open_jobs; *at; at = &(*at)->later)
        if (*at == j) { *at = j->later; atomic_fetch_sub_explicit(&open_count, 1, memory_order_relaxed); return; }
}

#ifdef __linux__
static atomic_int caller_cpu = -1;  // where the latest caller ran
static inline void note_cpu(void) { atomic_store_explicit(&caller_cpu, sched_getcpu(), memory_order_relaxed); }

// Where every processor is busy, a thread that is woken up may be queued behind its caller and stay there, since no queue is longer than
// another: then it never gets to help. Such a thread goes to another processor, and may be moved from there as any.
static void leave_caller(void) {
    const int cpu = sched_getcpu();
    cpu_set_t allowed, others;
    if (cpu < 0 || cpu >= CPU_SETSIZE || cpu != atomic_load_explicit(&caller_cpu, memory_order_relaxed)) return;
    if (pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed)) return;
    others = allowed;
    CPU_CLR((size_t)cpu, &others);
    if (!CPU_COUNT(&others) || pthread_setaffinity_np(pthread_self(), sizeof others, &others)) return;
    pthread_setaffinity_np(pthread_self(), sizeof allowed, &allowed);
}
#else
static inline void note_cpu(void) {}
static inline void leave_caller(void) {}
#endif

static void *help(void *unused) {
    (void)unused;
    leave_caller();
    for (;;) {
        for (int k = 0; k < LOOKS && !atomic_load_explicit(&open_count, memory_order_relaxed); k++) pause_briefly();
        pthread_mutex_lock(&lock);
        while (!open_jobs) {
            sleeping++;
            pthread_cond_wait(&offered, &lock);
            sleeping--;
            pthread_mutex_unlock(&lock);
            leave_caller();
            pthread_mutex_lock(&lock);
        }
        job *j = open_jobs;
        atomic_fetch_add_explicit(&j->helpers, 1, memory_order_relaxed);
        if (!--j->wanted) close_job(j);
        pthread_mutex_unlock(&lock);
        oc_restore(j->mode);
        take_parts(j, 1);
        pthread_mutex_lock(&lock);
        const int waiting = j->waiting;
        // From here on the job may be gone.
        const int others = atomic_fetch_sub_explicit(&j->helpers, 1, memory_order_release) - 1;
        if (waiting && !others) pthread_cond_broadcast(&left);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork_in_parent(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void) {
    // The child has none of the threads, and nobody waits for the jobs that it inherits.
    open_jobs = NULL;
    atomic_store(&open_count, 0);
    started = sleeping = 0;
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&offered, NULL);
    pthread_cond_init(&left, NULL);
}

static void register_handlers(void) { pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child); }

// Starts threads until there are `wanted`; the lock is held. What cannot be started is done without.
static void start(int wanted) {
    if (wanted > OC_MAX_THREADS - 1) wanted = OC_MAX_THREADS - 1;
    if (started >= wanted) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are the program's own threads' business
    while (started < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, help, NULL)) break;
        pthread_detach(thread);
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Returns whether a helper took a part, and the caller did not have to sleep until it was done.
static int share(int threads, int64_t parts, oc_work work, void *context) {
    pthread_once(&registered, register_handlers);
    note_cpu();
    job j = {.work = work, .context = context, .parts = parts, .mode = oc_mode(), .wanted = threads - 1};
    pthread_mutex_lock(&lock);
    start(threads - 1);
    // Last in the list: who came first is helped first.
    job **end = &open_jobs;
    while (*end) end = &(*end)->later;
    *end = &j;
    atomic_fetch_add_explicit(&open_count, 1, memory_order_relaxed);
    const int wake = sleeping < j.wanted ? sleeping : j.wanted;
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < wake; k++) pthread_cond_signal(&offered);
    take_parts(&j, 0);
    pthread_mutex_lock(&lock);
    close_job(&j);
    pthread_mutex_unlock(&lock);
    // The caller has counted one more than it has done.
    const int helped = (int64_t)(atomic_load_explicit(&j.taken, memory_order_relaxed) & 0xFFFFFFFFu) <= parts;
    for (int k = 0; k < LOOKS && atomic_load_explicit(&j.helpers, memory_order_acquire); k++) pause_briefly();
    if (!atomic_load_explicit(&j.helpers, memory_order_acquire)) return helped;
    pthread_mutex_lock(&lock);
    j.waiting = 1;
    while (atomic_load_explicit(&j.helpers, memory_order_acquire)) pthread_cond_wait(&left, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void alone(int64_t parts, oc_work work, void *context) {
    for (int64_t part = 0; part < parts; part++) work(context, part);
}

void oc_parallel(int threads, int64_t parts, oc_work work, void *context) {
    if (threads > parts) threads = (int)parts;
    if (threads < 2) alone(parts, work, context);
    else share(threads, parts, work, context);
}

// How helpers have fared with brief work: how often in a row they came late, how often in time since work was last kept from them, how much
// will be kept from them now, and how much next time.
static atomic_int late, prompt, kept, keeping = SHORTEST;

int oc_parallel_briefly(int threads, int64_t parts, oc_work work, void *context) {
    if (threads > parts) threads = (int)parts;
    if (threads < 2) return 0;
    if (atomic_load_explicit(&kept, memory_order_relaxed) > 0) {
        atomic_fetch_sub_explicit(&kept, 1, memory_order_relaxed);
        return 0;
    }
    int next = atomic_load_explicit(&keeping, memory_order_relaxed);
    if (share(threads, parts, work, context)) {
        atomic_store_explicit(&late, 0, memory_order_relaxed);
        if (atomic_fetch_add_explicit(&prompt, 1, memory_order_relaxed) % CALM == CALM - 1 && next > SHORTEST)
            atomic_store_explicit(&keeping, next / 2, memory_order_relaxed);
    } else if (atomic_fetch_add_explicit(&late, 1, memory_order_relaxed) + 1 >= LATE) {
        atomic_store_explicit(&late, 0, memory_order_relaxed);
        atomic_store_explicit(&kept, next, memory_order_relaxed);
        atomic_store_explicit(&keeping, next < LONGEST ? 2 * next : LONGEST, memory_order_relaxed);
    }
    return 1;
}
