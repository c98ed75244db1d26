// Byte strings from others: joined, in base64, and the fields of records. What is made is written into `out`, which has `room`; the functions
// give 1 where that is too little, or where the kernel on NumPy is to look at what is wrong.
#include "program/program.h"
#include "arrays/direct.h"
#include <string.h>

typedef struct {
    uint8_t *at, *end;
} output;

static int put(output *o, const uint8_t *from, int64_t size) {
    if (size > o->end - o->at) return 1;
    memcpy(o->at, from, (size_t)size);
    o->at += size;
    return 0;
}

// The pieces of each row, which end where `ends` says, one after the other. The separator stands between any two, or with `only_between`
// not before there is some text.
int oc_join(int64_t rows, const int64_t *ends, int64_t count, const oc_text *pieces, oc_text separator, int only_between, int64_t room,
            uint8_t *out, oc_text *made) {
    output o = {out, out + room};
    int64_t next = 0;
    for (int64_t r = 0; r < rows; r++) {
        const uint8_t *begin = o.at;
        if (ends[r] < next || ends[r] > count) return 1;
        for (int64_t first = next; next < ends[r]; next++) {
            const int apart = next > first && (!only_between || o.at > begin);
            if (apart && put(&o, separator.at, separator.size)) return 1;
            if (put(&o, pieces[next].at, pieces[next].size)) return 1;
        }
        made[r] = (oc_text){begin, o.at - begin};
    }
    return 0;
}

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static int encode(const oc_text *text, output *o) {
    const uint8_t *p = text->at;
    const int64_t whole = text->size / 3, rest = text->size % 3;
    if (whole * 4 + (rest ? rest + 1 : 0) > o->end - o->at) return 1;
    for (int64_t k = 0; k < whole; k++, p += 3) {
        const unsigned bits = (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
        for (int shift = 18; shift >= 0; shift -= 6) *o->at++ = (uint8_t)DIGITS[bits >> shift & 63];
    }
    if (rest) {
        const unsigned bits = (unsigned)p[0] << 16 | (rest == 2 ? (unsigned)p[1] << 8 : 0);
        for (int k = 0; k <= rest; k++) *o->at++ = (uint8_t)DIGITS[bits >> (18 - 6 * k) & 63];
    }
    return 0;
}

// Without padding; what remains of the last digit counts for nothing.
static int decode(const oc_text *text, const int8_t *values, output *o) {
    if (text->size % 4 == 1 || text->size / 4 * 3 + text->size % 4 > o->end - o->at) return 1;
    unsigned bits = 0, held = 0;
    for (int64_t k = 0; k < text->size; k++) {
        const int value = values[text->at[k]];
        if (value < 0) return 1;
        bits = bits << 6 | (unsigned)value;
        held += 6;
        if (held >= 8) *o->at++ = (uint8_t)(bits >> (held -= 8));
    }
    return 0;
}

// Texts in web-safe base64 without padding, or what such ones stand for.
int oc_base64(int decoding, int64_t count, const oc_text *texts, int64_t room, uint8_t *out, oc_text *made) {
    output o = {out, out + room};
    int8_t values[256];
    memset(values, -1, sizeof values);
    for (int k = 0; k < 64; k++) values[(uint8_t)DIGITS[k]] = (int8_t)k;
    for (int64_t k = 0; k < count; k++) {
        const uint8_t *begin = o.at;
        if (decoding ? decode(texts + k, values, &o) : encode(texts + k, &o)) return 1;
        made[k] = (oc_text){begin, o.at - begin};
    }
    return 0;
}

// The field of a record at `*at`, which becomes the place behind it and its delimiter. One with quotes in it is written anew.
static int read_field(const uint8_t **at, const uint8_t *end, int delimiter, int quotes, output *o, oc_text *field) {
    const uint8_t *p = *at;
    if (quotes && p < end && *p == '"') {
        const uint8_t *begin = ++p;
        uint8_t *copy = NULL;
        for (;;) {
            const uint8_t *quote = p < end ? memchr(p, '"', (size_t)(end - p)) : NULL;
            if (!quote) return 1;
            const int again = quote + 1 < end && quote[1] == '"';
            if (!again && quote + 1 < end && quote[1] != delimiter) return 1;
            if (!again && !copy) {
                *field = (oc_text){begin, quote - begin};
            } else {
                if (!copy) copy = o->at;
                if (put(o, p, quote - p + again)) return 1;
                *field = (oc_text){copy, o->at - copy};
            }
            p = quote + 2;
            if (!again) break;
        }
        *at = p;
        return 0;
    }
    for (; p < end && *p != delimiter; p++) if (*p == '\n' || *p == '\r' || (quotes && *p == '"')) return 1;
    *field = (oc_text){*at, p - *at};
    *at = p + 1;
    return 0;
}

// The fields of records, column by column, those that are selected or all. One that is missing lies nowhere.
int oc_csv_fields(int64_t count, const oc_text *records, int delimiter, int quotes, oc_text missing, int64_t columns,
                  const int64_t *selected, int64_t room, uint8_t *out, oc_text *fields) {
    output o = {out, out + room};
    for (int64_t r = 0; r < count; r++) {
        const uint8_t *at = records[r].at, *end = at + records[r].size;
        int64_t column = 0;
        if (at == end) return 1;
        for (int64_t number = 0; at <= end; number++) {
            oc_text field;
            if (read_field(&at, end, delimiter, quotes, &o, &field)) return 1;
            if (selected && (column == columns || selected[column] != number)) continue;
            if (column == columns) return 1;
            if (!field.size || (field.size == missing.size && !memcmp(field.at, missing.at, (size_t)field.size))) field.at = NULL;
            fields[column++ * count + r] = field;
        }
        if (column < columns) return 1;
    }
    return 0;
}
