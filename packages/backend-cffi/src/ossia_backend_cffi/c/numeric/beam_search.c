// The most likely labellings of sequences, by beam search over their prefixes: step by step what the kernel on NumPy does, in double precision.
#include "program/program.h"
#include "arrays/direct.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A labelling in the tree of prefixes: the one without its last label, and that label.
typedef struct { int32_t parent, label; } prefix;

// One that is kept after a step: a member of the beam before it (`label` is -1), or a member with one more label. Of equal scores the
// lower number is the better.
typedef struct { double score; int64_t number; int32_t member, label; } candidate;

typedef struct {
    prefix *nodes;
    int32_t count, *slots;  // slots of a hash table of the nodes, -1 where there is none
    uint64_t mask;
    int32_t *place;         // of a node in the beam, or -1
} tree;

typedef struct {
    const double *rows;
    const int64_t *lengths;
    int64_t times, batch, classes, width, paths;
    int merge;
    int64_t *labels, *counts;
    double *scores;
    atomic_int failed;
} search;

// As NumPy adds what logarithms stand for.
static double log_sum(double x, double y) {
    if (x == y) return x + 0.693147180559945309417232121458176568;
    const double apart = x - y;
    return apart > 0 ? x + log1p(exp(-apart)) : apart <= 0 ? y + log1p(exp(apart)) : apart;
}

static int32_t child(tree *t, int32_t node, int32_t label) {
    uint64_t at = ((uint64_t)(uint32_t)node << 32 | (uint32_t)label) * UINT64_C(0x9E3779B97F4A7C15);
    for (at ^= at >> 29;; at++) {
        int32_t *slot = t->slots + (at & t->mask);
        if (*slot < 0) {
            t->nodes[t->count] = (prefix){node, label};
            t->place[t->count] = -1;
            return *slot = t->count++;
        }
        if (t->nodes[*slot].parent == node && t->nodes[*slot].label == label) return *slot;
    }
}

static int is_worse(const candidate *a, const candidate *b) {
    return a->score != b->score ? a->score < b->score : a->number > b->number;
}

// The worst of the first `count` stands at the top.
static void sink(candidate *heap, int64_t count, int64_t at) {
    const candidate moved = heap[at];
    for (int64_t below; (below = 2 * at + 1) < count; at = below) {
        if (below + 1 < count && is_worse(heap + below + 1, heap + below)) below++;
        if (!is_worse(heap + below, &moved)) break;
        heap[at] = heap[below];
    }
    heap[at] = moved;
}

static void rise(candidate *heap, int64_t at) {
    const candidate moved = heap[at];
    for (; at && is_worse(&moved, heap + (at - 1) / 2); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    heap[at] = moved;
}

typedef struct {
    tree tree;
    candidate *kept;
    double *blank, *label, *total, *after_blank, *after_label;  // of each member: ending in a blank, in its label, either; then after the step
    int32_t *beam, *first, *next, *at_label;  // nodes; a member's children in the beam, as lists; of each label, the child at hand or -1
    uint8_t *is_out, *is_dead;
    int64_t count;
} beams;

enum { TOGETHER = 32 };

OC_CLONES static int any_above(const double *row, double added, double least) {
    int any = 0;
    for (int k = 0; k < TOGETHER; k++) any |= added + row[k] > least;
    return any;
}

// The beam after a frame whose logarithms are `row`.
static void step(const search *s, beams *b, const double *row) {
    tree *t = &b->tree;
    const int64_t last_class = s->classes - 1, count = b->count, width = s->width;
    int64_t held = 0, number = count;
    double most = -INFINITY;
    for (int64_t l = 0; l < last_class; l++) most = row[l] > most ? row[l] : most;
    for (int64_t i = 0; i < count; i++) {
        b->first[i] = -1;
        b->is_dead[i] = 0;
        b->total[i] = log_sum(b->blank[i], b->label[i]);
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        const prefix *own = t->nodes + b->beam[i];
        const int32_t parent = own->parent < 0 ? -1 : t->place[own->parent];
        double ends = own->label < 0 ? -INFINITY : b->label[i] + row[own->label];
        if (parent >= 0) {
            const int repeats = t->nodes[b->beam[parent]].label == own->label;
            ends = log_sum(ends, (repeats ? b->blank[parent] : b->total[parent]) + row[own->label]);
            b->next[i] = b->first[parent];
            b->first[parent] = (int32_t)i;
        }
        b->after_label[i] = ends;
        b->after_blank[i] = b->total[i] + row[last_class];
        const double score = log_sum(b->after_blank[i], ends);
        b->is_out[i] = !(score > -INFINITY);
        if (!b->is_out[i]) b->kept[held++] = (candidate){score, i, (int32_t)i, -1};
    }
    for (int64_t i = held / 2; i-- > 0;) sink(b->kept, held, i);
    for (int64_t i = 0; i < count; i++) {
        const double least = held >= width ? b->kept[0].score : -INFINITY;
        const int32_t own = t->nodes[b->beam[i]].label;
        if (b->is_dead[i] || b->total[i] <= least) continue;
        if (b->first[i] < 0 && b->total[i] + most <= least && (own < 0 || b->blank[i] + row[own] <= least)) continue;
        for (int32_t m = b->first[i]; m >= 0; m = b->next[m]) b->at_label[t->nodes[b->beam[m]].label] = m;
        for (int64_t l = 0; l < last_class; l++) {
            while (b->first[i] < 0 && l + TOGETHER <= last_class && (own < l || own >= l + TOGETHER) &&
                   !any_above(row + l, b->total[i], least))
                l += TOGETHER;
            if (l == last_class) break;
            const int32_t member = b->at_label[l];
            if (member >= 0) {
                if (b->is_out[member]) b->is_dead[member] = 1;
                continue;
            }
            const double score = (l == own ? b->blank[i] : b->total[i]) + row[l];
            if (!(score > least)) continue;
            const candidate grown = {score, ++number, (int32_t)i, (int32_t)l};
            if (held < width) {
                b->kept[held] = grown;
                rise(b->kept, held++);
            } else if (score > b->kept[0].score) {
                if (b->kept[0].label < 0) b->is_out[b->kept[0].member] = 1;
                b->kept[0] = grown;
                sink(b->kept, held, 0);
            }
        }
        for (int32_t m = b->first[i]; m >= 0; m = b->next[m]) b->at_label[t->nodes[b->beam[m]].label] = -1;
    }
    for (int64_t left = held; left > 1; left--) {  // the worst goes to the end
        const candidate worst = b->kept[0];
        b->kept[0] = b->kept[left - 1];
        b->kept[left - 1] = worst;
        sink(b->kept, left - 1, 0);
    }
    for (int64_t i = 0; i < count; i++) t->place[b->beam[i]] = -1;
    int32_t *nodes = b->first;  // whose lists are done with
    for (int64_t k = 0; k < held; k++) {
        const candidate *c = b->kept + k;
        nodes[k] = c->label < 0 ? b->beam[c->member] : child(t, b->beam[c->member], c->label);
        b->blank[k] = c->label < 0 ? b->after_blank[c->member] : -INFINITY;
        b->label[k] = c->label < 0 ? b->after_label[c->member] : c->score;
    }
    memcpy(b->beam, nodes, (size_t)held * sizeof *nodes);
    for (int64_t k = 0; k < held; k++) t->place[b->beam[k]] = (int32_t)k;
    b->count = held;
}

// The best labellings of the beam: of equal ones the first.
static int best(const search *s, beams *b, int64_t example) {
    const tree *t = &b->tree;
    if (b->count < s->paths) return 1;
    for (int64_t i = 0; i < b->count; i++) {
        b->total[i] = log_sum(b->blank[i], b->label[i]);
        b->is_out[i] = 0;
    }
    for (int64_t p = 0; p < s->paths; p++) {
        int64_t chosen = -1;
        for (int64_t i = 0; i < b->count; i++)
            if (!b->is_out[i] && (chosen < 0 || b->total[i] > b->total[chosen])) chosen = i;
        b->is_out[chosen] = 1;
        s->scores[example * s->paths + p] = b->total[chosen];
        int64_t *labels = s->labels + (example * s->paths + p) * s->times, count = 0;
        int32_t before = -1;
        for (int32_t node = b->beam[chosen]; node > 0; node = t->nodes[node].parent) {
            const int32_t label = t->nodes[node].label;
            if (!s->merge || label != before) labels[count++] = label;
            before = label;
        }
        for (int64_t k = 0; k < count / 2; k++) {
            const int64_t held = labels[k];
            labels[k] = labels[count - 1 - k];
            labels[count - 1 - k] = held;
        }
        s->counts[example * s->paths + p] = count;
    }
    return 0;
}

static void example_part(void *context, int64_t example) {
    search *s = context;
    const int64_t length = s->lengths[example];
    const uint64_t width = (uint64_t)s->width, most = 1 + (uint64_t)length * width;
    uint64_t slots = 16;
    while (slots < 2 * most) slots *= 2;
    beams b = {.tree = {.mask = slots - 1}};
    b.tree.nodes = malloc((size_t)most * sizeof(prefix));
    b.tree.place = malloc((size_t)most * sizeof(int32_t));
    b.tree.slots = malloc((size_t)slots * sizeof(int32_t));
    b.kept = malloc((size_t)width * sizeof(candidate));
    double *numbers = malloc((size_t)width * 5 * sizeof(double));
    int32_t *members = malloc((size_t)width * 3 * sizeof(int32_t));
    b.at_label = malloc((size_t)s->classes * sizeof(int32_t));
    uint8_t *marks = malloc((size_t)width * 2);
    if (!b.tree.nodes || !b.tree.place || !b.tree.slots || !b.kept || !numbers || !members || !b.at_label || !marks) atomic_store(&s->failed, 1);
    else {
        memset(b.tree.slots, 0xFF, (size_t)slots * sizeof(int32_t));
        memset(b.at_label, 0xFF, (size_t)s->classes * sizeof(int32_t));
        b.tree.nodes[0] = (prefix){-1, -1};
        b.tree.place[0] = 0;
        b.tree.count = 1;
        b.blank = numbers, b.label = numbers + width, b.total = numbers + 2 * width;
        b.after_blank = numbers + 3 * width, b.after_label = numbers + 4 * width;
        b.beam = members, b.first = members + width, b.next = members + 2 * width;
        b.is_out = marks, b.is_dead = marks + width;
        b.beam[0] = 0, b.blank[0] = 0.0, b.label[0] = -INFINITY, b.count = 1;
        int numeric = 1;
        for (int64_t t = 0; t < length; t++) {
            const double *row = s->rows + (t * s->batch + example) * s->classes;
            for (int64_t l = 0; l < s->classes; l++) numeric &= row[l] == row[l];
        }
        for (int64_t t = 0; numeric && t < length; t++) step(s, &b, s->rows + (t * s->batch + example) * s->classes);
        if (!numeric || best(s, &b, example)) atomic_store(&s->failed, 1);
    }
    free(b.tree.nodes);
    free(b.tree.place);
    free(b.tree.slots);
    free(b.kept);
    free(numbers);
    free(members);
    free(b.at_label);
    free(marks);
}

enum { MOST_PREFIXES = 1 << 24 };  // of a tree, so that its memory stays small

// Of logarithms of probabilities [times, batch, classes], the last class being the blank, the labels [batch, paths, times] of the most likely
// labellings, how many each has, and their scores, both [batch, paths]. sizes: times, batch, classes, width of the beam, paths. NaN is refused.
int oc_beam_search(const double *rows, const int64_t *sizes, const int64_t *lengths, int merge, int threads, int64_t *labels, int64_t *counts,
                   double *scores) {
    search s = {.rows = rows, .lengths = lengths, .times = sizes[0], .batch = sizes[1], .classes = sizes[2], .width = sizes[3],
                .paths = sizes[4], .merge = merge, .labels = labels, .counts = counts, .scores = scores};
    if (s.times < 0 || s.batch < 0 || s.classes < 1 || s.classes > 1 << 30 || s.paths < 1 || s.paths > s.width || s.width > MOST_PREFIXES) return 1;
    double work = 0.0;
    for (int64_t k = 0; k < s.batch; k++) {
        if (lengths[k] < 0 || lengths[k] > s.times || lengths[k] > MOST_PREFIXES / s.width) return 1;
        work += (double)lengths[k] * (double)s.width * (100.0 + (double)s.classes);
    }
    if (oc_parts(threads, work, s.batch) > 1) oc_parallel(threads, s.batch, example_part, &s);
    else for (int64_t k = 0; k < s.batch; k++) example_part(&s, k);
    return atomic_load(&s.failed);
}
