"""Random calls of linear algebra, and of random numbers."""

from __future__ import annotations

import numpy as np
from draw import (
    FLOATS,
    INDEX,
    NUMBERS,
    PLAIN,
    array,
    broadcastable,
    call,
    chance,
    constant,
    family,
    fed,
    maybe,
    shape,
    tensor,
)


@family("matmul")
def _():
    dtype_ = chance.choice(FLOATS * 2 + ["int32", "int64", "complex64", "complex128", "bfloat16", "int8"])
    kind = chance.randint(0, 4)
    a, b, d = [chance.choice([0, 1, 2, 3, 3, 4]) for _ in range(3)]
    if kind < 2:
        ba = shape(0, 2, 0.02)
        bb = ba if chance.random() < 0.6 else broadcastable(ba)
        ta, tb = (chance.random() < 0.3, chance.random() < 0.3)
        kw = {}
        f = chance.choice(["transpose", "adjoint"])
        if ta:
            kw[f + "_a"] = True
        if tb:
            kw[f + "_b"] = True
        if chance.random() < 0.05:
            b2 = b + 1
        else:
            b2 = b
        return call(
            "matmul",
            tensor(dtype_, ba + ([b, a] if ta else [a, b]), chance.choice(["benign", "ties", "special"])),
            tensor(dtype_, bb + ([d, b2] if tb else [b2, d]), "benign"),
            **kw,
            **maybe(0.1, a_is_sparse=True),
        )
    if kind == 2:
        return call(
            chance.choice(["linalg.matvec"]),
            tensor(dtype_, [a, b], "benign"),
            tensor(dtype_, [b], "benign"),
            **maybe(0.2, transpose_a=True),
        )
    if kind == 3:
        x = [chance.choice([1, 2, 3]) for _ in range(4)]
        return chance.choice(
            [
                lambda: call(
                    "tensordot",
                    tensor(dtype_, x[:3], "benign"),
                    tensor(dtype_, [x[2], x[3]], "benign"),
                    chance.choice([1, [[2], [0]], [[-1], [0]]]),
                ),
                lambda: call(
                    "tensordot", tensor(dtype_, x[:3], "benign"), tensor(dtype_, [x[1], x[2], x[3]], "benign"), 2
                ),
                lambda: call("tensordot", tensor(dtype_, x[:2], "benign"), tensor(dtype_, x[2:], "benign"), 0),
                lambda: call(
                    "tensordot",
                    tensor(dtype_, x[:3], "benign"),
                    tensor(dtype_, [x[0], x[2], x[3]], "benign"),
                    chance.choice([[[0, 2], [0, 1]], fed([[0, 2], [0, 1]], "int32")]),
                ),
            ]
        )()
    e = chance.choice(
        [
            "ij,jk->ik",
            "bij,bjk->bik",
            "ij->ji",
            "ij,ij->",
            "i,j->ij",
            "ij,jk",
            "ijk,k->ij",
            "bn,anm,bm->ba",
            "ij->i",
            "ii->i",
            "ij,kj->ik",
            "abc,cd->abd",
        ]
    )
    sizes = {}
    args = [
        tensor(dtype_, [sizes.setdefault(ch, chance.choice([1, 2, 3])) for ch in t], "benign")
        for t in e.split("->")[0].split(",")
    ]
    return call("einsum", e, *args)


@family("linalg")
def _():
    dtype_ = chance.choice(
        ["float32", "float64", "float32", "complex64", "complex128"] + (["float16"] if chance.random() < 0.1 else [])
    )
    b = shape(0, 1)
    n = chance.choice([0, 1, 2, 3, 4])
    m = chance.choice([0, 1, 2, 3])

    def spd():
        a = array(dtype_, b + [n, n], "benign")
        h = np.matmul(a, np.conj(np.swapaxes(a, -1, -2))) + np.eye(n) * n
        return fed(h.astype(a.dtype), dtype_)

    def gen():
        return tensor(dtype_, b + [n, n], "benign")

    def wc():
        a = array(dtype_, b + [n, n], "benign") + np.eye(n) * 5
        return fed(a.astype(dtype_), dtype_)

    kind = chance.randint(0, 22)
    if kind == 0:
        return call("linalg.cholesky", spd())
    if kind == 1:
        return call("cholesky_solve", wc(), tensor(dtype_, b + [n, m], "benign"))
    if kind == 2:
        return call(
            chance.choice(["linalg.det", "linalg.logdet", "linalg.slogdet", "matrix_determinant"]),
            chance.choice([spd, gen])(),
        )
    if kind == 3:
        return call("linalg.inv", wc(), **maybe(0.3, adjoint=lambda: chance.random() < 0.5))
    if kind == 4:
        return call(
            "linalg.solve",
            wc(),
            tensor(dtype_, b + [n, m], "benign"),
            **maybe(0.3, adjoint=lambda: chance.random() < 0.5),
        )
    if kind == 5:
        return call(
            chance.choice(["linalg.triangular_solve", "matrix_triangular_solve"]),
            wc(),
            tensor(dtype_, b + [n, m], "benign"),
            **maybe(0.5, lower=lambda: chance.random() < 0.5),
            **maybe(0.3, adjoint=lambda: chance.random() < 0.5),
        )
    if kind == 6:
        return call(
            "linalg.lstsq",
            tensor(dtype_, b + [n + 2, max(n, 1)], "benign"),
            tensor(dtype_, b + [n + 2, m], "benign"),
            **maybe(0.5, l2_regularizer=lambda: chance.choice([0.0, 0.1])),
            **maybe(0.3, fast=lambda: chance.random() < 0.7),
        )
    if kind == 7:
        x = call(chance.choice(["self_adjoint_eigvals", "linalg.eigvalsh"]), spd())
        return x
    if kind == 8:
        return call("svd", tensor(dtype_, b + [n, m or 1], "benign"), compute_uv=False)
    if kind == 9:
        return call("linalg.expm", gen())
    if kind == 10:
        return call(
            "linalg.band_part",
            tensor(chance.choice(NUMBERS), b + [n, m]),
            chance.choice([-1, 0, 1, constant(1, "int64")]),
            chance.choice([-1, 0, 1]),
        )
    if kind == 11:
        return (
            call(
                "linalg.set_diag",
                tensor(chance.choice(PLAIN), b + [n, m]),
                tensor(chance.choice(PLAIN) if chance.random() < 0.03 else dtype_, b + [min(n, m)]),
            )
            if chance.random() < 0.3
            else call("linalg.set_diag", tensor(dtype_, b + [n, m]), tensor(dtype_, b + [min(n, m)]))
        )
    if kind == 12:
        return call(chance.choice(["linalg.diag", "linalg.diag_part"]), tensor(chance.choice(PLAIN), shape(1, 3)))
    if kind == 13:
        return call(
            chance.choice(["linalg.trace", "linalg.adjoint", "linalg.transpose"]),
            tensor(chance.choice(NUMBERS), shape(2, 4)),
        )
    if kind == 14:
        return (
            call("linalg.cross", tensor(chance.choice(NUMBERS), b + [3]), tensor("float32", b + [3]))
            if chance.random() < 0.1
            else call("linalg.cross", tensor(dtype_, b + [3]), tensor(dtype_, b + [3]))
        )
    if kind == 15:
        return call("linalg.logm", spd(), g=0) if dtype_.startswith("c") else call("linalg.sqrtm", spd(), g=0)
    if kind == 16:
        return call("linalg.lu", wc(), g=0)
    if kind == 17:
        return call("linalg.qr", wc(), g=0, **maybe(0.3, full_matrices=True))
    if kind == 18:
        return call(
            "linalg.tridiagonal_solve",
            tensor(dtype_, b + [3, max(n, 1)], "pos" if dtype_[0] == "f" else "benign"),
            tensor(dtype_, b + [max(n, 1), 2], "benign"),
            diagonals_format="compact",
        )
    if kind == 19:
        return call(chance.choice(["linalg.matrix_rank"]), chance.choice([spd, gen])())
    if kind == 20:
        return call("linalg.pinv", tensor(dtype_, b + [n + 1, m + 1], "benign"))
    if kind == 21:
        return call("linalg.lu_matrix_inverse", wc(), fed(np.tile(np.arange(n, dtype="int32"), b + [1]), "int32"))
    return call("linalg.tensor_diag", tensor(chance.choice(NUMBERS), shape(0, 2)))


@family("random")
def _():
    kind = chance.randint(0, 12)
    dtype_ = chance.choice(FLOATS + ["bfloat16"])
    s = shape()
    sh = chance.choice([s, fed(np.array(s, "int32"), chance.choice(INDEX))])
    kw = {"g": 0}
    if chance.random() < 0.8:
        kw["seed"] = chance.choice([0, 1, 7, -3, 2**31, 12345678901])
    if kind == 0:
        return call(
            "random.normal",
            sh,
            **maybe(0.4, mean=lambda: chance.choice([2.0, -1.0])),
            **maybe(0.4, stddev=2.0),
            dtype={"dtype": dtype_},
            **kw,
        )
    if kind == 1:
        return call(
            "random.uniform",
            sh,
            **maybe(0.5, minval=lambda: -1),
            maxval=5,
            dtype={"dtype": chance.choice([dtype_, "int32", "int64"])},
            **kw,
        )
    if kind == 2:
        return call("random.truncated_normal", sh, dtype={"dtype": dtype_}, **kw)
    if kind == 3:
        return call(
            "random.gamma",
            sh if chance.random() < 0.3 else [3],
            tensor(chance.choice(FLOATS), shape(0, 1, 0), "pos"),
            **maybe(0.4, beta=2.0),
            seed=5,
            g=chance.choice([0, 1]),
        )
    if kind == 4:
        return call(
            "random.poisson",
            chance.choice([0.5, 3.0, 20.0, tensor(chance.choice(FLOATS), shape(0, 1, 0), "pos")]),
            [3],
            seed=5,
            **maybe(0.3, dtype=lambda: {"dtype": chance.choice(FLOATS + INDEX)}),
            g=0,
        )
    if kind == 5:
        return call("random.shuffle", tensor(chance.choice(PLAIN), shape(0, 3)), seed=chance.choice([1, 2]))
    if kind == 6:
        return call(
            chance.choice(["random.categorical", "multinomial"]),
            tensor(dtype_, [chance.choice([1, 2, 3]), chance.choice([1, 3, 4])], chance.choice(["benign", "special"])),
            chance.choice([0, 1, 4]),
            seed=3,
            **maybe(0.3, output_dtype=lambda: {"dtype": chance.choice(INDEX)}),
            g=0,
        )
    sd = chance.choice([[1, 2], [0, 0], [-1, 5], fed([3, 4], chance.choice(INDEX))])
    if kind == 7:
        return call("random.stateless_normal", sh, sd, dtype={"dtype": dtype_}, g=0)
    if kind == 8:
        return call(
            "random.stateless_uniform",
            sh,
            sd,
            **{"minval": -3, "maxval": 9, "dtype": {"dtype": chance.choice(INDEX)}}
            if chance.random() < 0.5
            else {"dtype": {"dtype": dtype_}},
            g=0,
        )
    if kind == 9:
        return call("random.stateless_truncated_normal", sh, sd, dtype={"dtype": dtype_}, g=0)
    if kind == 10:
        return call("random.stateless_categorical", tensor(dtype_, [2, 3], "benign"), 4, sd, g=0)
    if kind == 11:
        return call(
            "random_crop",
            tensor(chance.choice(NUMBERS), [4, 5]),
            [chance.choice([2, 5]), 3],
            seed=chance.choice([1, 2]),
        )
    return call(
        "nn.dropout",
        tensor(dtype_, s, "benign"),
        **{"rate": chance.choice([0.5, 0.0, 0.3, 0.99])}
        if chance.random() < 0.6
        else {"keep_prob": chance.choice([0.5, 1.0, 0.1])},
        **maybe(0.3, noise_shape=lambda: broadcastable(s)),
        seed=3,
    )
