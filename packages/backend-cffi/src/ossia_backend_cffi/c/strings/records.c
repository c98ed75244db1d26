// Records of files: uint64 length, masked CRC-32C of it, the bytes, masked CRC-32C of them, all in little-endian order. The mask is
// rotate_right(crc, 15) + 0xa282ead8. CRC-32C is Castagnoli's polynomial (RFC 3720), here eight bytes at a time (Kounavis and Berry 2005)
// where the processor has no instruction for it.
#include "program/program.h"
#include "arrays/direct.h"
#include <pthread.h>
#include <string.h>

enum { HEAD = 12, TAIL = 4 };
enum { WHOLE, WRONG_LENGTH, WRONG_BYTES };

static uint32_t tables[8][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
        tables[0][byte] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (int byte = 0; byte < 256; byte++) tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 255];
}

static inline uint64_t little(const uint8_t *p, int bytes) {
    uint64_t x = 0;
    for (int k = bytes - 1; k >= 0; k--) x = x << 8 | p[k];
    return x;
}

static uint32_t crc_by_tables(const uint8_t *p, int64_t size) {
    uint32_t crc = ~0u;
    pthread_once(&made, make_tables);
    for (; size >= 8; size -= 8, p += 8) {
        const uint64_t x = little(p, 8) ^ crc;
        crc = 0;
        for (int k = 0; k < 8; k++) crc ^= tables[7 - k][x >> 8 * k & 255];
    }
    for (; size > 0; size--) crc = crc >> 8 ^ tables[0][(crc ^ *p++) & 255];
    return ~crc;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("sse4.2"))) static uint32_t crc_by_instruction(const uint8_t *p, int64_t size) {
    uint64_t crc = ~0u;
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        crc = __builtin_ia32_crc32di(crc, x);
    }
    uint32_t rest = (uint32_t)crc;
    for (; size > 0; size--) rest = __builtin_ia32_crc32qi(rest, *p++);
    return ~rest;
}

static uint32_t crc_of(const uint8_t *p, int64_t size) {
    return __builtin_cpu_supports("sse4.2") ? crc_by_instruction(p, size) : crc_by_tables(p, size);
}
#else
static uint32_t crc_of(const uint8_t *p, int64_t size) { return crc_by_tables(p, size); }
#endif

uint32_t oc_masked_crc(const uint8_t *text, int64_t size) {
    const uint32_t crc = crc_of(text, size);
    return (crc >> 15 | crc << 17) + 0xA282EAD8u;
}

// Where the whole records in a text lie, at most so many. `*used` becomes the place behind the last of them, `*fault` what is wrong with the
// next one, as far as that can be told from here.
int64_t oc_record_spans(const uint8_t *text, int64_t size, int64_t most, oc_text *records, int64_t *used, int *fault) {
    int64_t count = 0, at = 0;
    *fault = WHOLE;
    while (count < most && size - at >= HEAD) {
        const uint8_t *p = text + at;
        const uint64_t length = little(p, 8);
        if (oc_masked_crc(p, 8) != (uint32_t)little(p + 8, 4)) {
            *fault = WRONG_LENGTH;
            break;
        }
        const uint64_t left = (uint64_t)(size - at - HEAD);
        if (left < TAIL || length > left - TAIL) break;
        if (oc_masked_crc(p + HEAD, (int64_t)length) != (uint32_t)little(p + HEAD + length, TAIL)) {
            *fault = WRONG_BYTES;
            break;
        }
        records[count++] = (oc_text){p + HEAD, (int64_t)length};
        at += HEAD + (int64_t)length + TAIL;
    }
    *used = at;
    return count;
}

static inline void put_little(uint8_t *p, uint64_t x, int bytes) {
    for (int k = 0; k < bytes; k++) p[k] = (uint8_t)(x >> 8 * k);
}

// Records as files have them; returns the bytes that they take, or -1 if there is no room for them.
int64_t oc_frame_records(int64_t count, const oc_text *records, int64_t room, uint8_t *out) {
    int64_t at = 0;
    for (int64_t k = 0; k < count; k++) {
        const int64_t size = records[k].size;
        if (size > room - at - HEAD - TAIL) return -1;
        uint8_t *p = out + at;
        put_little(p, (uint64_t)size, 8);
        put_little(p + 8, oc_masked_crc(p, 8), 4);
        memcpy(p + HEAD, records[k].at, (size_t)size);
        put_little(p + HEAD + size, oc_masked_crc(p + HEAD, size), TAIL);
        at += HEAD + size + TAIL;
    }
    return at;
}
