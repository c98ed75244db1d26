// Hashes of byte strings: FarmHash's 64-bit fingerprint (Pike 2014), SipHash-2-4 (Aumasson and
// Bernstein 2012), MurmurHash64A (Appleby 2009) with the seed of hash buckets.
#include "program/program.h"
#include "arrays/direct.h"
#include <string.h>

enum { FARM, SIP, MURMUR };
static const uint64_t K0 = UINT64_C(0xC3A5C85C97CB3127), K1 = UINT64_C(0xB492B66FBE98F273), K2 = UINT64_C(0x9AE16A3B2F90404F);

static inline uint64_t read_64(const uint8_t *p) {
    uint64_t x = 0;
    for (int k = 7; k >= 0; k--) x = x << 8 | p[k];
    return x;
}
static inline uint64_t read_32(const uint8_t *p) { return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24; }
static inline uint64_t right(uint64_t x, int by) { return x >> by | x << (64 - by); }
static inline uint64_t left(uint64_t x, int by) { return x << by | x >> (64 - by); }
static inline uint64_t mixed(uint64_t x) { return x ^ x >> 47; }
static inline uint64_t joined(uint64_t u, uint64_t v, uint64_t mul) { return mixed((v ^ mixed((u ^ v) * mul)) * mul) * mul; }

static void weak(const uint8_t *p, uint64_t a, uint64_t b, uint64_t *first, uint64_t *second) {
    const uint64_t w = read_64(p), x = read_64(p + 8), y = read_64(p + 16), z = read_64(p + 24);
    a += w;
    b = right(b + a + z, 21);
    const uint64_t c = a;
    a += x + y;
    b += right(a, 44);
    *first = a + z;
    *second = b + c;
}

static uint64_t farm_long(const uint8_t *s, int64_t n) {
    uint64_t y = 81 * K1 + 113, z = mixed(y * K2 + 113) * K2, x = 81 * K2 + read_64(s), v0 = 0, v1 = 0, w0 = 0, w1 = 0, mul = K1;
    const int64_t blocks = (n - 1) / 64;
    for (int64_t block = 0; block <= blocks; block++) {
        const uint8_t *p = s + block * 64;
        uint64_t nine = 1;
        if (block == blocks) {  // the last 64 bytes, whatever of them was seen before, mixed harder
            nine = 9;
            p = s + n - 64;
            mul = K1 + ((z & 0xFF) << 1);
            w0 += (uint64_t)((n - 1) & 63);
            v0 += w0;
            w0 += v0;
        }
        x = right(x + y + v0 + read_64(p + 8), 37) * mul;
        y = right(y + v1 + read_64(p + 48), 42) * mul;
        x ^= w1 * nine;
        y += v0 * nine + read_64(p + 40);
        z = right(z + w0, 33) * mul;
        weak(p, v1 * mul, x + w0, &v0, &v1);
        weak(p + 32, z + w1, y + read_64(p + 16), &w0, &w1);
        const uint64_t held = x;
        x = z;
        z = held;
    }
    return joined(joined(v0, w0, mul) + mixed(y) * K0 + z, joined(v1, w1, mul) + x, mul);
}

static uint64_t farm(const uint8_t *s, int64_t n) {
    const uint64_t size = (uint64_t)n, mul = K2 + size * 2;
    if (n > 64) return farm_long(s, n);
    if (n > 16) {
        const uint64_t a = read_64(s) * (n <= 32 ? K1 : K2), b = read_64(s + 8), c = read_64(s + n - 8) * mul, d = read_64(s + n - 16) * K2;
        const uint64_t y = right(a + b, 43) + right(c, 30) + d, z = joined(y, a + right(b + K2, 18) + c, mul);
        if (n <= 32) return z;
        const uint64_t e = read_64(s + 16) * mul, f = read_64(s + 24), g = (y + read_64(s + n - 32)) * mul, h = (z + read_64(s + n - 24)) * mul;
        return joined(right(e + f, 43) + right(g, 30) + h, e + right(f + a, 18) + g, mul);
    }
    if (n >= 8) {
        const uint64_t a = read_64(s) + K2, b = read_64(s + n - 8);
        return joined(right(b, 37) * mul + a, (right(a, 25) + b) * mul, mul);
    }
    if (n >= 4) return joined(size + (read_32(s) << 3), read_32(s + n - 4), mul);
    if (n) return mixed((s[0] + ((uint64_t)s[n >> 1] << 8)) * K2 ^ (size + ((uint64_t)s[n - 1] << 2)) * K0) * K2;
    return K2;
}

// What is left of a string behind its whole words of eight bytes.
static uint64_t tail(const uint8_t *p, int64_t n) {
    uint64_t x = 0;
    while (n-- > 0) x = x << 8 | p[n];
    return x;
}

static inline void sip_round(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d) {
    *a += *b; *b = left(*b, 13) ^ *a; *a = left(*a, 32);
    *c += *d; *d = left(*d, 16) ^ *c;
    *a += *d; *d = left(*d, 21) ^ *a;
    *c += *b; *b = left(*b, 17) ^ *c; *c = left(*c, 32);
}

static uint64_t sip(const uint8_t *s, int64_t n, uint64_t k0, uint64_t k1) {
    uint64_t a = k0 ^ UINT64_C(0x736F6D6570736575), b = k1 ^ UINT64_C(0x646F72616E646F6D);
    uint64_t c = k0 ^ UINT64_C(0x6C7967656E657261), d = k1 ^ UINT64_C(0x7465646279746573);
    for (int64_t at = 0; at <= n; at += 8) {
        const uint64_t m = n - at >= 8 ? read_64(s + at) : tail(s + at, n - at) | (uint64_t)(n & 0xFF) << 56;
        d ^= m;
        sip_round(&a, &b, &c, &d);
        sip_round(&a, &b, &c, &d);
        a ^= m;
    }
    c ^= 0xFF;
    for (int k = 0; k < 4; k++) sip_round(&a, &b, &c, &d);
    return a ^ b ^ c ^ d;
}

static uint64_t murmur(const uint8_t *s, int64_t n) {
    const uint64_t mul = UINT64_C(0xC6A4A7935BD1E995);
    uint64_t h = UINT64_C(0xDECAFCAFFE) ^ (uint64_t)n * mul;
    int64_t at = 0;
    for (; n - at >= 8; at += 8) h = (h ^ mixed(read_64(s + at) * mul) * mul) * mul;
    if (at < n) h = (h ^ tail(s + at, n - at)) * mul;
    return mixed(mixed(h) * mul);
}

int oc_hashes(int how, int64_t count, const oc_text *texts, uint64_t key0, uint64_t key1, uint64_t *out) {
    for (int64_t k = 0; k < count; k++) {
        const uint8_t *at = texts[k].at;
        const int64_t size = texts[k].size;
        out[k] = how == FARM ? farm(at, size) : how == SIP ? sip(at, size, key0, key1) : murmur(at, size);
    }
    return 0;
}
