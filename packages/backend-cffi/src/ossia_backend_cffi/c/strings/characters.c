// Characters of byte strings in UTF-8.
#include "program/program.h"
#include "arrays/direct.h"
#include <string.h>

// The length of the character that begins at `p`, `left` bytes before the end; 0 if there is none.
static inline int64_t character(const uint8_t *p, int64_t left) {
    if (p[0] < 0x80) return 1;
    const int64_t size = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || size > left) return 0;
    // The shortest form only, no surrogates, and nothing beyond U+10FFFF.
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    for (int64_t k = 1; k < size; k++) if ((p[k] & 0xC0) != 0x80) return 0;
    return size;
}

// How many characters each text has; 1 if one is no UTF-8, or too long.
int oc_characters(int64_t count, const oc_text *texts, int32_t *out) {
    for (int64_t k = 0; k < count; k++) {
        const uint8_t *p = texts[k].at, *end = p + texts[k].size;
        int64_t found = 0;
        if (texts[k].size > INT32_MAX) return 1;
        while (p < end) {
            uint64_t eight;
            while (end - p >= 8 && (memcpy(&eight, p, 8), !(eight & UINT64_C(0x8080808080808080)))) { p += 8; found += 8; }
            if (p == end) break;
            const int64_t size = character(p, end - p);
            if (!size) return 1;
            p += size;
            found++;
        }
        out[k] = (int32_t)found;
    }
    return 0;
}
