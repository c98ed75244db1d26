"""Random calls on strings, sparse tensors and signals."""

from __future__ import annotations

import numpy as np
from draw import INDEX, NUMBERS, PLAIN, axes_of, axis_of, call, chance, family, fed, maybe, shape, sparse, tensor, texts


@family("strings")
def _():
    kind = chance.randint(0, 22)
    s = shape(0, 2)
    if kind == 0:
        return call(
            chance.choice(["strings.strip", "strings.lower", "strings.upper", "strings.bytes_split"]), texts(s)
        )
    if kind == 1:
        return call("strings.lower", texts(s), **maybe(0.6, encoding=lambda: chance.choice(["utf-8", "", "bad"])))
    if kind == 2:
        return call("strings.length", texts(s), **maybe(0.6, unit=lambda: chance.choice(["BYTE", "UTF8_CHAR", "bad"])))
    if kind == 3:
        q = chance.choice([[], s])
        return (
            call(
                "strings.substr",
                texts(s),
                fed(
                    np.array(chance.choice([0, 1, -1, 2, -3]))
                    if not q
                    else np.array([chance.randint(-2, 2) for _ in range(int(np.prod(q)))] + [0])[:-1].reshape(q),
                    chance.choice(INDEX),
                ),
                fed(
                    np.array(chance.choice([0, 1, 2, 9]))
                    if not q
                    else np.array([chance.randint(0, 3) for _ in range(int(np.prod(q)))] + [0])[:-1].reshape(q),
                    "int32",
                ),
                **maybe(0.3, unit=lambda: chance.choice(["BYTE", "UTF8_CHAR"])),
            )
            if chance.random() < 0.2
            else call(
                "strings.substr",
                texts(s),
                chance.choice([0, 1, -1, 2, -3]),
                chance.choice([0, 1, 2, 9, -1]),
                **maybe(0.4, unit=lambda: chance.choice(["BYTE", "UTF8_CHAR"])),
            )
        )
    if kind == 4:
        return call(
            chance.choice(["string_split"]),
            texts(shape(1, 1)),
            **maybe(0.6, sep=lambda: chance.choice([" ", ",", "", "b", "ab"])),
            **maybe(0.3, skip_empty=lambda: chance.random() < 0.5),
        )
    if kind == 5:
        return call(
            "strings.split",
            texts(shape(0, 1)),
            **maybe(0.6, sep=lambda: chance.choice([" ", ",", "", "b", "ab"])),
            **maybe(0.3, maxsplit=lambda: chance.choice([-1, 0, 1, 2])),
            **maybe(0.4, result_type=lambda: chance.choice(["SparseTensor", "RaggedTensor"])),
        )
    if kind == 6:
        return call(
            "strings.regex_replace",
            texts(s),
            chance.choice(
                [
                    "a",
                    "[a-z]+",
                    "\\s",
                    "(\\w)(\\w)",
                    "^",
                    "$",
                    "",
                    "(",
                    "\\d+",
                    "[^a-z]",
                    "\\pL",
                    "(?i)A",
                    "a*?",
                    "\\bh",
                    ".",
                ]
            ),
            chance.choice(["", "X", "\\1", "\\0-", "\\2\\1", "\\\\", "\\9"]),
            **maybe(0.4, replace_global=lambda: chance.random() < 0.5),
        )
    if kind == 7:
        return call(
            "strings.regex_full_match",
            texts(s),
            chance.choice(["a", "[a-z]+", "\\s*", "(\\w)*", "", "(", ".*", "(?s).*", "\\C*", "[[:alpha:] ]*", "\\d+"]),
        )
    if kind == 8:
        return call(
            "strings.join",
            [texts(chance.choice([s, []])) for _ in range(chance.randint(1, 3))],
            **maybe(0.5, separator=lambda: chance.choice(["", "-", ", "])),
        )
    if kind == 9:
        return call(
            "reduce_join",
            texts(s),
            **maybe(0.8, axis=lambda: axes_of(len(s))),
            **maybe(0.3, keep_dims=True),
            **maybe(0.4, separator=","),
        )
    if kind == 10:
        return call(
            "strings.to_number",
            texts([1], p="const") if chance.random() < 0.5 else texts([]),
            **maybe(0.6, out_type=lambda: {"dtype": chance.choice(["float32", "float64", "int32", "int64"])}),
        )
    if kind == 11:
        return call(
            chance.choice(["strings.to_hash_bucket", "strings.to_hash_bucket_fast"]),
            texts(s),
            chance.choice([1, 10, 1000]),
        )
    if kind == 12:
        return call(
            "strings.to_hash_bucket_strong",
            texts(s),
            chance.choice([1, 10, 1000]),
            chance.choice([[1, 2], [0, 0], [-1, 5], [1]]),
        )
    if kind == 13:
        dtype_ = chance.choice(
            ["float32", "float64", "int32", "int64", "bool", "int8", "complex64", "complex128", "uint8", "int16"]
        )
        f = dtype_[0] in "fc"
        return call(
            "as_string",
            tensor(dtype_, s),
            **maybe(0.3, precision=lambda: chance.choice([0, 2, 5, -1])) if f else {},
            **maybe(0.2, scientific=True) if f else {},
            **maybe(0.2, shortest=True) if f else {},
            **maybe(0.3, width=lambda: chance.choice([0, 3, 10])),
            **maybe(0.3, fill=lambda: chance.choice(["0", " ", "-", "+", "x", "ab"])),
        )
    if kind == 14:
        return call(
            "strings.format",
            chance.choice(["{}", "a {} b", "{} {}", "none"]),
            chance.choice(
                [
                    lambda: tensor(chance.choice(PLAIN), shape(0, 3)),
                    lambda: [tensor("float32", [2], "benign"), tensor("int32", [3])],
                ]
            )(),
            **maybe(0.3, summarize=lambda: chance.choice([-1, 1, 2])),
        )
    if kind == 15:
        return call(
            "strings.unicode_transcode",
            texts(s),
            chance.choice(["UTF-8", "UTF-16-BE", "ISO-8859-1", "bad"]),
            chance.choice(["UTF-8", "UTF-16-BE", "UTF-32-BE"]),
            **maybe(0.5, errors=lambda: chance.choice(["replace", "ignore", "strict"])),
            **maybe(0.3, replacement_char=63),
            **maybe(0.3, replace_control_characters=True),
        )
    if kind == 16:
        return call(
            chance.choice(
                [
                    "strings.unicode_decode",
                    "strings.unicode_split",
                    "strings.unicode_decode_with_offsets",
                    "strings.unicode_split_with_offsets",
                ]
            ),
            texts(shape(0, 2)),
            chance.choice(["UTF-8", "UTF-8", "UTF-16-BE"]),
            **maybe(0.4, errors=lambda: chance.choice(["replace", "ignore", "strict"])),
        )
    if kind == 17:
        return call(
            "strings.unicode_encode",
            fed([chance.choice([65, 8364, 128512, 55296, -1, 10]) for _ in range(3)], "int32"),
            chance.choice(["UTF-8", "UTF-16-BE", "UTF-32-BE"]),
            **maybe(0.4, errors=lambda: chance.choice(["replace", "ignore", "strict"])),
        )
    if kind == 18:
        return call("strings.unicode_script", tensor("int32", s, chance.choice(["benign", "special"])))
    if kind == 19:
        return call(
            "decode_raw",
            texts(shape(0, 1)),
            {
                "dtype": chance.choice(
                    ["float32", "uint8", "int16", "int8", "int64", "float16", "int32", "float64", "bool", "complex64"]
                )
            },
            **maybe(0.3, little_endian=lambda: chance.random() < 0.5),
        )
    if kind == 20:
        return call(chance.choice(["io.encode_base64", "io.decode_base64"]), texts(s))
    if kind == 21:
        return call("strings.ngrams_" if 0 else "strings.upper", texts(s))
    return call("substr", texts(s), 1, 2)


@family("sparse")
def _():
    kind = chance.randint(0, 22)
    dtype_ = chance.choice(NUMBERS)
    x, s = sparse(dtype_)
    n = len(s)
    if kind == 0:
        return call(
            "sparse.to_dense",
            x,
            **maybe(0.3, default_value=lambda: 1 if dtype_ != "bool" else True),
            **maybe(0.2, validate_indices=False),
        )
    if kind == 1:
        return call(
            chance.choice(
                ["sparse.reduce_sum", "sparse.reduce_max", "sparse.reduce_sum_sparse", "sparse.reduce_max_sparse"]
            ),
            x,
            **maybe(0.7, axis=lambda: axes_of(n)),
            **maybe(0.3, keepdims=True),
        )
    if kind == 2:
        return call("sparse.transpose", x, **maybe(0.5, perm=lambda: chance.sample(range(n), n)))
    if kind == 3:
        return call("sparse.reorder", sparse(dtype_, order=False)[0])
    if kind == 4:
        t = list(s)
        chance.shuffle(t)
        t[0] = -1 if chance.random() < 0.5 else t[0]
        return call("sparse.reshape", x, t if chance.random() < 0.5 else fed(t, "int64"))
    if kind == 5:
        y, _ = sparse(dtype_, s)
        return call("sparse.add", x, y)
    if kind == 6:
        return call("sparse.add", x, tensor(dtype_, s))
    if kind == 7:
        return call(chance.choice(["sparse.maximum", "sparse.minimum"]), x, sparse(dtype_, s)[0])
    if kind == 8:
        return call("sparse.concat", axis_of(n), [x, sparse(dtype_, s)[0]], **maybe(0.2, expand_nonconcat_dim=True))
    if kind == 9:
        return call("sparse.split", sp_input=x, num_split=chance.choice([1, 2]), axis=axis_of(n))
    if kind == 10:
        return call("sparse.slice", x, [chance.randint(0, 1) for _ in s], [chance.randint(0, d + 1) for d in s])
    if kind == 11:
        return call(
            "sparse.softmax", sparse(chance.choice(["float32", "float64"]), [2, 3, 4][: chance.choice([2, 3])])[0]
        )
    if kind == 12:
        return call("sparse.fill_empty_rows", sparse(dtype_, s[:2] if n > 1 else [3, 2])[0], 1)
    if kind == 13:
        return call("sparse.reset_shape", x, **maybe(0.5, new_shape=lambda: [d + 1 for d in s]))
    if kind == 14:
        return call("sparse.retain", sparse(dtype_, s, n=2)[0], fed([True, False], "bool"))
    if kind == 15:
        return call("sparse.to_indicator", sparse(chance.choice(INDEX), [3, 4])[0], 10)
    if kind == 16:
        m = chance.choice([2, 3])
        d = chance.choice(["float32", "float64", "int32", "complex64", "complex128", "float16", "bfloat16"])
        ta = chance.random() < 0.3
        tb = chance.random() < 0.3
        a, _ = sparse(d, [4, 3] if ta else [3, 4])
        return call(
            "sparse.sparse_dense_matmul",
            a,
            tensor(d, [m, 4] if tb else [4, m], "benign"),
            **{"adjoint_a": True} if ta else {},
            **{"adjoint_b": True} if tb else {},
        )
    if kind == 17:
        return call("sparse.from_dense", tensor(dtype_, shape(1, 3)))
    if kind == 18:
        return call("sparse.expand_dims", x, chance.choice([0, -1, 1, None]))
    if kind == 19:
        return call("sparse.eye", 3, **maybe(0.5, num_columns=4))
    if kind == 20:
        return (
            call("sparse.mask_" if 0 else "sparse.placeholder", {"dtype": dtype_}, **maybe(0.5, shape=[2, 3]))
            if 0
            else call("sparse.merge", sparse("int64", [3, 4])[0], sparse("float32", [3, 4])[0], 10)
        )
    if kind == 21:
        return call(
            chance.choice(["sparse.cross", "sparse.cross_hashed"]),
            [sparse("int64", [3, 4])[0], texts([3, 2], p="const")],
        )
    return (
        call(
            "sets." + chance.choice(["intersection", "union", "difference"]),
            tensor("int64", [2, 4], "ties"),
            tensor("int64", [2, 3], "ties"),
        )
        if chance.random() < 0.6
        else call("sets.size", sparse("int64", [3, 4])[0])
    )


@family("signal")
def _():
    kind = chance.randint(0, 9)
    dtype_ = chance.choice(["float32", "float64"])
    s = shape(0, 2, 0.04) + [chance.choice([1, 2, 4, 5, 8])]
    cd = chance.choice(["complex64", "complex128"])
    if kind == 0:
        return call("signal." + chance.choice(["fft", "ifft"]), tensor(cd, s, "benign"))
    if kind == 1:
        return call(
            "signal." + chance.choice(["rfft"]),
            tensor("float32", s, "benign"),
            **maybe(0.5, fft_length=lambda: [chance.choice([2, 4, 5, 8])]),
        )
    if kind == 2:
        return call(
            "signal.irfft",
            tensor("complex64", s, "benign"),
            **maybe(0.5, fft_length=lambda: [chance.choice([2, 4, 5, 8])]),
        )
    if kind == 3:
        return call(
            "signal." + chance.choice(["fft2d", "ifft2d", "fft3d", "ifft3d"]),
            tensor(cd, [chance.choice([1, 2, 3]) for _ in range(3)], "benign"),
        )
    if kind == 4:
        return call(
            "signal." + chance.choice(["dct", "idct"]),
            tensor(dtype_, s, "benign"),
            **maybe(0.6, type=lambda: chance.choice([1, 2, 3])),
            **maybe(0.3, norm="ortho"),
            **maybe(0.2, n=lambda: chance.choice([2, 4, 6])),
        )
    if kind == 5:
        return call(
            "signal.frame",
            tensor(chance.choice(NUMBERS), s),
            chance.choice([1, 2, 3]),
            chance.choice([1, 2]),
            **maybe(0.4, pad_end=True),
            **maybe(0.3, axis=-1),
        )
    if kind == 6:
        return call("signal.overlap_and_add", tensor(dtype_, shape(0, 1) + [3, 4]), chance.choice([1, 2, 4, 5]))
    if kind == 7:
        return call(
            "signal.stft",
            tensor("float32", [2, 20], "benign"),
            chance.choice([4, 5]),
            chance.choice([2, 3]),
            **maybe(0.4, fft_length=8),
            **maybe(0.3, pad_end=True),
            **maybe(0.3, window_fn={"fn": "signal.hamming_window"}),
        )
    if kind == 8:
        return call(
            "signal." + chance.choice(["hann_window", "hamming_window"]),
            chance.choice([1, 2, 5, 8]),
            **maybe(0.4, periodic=lambda: chance.random() < 0.5),
            **maybe(0.3, dtype=lambda: {"dtype": dtype_}),
        )
    return (
        call(
            "signal.linear_to_mel_weight_matrix",
            chance.choice([5, 20]),
            chance.choice([9, 17]),
            8000,
            chance.choice([80.0, 125.0]),
            chance.choice([2000.0, 3800.0]),
        )
        if chance.random() < 0.5
        else call("signal." + chance.choice(["rfft2d", "irfft2d"]), tensor("float32", [3, 4], "benign"))
        if chance.random() < 0.3
        else call("signal.mfccs_from_log_mel_spectrograms", tensor("float32", [2, 5, chance.choice([1, 8])], "benign"))
    )
