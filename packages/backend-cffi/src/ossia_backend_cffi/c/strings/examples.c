// Serialized Examples (protocol buffers, proto3 wire format): where the lists of features lie, and the values in them. The functions give 1
// where the bytes are no message; the kernel on NumPy reads it then, and says what is wrong.
#include "program/program.h"
#include "arrays/direct.h"
#include <string.h>

enum { KEY_AND_VALUE = 1, VARINT = 0, EIGHT = 1, LENGTH = 2, FOUR = 5 };
enum { BYTES = 1, FLOATS = 2, INTEGERS = 3 };  // the lists of a Feature, by field number
enum { KIND, BEGIN, END, COUNT, FACTS };       // of a list

typedef struct {
    const uint8_t *at, *end;
} span;

typedef struct {
    uint64_t number, value;  // the value of a varint
    int wire;
    span body;               // the bytes of any other field
} field;

static int varint(span *s, uint64_t *out) {
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (s->at == s->end) return 1;
        const uint8_t byte = *s->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = value;
            return 0;
        }
    }
    return 1;
}

// The next field of a message that is not at its end.
static int next_field(span *s, field *f) {
    uint64_t tag, size;
    if (varint(s, &tag)) return 1;
    *f = (field){.wire = (int)(tag & 7), .body = {s->at, s->at}};
    f->number = tag >> 3;
    switch (f->wire) {
    case VARINT: return varint(s, &f->value);
    case EIGHT: size = 8; break;
    case FOUR: size = 4; break;
    case LENGTH:
        if (varint(s, &size)) return 1;
        break;
    default: return 1;
    }
    if (!f->number || size > (uint64_t)(s->end - s->at)) return 1;
    f->body.at = s->at;
    s->at += size;
    f->body.end = s->at;
    return 0;
}

static int is_key(span key, const uint8_t *other, int64_t size) {
    return key.end - key.at == size && !memcmp(key.at, other, (size_t)size);
}

// How many values a list has; each integer is looked at once more when it is read.
static int count_values(span list, int kind, int64_t *count) {
    *count = 0;
    while (list.at != list.end) {
        field f;
        if (next_field(&list, &f)) return 1;
        if (f.number != 1) continue;
        if (kind == BYTES) *count += f.wire == LENGTH;
        else if (kind == FLOATS) *count += f.wire == LENGTH || f.wire == FOUR ? (f.body.end - f.body.at) / 4 : 0;
        else if (f.wire == VARINT) ++*count;
        else if (f.wire == LENGTH)
            for (uint64_t value; f.body.at != f.body.end; ++*count) if (varint(&f.body, &value)) return 1;
    }
    return 0;
}

// What a Feature holds: its first list counts.
static int read_feature(span feature, const uint8_t *text, int64_t *facts) {
    facts[KIND] = 0;
    facts[COUNT] = 0;
    if (feature.at == feature.end) return 0;
    field f;
    if (next_field(&feature, &f) || f.wire != LENGTH || f.number < BYTES || f.number > INTEGERS) return 1;
    facts[KIND] = (int64_t)f.number;
    facts[BEGIN] = f.body.at - text;
    facts[END] = f.body.end - text;
    return count_values(f.body, (int)f.number, facts + COUNT);
}

// The wanted keys, of which no two are alike. The next entry of most messages has the key that follows the one of the last.
typedef struct {
    int64_t count, guess;
    const uint8_t *text;
    const int64_t *ends;
} keys;

// An entry of a map from strings to messages.
static int read_entry(span entry, const uint8_t *text, span *key, span *value) {
    *key = *value = (span){text, text};
    while (entry.at != entry.end) {
        field f;
        if (next_field(&entry, &f)) return 1;
        if (f.wire == LENGTH && f.number == 1) *key = f.body;
        if (f.wire == LENGTH && f.number == 2) *value = f.body;
    }
    return 0;
}

// The number of a key, or -1.
static int64_t number_of(keys *wanted, span key) {
    for (int64_t tried = 0; tried < wanted->count; tried++) {
        const int64_t k = (wanted->guess + tried) % wanted->count, first = k ? wanted->ends[k - 1] : 0;
        if (!is_key(key, wanted->text + first, wanted->ends[k] - first)) continue;
        wanted->guess = k + 1;
        return k;
    }
    return -1;
}

// How many Features a FeatureList has.
static int read_list(span list, const uint8_t *text, int64_t *facts) {
    facts[KIND] = 1;
    facts[BEGIN] = list.at - text;
    facts[END] = list.end - text;
    facts[COUNT] = 0;
    while (list.at != list.end) {
        field f;
        if (next_field(&list, &f)) return 1;
        facts[COUNT] += f.wire == LENGTH && f.number == 1;
    }
    return 0;
}

// For each record and key: of Examples the number of the list's kind, 0 if there is none, where it begins and ends in the text, and how many
// values it has; of the lists of SequenceExamples (field 2) the same with 1 for the kind and the number of features.
int oc_example_lists(int of_sequences, int64_t records, const uint8_t *text, const int64_t *sizes, int64_t key_count, const uint8_t *key_text,
                     const int64_t *key_ends, int64_t *found) {
    memset(found, 0, (size_t)(records * key_count * FACTS) * sizeof *found);
    keys wanted = {key_count, 0, key_text, key_ends};
    const uint8_t *at = text;
    for (int64_t r = 0; r < records; r++) {
        span example = {at, at + sizes[r]};
        while (example.at != example.end) {
            field f;
            if (next_field(&example, &f)) return 1;
            if (f.wire != LENGTH || f.number != (of_sequences ? 2 : 1)) continue;
            while (f.body.at != f.body.end) {
                field entry;
                span key, value;
                int64_t own[FACTS];
                if (next_field(&f.body, &entry)) return 1;
                if (entry.wire != LENGTH || entry.number != KEY_AND_VALUE) continue;
                if (read_entry(entry.body, text, &key, &value)) return 1;
                if (of_sequences && read_list(value, text, own)) return 1;  // whether it is wanted or not
                const int64_t k = number_of(&wanted, key);
                if (k < 0) continue;
                int64_t *facts = found + (r * key_count + k) * FACTS;
                if (of_sequences) memcpy(facts, own, sizeof own);
                else if (read_feature(value, text, facts)) return 1;
            }
        }
        at += sizes[r];
    }
    return 0;
}

// What the Features of one key's lists hold, one after the other. `lists` lie `stride` apart, and are what `oc_example_lists` found.
int oc_example_steps(const uint8_t *text, int64_t records, const int64_t *lists, int64_t stride, int64_t *steps) {
    for (int64_t r = 0; r < records; r++, lists += stride) {
        if (!lists[KIND]) continue;
        span list = {text + lists[BEGIN], text + lists[END]};
        while (list.at != list.end) {
            field f;
            if (next_field(&list, &f)) return 1;
            if (f.wire != LENGTH || f.number != 1) continue;
            if (read_feature(f.body, text, steps)) return 1;
            steps += FACTS;
        }
    }
    return 0;
}

static void read_floats(span body, char **out) {
    for (; body.end - body.at >= 4; body.at += 4, *out += 4) {
        const uint32_t word = body.at[0] | (uint32_t)body.at[1] << 8 | (uint32_t)body.at[2] << 16 | (uint32_t)body.at[3] << 24;
        memcpy(*out, &word, 4);
    }
}

static int read_integers(span body, char **out) {
    for (uint64_t value; body.at != body.end; *out += 8) {
        if (varint(&body, &value)) return 1;
        memcpy(*out, &value, 8);
    }
    return 0;
}

// The values of one key's lists, those of each record from its place on: floats, integers, or where byte strings lie. `facts`
// lie `stride` apart, and are what `oc_example_lists` found in this text.
int oc_example_values(int kind, const uint8_t *text, int64_t records, const int64_t *facts, int64_t stride, const int64_t *places, char *out) {
    for (int64_t r = 0; r < records; r++, facts += stride) {
        if (!facts[KIND]) continue;
        char *to = out + places[r] * (kind == BYTES ? 16 : kind == FLOATS ? 4 : 8);
        span list = {text + facts[BEGIN], text + facts[END]};
        while (list.at != list.end) {
            field f;
            if (next_field(&list, &f)) return 1;
            if (f.number != 1) continue;
            if (kind == BYTES && f.wire == LENGTH) {
                const oc_text string = {f.body.at, f.body.end - f.body.at};
                memcpy(to, &string, sizeof string);
                to += sizeof string;
            } else if (kind == FLOATS && (f.wire == LENGTH || f.wire == FOUR)) read_floats(f.body, &to);
            else if (kind == INTEGERS && f.wire == VARINT) {
                memcpy(to, &f.value, 8);
                to += 8;
            } else if (kind == INTEGERS && f.wire == LENGTH && read_integers(f.body, &to)) return 1;
        }
    }
    return 0;
}
