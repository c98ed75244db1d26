// Many threads that share work through the pool at once, and forks between; every part must be done exactly once.
#include "pool.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLERS = 6, ROUNDS = 300, PARTS = 37 };

static void count_part(void *context, int64_t part) { ((int *)context)[part]++; }

static int work(int threads) {
    int done[PARTS] = {0};
    oc_parallel(threads, PARTS, count_part, done);
    for (int part = 0; part < PARTS; part++) if (done[part] != 1) return 1;
    return 0;
}

static void *call(void *failed) {
    for (int round = 0; round < ROUNDS; round++) if (work(1 + round % 5)) *(int *)failed = 1;
    return NULL;
}

int main(void) {
    pthread_t callers[CALLERS];
    int failed[CALLERS] = {0};
    for (int k = 0; k < CALLERS; k++) pthread_create(&callers[k], NULL, call, &failed[k]);
    for (int k = 0; k < CALLERS; k++) pthread_join(callers[k], NULL);
    for (int k = 0; k < CALLERS; k++) if (failed[k]) return printf("a part was lost or done twice\n"), 1;
    const pid_t child = fork();
    if (!child) _exit(work(4));
    int status = 0;
    waitpid(child, &status, 0);
    return status ? printf("the pool does not work after a fork\n"), 1 : work(4);
}
