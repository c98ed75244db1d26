// Many threads that share work through the pool at once, and forks between; every part must be done exactly once.
// Its threads may change processors meanwhile, but must keep the choice that they began with.
#define _GNU_SOURCE
#include "program/pool.h"
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
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

// Whether every thread may run where the process could when it began.
static int are_free(const cpu_set_t *allowed) {
    DIR *tasks = opendir("/proc/self/task");
    int same = 1;
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        cpu_set_t now;
        if (atoi(task->d_name) && !sched_getaffinity(atoi(task->d_name), sizeof now, &now)) same &= CPU_EQUAL(&now, allowed);
    }
    if (tasks) closedir(tasks);
    return same;
}

int main(void) {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    pthread_t callers[CALLERS];
    int failed[CALLERS] = {0};
    for (int k = 0; k < CALLERS; k++) pthread_create(&callers[k], NULL, call, &failed[k]);
    for (int k = 0; k < CALLERS; k++) pthread_join(callers[k], NULL);
    for (int k = 0; k < CALLERS; k++) if (failed[k]) return printf("a part was lost or done twice\n"), 1;
    usleep(50000);  // until all of them sleep
    if (!are_free(&allowed)) return printf("a thread was kept from a processor\n"), 1;
    const pid_t child = fork();
    if (!child) _exit(work(4));
    int status = 0;
    waitpid(child, &status, 0);
    return status ? printf("the pool does not work after a fork\n"), 1 : work(4);
}
