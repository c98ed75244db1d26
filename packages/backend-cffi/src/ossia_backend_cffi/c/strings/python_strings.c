// Byte strings that are Python objects: where their bytes lie, new ones, and the numbers that they write. Nothing else here touches
// Python's objects; the interpreter is held meanwhile.
#include <pyconfig.h>
#if !defined(Py_LIMITED_API) && !defined(Py_DEBUG) && !defined(Py_GIL_DISABLED)
#define Py_LIMITED_API 0x030A0000
#endif
#include <Python.h>
#include "program/program.h"
#include "arrays/direct.h"
#include <string.h>

// Where the bytes of the objects lie, which must live on while they are read; 1 if there are others than byte strings.
int oc_texts(int64_t count, void *const *objects, oc_text *texts) {
    const PyGILState_STATE state = PyGILState_Ensure();
    int wrong = 0;
    for (int64_t k = 0; k < count && !wrong; k++) {
        char *at;
        Py_ssize_t size;
        wrong = !objects[k] || PyBytes_AsStringAndSize((PyObject *)objects[k], &at, &size);
        if (!wrong) texts[k] = (oc_text){(const uint8_t *)at, size};
    }
    if (wrong) PyErr_Clear();
    PyGILState_Release(state);
    return wrong;
}

// New objects, in the places of the old ones, but where a text lies nowhere; 1 if there is no memory.
int oc_strings(int64_t count, const oc_text *texts, void **objects) {
    const PyGILState_STATE state = PyGILState_Ensure();
    int wrong = 0;
    for (int64_t k = 0; k < count && !wrong; k++) {
        if (!texts[k].at) continue;
        PyObject *made = PyBytes_FromStringAndSize((const char *)texts[k].at, (Py_ssize_t)texts[k].size), *old = objects[k];
        wrong = !made;
        if (wrong) break;
        objects[k] = made;
        Py_XDECREF(old);
    }
    if (wrong) PyErr_Clear();
    PyGILState_Release(state);
    return wrong;
}

static inline int is_digit(const uint8_t *at, const uint8_t *end) { return at < end && (unsigned)(*at - '0') < 10; }

// A number between spaces, of which `*at` becomes the first character behind it; 1 if it is none, or one of another form.
static int whole_number(const uint8_t **at, const uint8_t *end, int64_t *out) {
    const uint8_t *p = *at;
    const int negative = p < end && *p == '-';
    p += negative;
    const uint8_t *first = p;
    int64_t value = 0;
    for (; is_digit(p, end); p++) {
        if (p - first == 18) return 1;  // more digits may be too many
        value = value * 10 + (*p - '0');
    }
    if (p == first) return 1;
    *at = p;
    *out = negative ? -value : value;
    return 0;
}

// Of few digits and a small power of ten the quotient or product is the nearest number; all else is read as Python reads it, which looks
// for the end of the number itself: behind each byte string there is a NUL. `*exact`: whether it is the number itself.
static int real_number(const uint8_t **at, const uint8_t *end, double *out, int *exact) {
    static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const uint8_t *p = *at;
    const int negative = p < end && *p == '-';
    p += negative || (p < end && *p == '+');
    int64_t value = 0, digits = 0, power = 0;
    for (int behind = 0; p < end; p++) {
        if (*p == '.' && !behind) behind = 1;
        else if (is_digit(p, end)) {
            if (++digits <= 15) value = value * 10 + (*p - '0');
            power -= behind;
        } else break;
    }
    if (!digits) return 1;
    if (p < end && (*p | 32) == 'e') {
        p++;
        const int down = p < end && *p == '-';
        p += down || (p < end && *p == '+');
        if (!is_digit(p, end)) return 1;
        int64_t exponent = 0;
        for (; is_digit(p, end); p++) if (exponent < 100000) exponent = exponent * 10 + (*p - '0');
        power += down ? -exponent : exponent;
    }
    if (digits > 15 || power > 22 || power < -22) {
        char *stopped;
        *out = PyOS_string_to_double((const char *)*at, &stopped, NULL);
        if (PyErr_Occurred()) PyErr_Clear();
        if ((const uint8_t *)stopped != p) return 1;
    } else {
        const double plain = power < 0 ? (double)value / POWERS[-power] : (double)value * POWERS[power];
        *out = negative ? -plain : plain;
    }
    *exact = digits <= 15 && power == 0;
    *at = p;
    return 0;
}

// Whether a double lies halfway between two floats: if it was rounded to there, the text tells which is nearer.
static int is_halfway(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x1FFFFFFF) == 0x10000000;
}

// The numbers that byte strings write, but where a text lies nowhere; 1 if one is none, or none of a plain form. The kinds are those of
// arrays: float, double, int32, int64.
int oc_numbers(int kind, int64_t count, const oc_text *texts, char *out) {
    const PyGILState_STATE state = PyGILState_Ensure();
    int wrong = 0;
    for (int64_t k = 0; k < count && !wrong; k++) {
        if (!texts[k].at) continue;
        const uint8_t *at = texts[k].at, *end = at + texts[k].size;
        double real = 0;
        int64_t whole = 0;
        int exact = 1;
        while (at < end && *at == ' ') at++;
        wrong = kind < 2 ? real_number(&at, end, &real, &exact) : whole_number(&at, end, &whole);
        while (at < end && *at == ' ') at++;
        wrong |= at != end || (kind == 2 && whole != (int32_t)whole) || (kind == 0 && !exact && is_halfway(real));
        if (kind == 0) ((float *)out)[k] = (float)real;
        else if (kind == 1) ((double *)out)[k] = real;
        else if (kind == 2) ((int32_t *)out)[k] = (int32_t)whole;
        else ((int64_t *)out)[k] = whole;
    }
    PyGILState_Release(state);
    return wrong;
}
