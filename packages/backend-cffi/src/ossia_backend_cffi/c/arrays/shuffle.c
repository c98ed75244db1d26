// The order of a buffer from which elements are drawn while others arrive.
#include "program/program.h"
#include "arrays/direct.h"

// Draw `count` numbers from a buffer of `size`, which holds `places[2] - places[0]` of them: before each draw the buffer is filled up with the
// numbers from `first` on, as long as some of the `arrivals` are left. A number is drawn from the places `places[0]` to `places[1]`, counted
// from the first of all; arrivals go to `places[2]`, which is `places[1]` too where `one_pass`. `words` has a random word for each draw.
// Returns how many were drawn: fewer where there are none left in these places.
int64_t oc_shuffle(int64_t count, int64_t size, int64_t *buffer, int64_t *places, int one_pass, int64_t first, int64_t arrivals,
                   const uint32_t *words, int64_t *out) {
    int64_t begin = places[0], end = places[1], last = places[2], next = first, drawn = 0;
    for (; drawn < count; drawn++) {
        for (; next - first < arrivals && last - begin < size; next++) {
            buffer[last++ % size] = next;
            if (one_pass) end = last;
        }
        if (begin == end) break;
        int64_t *chosen = buffer + (begin + (int64_t)(words[drawn] % (uint64_t)(end - begin))) % size;
        out[drawn] = *chosen;
        *chosen = buffer[begin % size];
        begin++;
    }
    places[0] = begin;
    places[1] = end;
    places[2] = last;
    return drawn;
}
