// The blocks of a straight chain, in eight registers. Included by register_chain.c once for each instruction set, with VECTOR bytes in a
// register, TARGET and NAME(x) defined.

typedef float NAME(wide) __attribute__((vector_size(VECTOR), aligned(4), may_alias));
typedef float NAME(stream) __attribute__((vector_size(VECTOR), may_alias));
typedef int32_t NAME(mask) __attribute__((vector_size(VECTOR), aligned(4), may_alias));
enum { NAME(WIDE) = VECTOR / 4 };

TARGET static inline __attribute__((always_inline)) NAME(wide) NAME(chosen)(NAME(mask) m, NAME(wide) x, NAME(wide) y) {
    return (NAME(wide))((m & (NAME(mask))x) | (~m & (NAME(mask))y));
}


#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define EMPTY(K) NAME(wide) r##K = zero;
#define BLOCK_LOAD(K) r##K = *(const NAME(wide) *)(from + K * NAME(WIDE));
// `x` is the first operand, `y` the second.
#define WITH_SCALAR(K) { const NAME(wide) x = r##K, y = other; r##K = (RESULT); }
#define WITH_MEMORY(K) { const NAME(wide) x = r##K, y = *(const NAME(wide) *)(p + K * NAME(WIDE)); r##K = (RESULT); }
#define TO_SCALAR(K) { const NAME(wide) y = r##K, x = other; r##K = (RESULT); }
#define TO_MEMORY(K) { const NAME(wide) y = r##K, x = *(const NAME(wide) *)(p + K * NAME(WIDE)); r##K = (RESULT); }
#define ALONE(K) { const NAME(wide) x = r##K; r##K = (RESULT); }
#define OTHER const NAME(wide) other = link->scalar - zero  // of zeros both signs stay
#define BINARY(OP)                                                                         \
    case OP: { OTHER; EACH(WITH_SCALAR) } break;                                           \
    case OP | IN_MEMORY: { const float *p = link->from < 0 ? link->memory + at : laid_by[link->from]; EACH(WITH_MEMORY) } break;  \
    case OP | TURNED: { OTHER; EACH(TO_SCALAR) } break;                                    \
    case OP | TURNED | IN_MEMORY: { const float *p = link->from < 0 ? link->memory + at : laid_by[link->from]; EACH(TO_MEMORY) } break;
#define KEEP(K) *(NAME(wide) *)(to + K * NAME(WIDE)) = r##K;
#if defined(__x86_64__)
#define PAST(K) STREAM(to + K * NAME(WIDE), (NAME(stream))r##K);
#else
#define PAST(K) KEEP(K)
#endif

TARGET static int64_t NAME(run)(const oc_straight *chain, int64_t first, int64_t last) {
    const oc_link *end = chain->links + chain->count;
    const NAME(wide) zero = {0};
    float laid_by[OC_LAID_BY][8 * NAME(WIDE)] __attribute__((aligned(VECTOR)));
    float *result = chain->result;
    int64_t at = first;
    for (; at + 8 * NAME(WIDE) <= last; at += 8 * NAME(WIDE)) {
        EACH(EMPTY)
        for (const oc_link *link = chain->links; link < end; link++) {
            if (link->begins) {
                const float *from = link->begin_from < 0 ? link->begin + at : laid_by[link->begin_from];
                EACH(BLOCK_LOAD)
            }
            switch (link->op) {
#define RESULT x + y
            BINARY(E_ADD)
#undef RESULT
#define RESULT x - y
            BINARY(E_SUB)
#undef RESULT
#define RESULT x * y
            BINARY(E_MUL)
#undef RESULT
#define RESULT x / y
            BINARY(E_DIV)
#undef RESULT
#define RESULT (x - y) * (x - y)
            BINARY(E_SQDIFF)
#undef RESULT
#define RESULT NAME(chosen)(x < y, y, x)
            BINARY(E_MAX)
#undef RESULT
#define RESULT NAME(chosen)(x > y, y, x)
            BINARY(E_MIN)
#undef RESULT
#define RESULT NAME(chosen)(y > zero, x, x * zero)
            BINARY(E_RELUGRAD)
#undef RESULT
#define RESULT -x
            case E_NEG: EACH(ALONE) break;
#undef RESULT
#define RESULT (NAME(wide))((NAME(mask))x & 0x7fffffff)
            case E_ABS: EACH(ALONE) break;
#undef RESULT
#define RESULT x * x
            case E_SQUARE: EACH(ALONE) break;
#undef RESULT
#define RESULT 1.0f / x
            case E_RECIP: EACH(ALONE) break;
#undef RESULT
#define RESULT NAME(chosen)((x > zero) | (x != x), x, zero)
            case E_RELU: EACH(ALONE) break;
#undef RESULT
            default: break;
            }
            if (link->laid_by >= 0) {
                float *to = laid_by[link->laid_by];
                EACH(KEEP)
            }
            if (link->store) {
                float *to = link->store + at;
                if (link->past && !((uintptr_t)to & (VECTOR - 1))) { EACH(PAST) }
                else { EACH(KEEP) }
            }
        }
        if (result) {
            float *to = result;
            EACH(KEEP)
            result += 8 * NAME(WIDE);
        }
    }
#if defined(__x86_64__)
    if (!result) __builtin_ia32_sfence();
#endif
    return at;
}

#undef EACH
#undef EMPTY
#undef BLOCK_LOAD
#undef WITH_SCALAR
#undef WITH_MEMORY
#undef TO_SCALAR
#undef TO_MEMORY
#undef ALONE
#undef OTHER
#undef BINARY
#undef KEEP
#undef PAST
#undef STREAM
#undef VECTOR
#undef TARGET
#undef NAME
