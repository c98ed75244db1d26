"""Random calls of what cuts and rearranges arrays."""

from __future__ import annotations

import numpy as np
from draw import INDEX, PLAIN, array, axis_of, broadcastable, call, chance, constant, family, fed, maybe, shape, tensor


@family("array")
def _():
    kind = chance.randint(0, 33)
    dtype_ = chance.choice(PLAIN)
    s = shape(0, 4)
    x = tensor(dtype_, s)
    n = len(s)
    if kind == 0:
        t = list(s)
        chance.shuffle(t)
        if chance.random() < 0.4 and t:
            t[chance.randrange(len(t))] = -1
        if chance.random() < 0.2:
            t = [-1]
        return call(
            "reshape",
            x,
            t if chance.random() < 0.5 else fed(np.array(t, "int32") if t else np.zeros(0, "int32"), "int32"),
        )
    if kind == 1:
        p = list(range(n))
        chance.shuffle(p)
        return call(
            "transpose",
            x,
            **maybe(0.8, perm=lambda: p if chance.random() < 0.6 else fed(np.array(p, "int32"), "int32")),
            **maybe(0.2, conjugate=lambda: chance.random() < 0.5),
        )
    if kind == 2:
        s = [1 if chance.random() < 0.5 else d for d in s]
        return call(
            "squeeze",
            tensor(dtype_, s),
            **maybe(0.6, axis=lambda: chance.choice([axis_of(n), [i for i, d in enumerate(s) if d == 1], None])),
        )
    if kind == 3:
        return call(
            "expand_dims", x, **maybe(0.95, axis=lambda: chance.randint(-n - 1, n) if chance.random() < 0.95 else n + 2)
        )
    if kind == 4:
        m = chance.randint(1, 3)
        a = axis_of(n) if n else 0
        xs = []
        for _ in range(m):
            t = list(s)
            if n:
                t[a] = chance.choice([0, 1, 2, 3])
            if chance.random() < 0.04 and n:
                t[chance.randrange(n)] += 1
            xs.append(tensor(dtype_, t))
        return call("concat", xs, chance.choice([a, a, constant(a, "int32"), fed(a, "int32")]))
    if kind == 5:
        return call(
            chance.choice(["stack", "parallel_stack"]) if chance.random() < 0.2 else "stack",
            [tensor(dtype_, s if chance.random() < 0.97 else broadcastable(s)) for _ in range(chance.randint(1, 3))],
            **maybe(0.6, axis=lambda: chance.randint(-n - 1, n + (chance.random() < 0.05))),
        )
    if kind == 6:
        return call(
            "unstack", x, **maybe(0.2, num=lambda: chance.choice(s or [1])), **maybe(0.6, axis=lambda: axis_of(n))
        )
    if kind == 7:
        a = axis_of(n) if n else 0
        d = s[a] if n else 1
        q = chance.random()
        num = (
            chance.choice([1, 2, d or 1])
            if q < 0.6
            else [d]
            if q < 0.7
            else [chance.randint(0, d), -1]
            if q < 0.85
            else [d // 2, d - d // 2]
        )
        if isinstance(num, list) and chance.random() < 0.4:
            num = fed(num, "int32")
        return call("split", x, num, chance.choice([a, a, fed(a, "int32")]))
    if kind == 8:
        return call(
            "tile",
            x,
            chance.choice(
                [
                    [chance.choice([0, 1, 2]) for _ in s],
                    fed(np.array([chance.choice([1, 2]) for _ in s], "int32"), chance.choice(INDEX)),
                ]
            ),
        )
    if kind == 9:
        p = [[chance.choice([0, 1, 2]), chance.choice([0, 0, 1])] for _ in s]
        mode = chance.choice(["CONSTANT", "REFLECT", "SYMMETRIC", "constant"])
        return call(
            "pad",
            x,
            p if chance.random() < 0.5 and p else fed(np.array(p, "int32").reshape(n, 2), "int32"),
            **{"mode": mode} if chance.random() < 0.7 else {},
            **maybe(0.2, constant_values=lambda: chance.choice([0, 1, 2])),
        )
    if kind == 10:
        b = [chance.randint(0, d) for d in s]
        z = [chance.choice([-1, chance.randint(0, max(d - i, 0))]) for d, i in zip(s, b)]
        if chance.random() < 0.06 and z:
            z[0] += 3
        if not b:
            b = np.zeros(0, "int32")
            z = b
        return call(
            "slice",
            x,
            fed(b, chance.choice(INDEX)) if chance.random() < 0.6 or not n else b,
            fed(z, "int32") if chance.random() < 0.6 or not n else z,
        )
    if kind in (11, 12, 13):
        e = []
        for _ in range(chance.randint(0, n + (chance.random() < 0.1))):
            r = chance.random()
            if r < 0.3:
                e.append(str(chance.choice([0, -1, 1, 0])))
            elif r < 0.75:
                e.append(
                    "slice({},{},{})".format(
                        chance.choice(["None", "0", "1", "-1", "-2", "5"]),
                        chance.choice(["None", "2", "-1", "0", "9"]),
                        chance.choice(["None", "1", "2", "-1", "-2"]),
                    )
                )
            elif r < 0.85:
                e.append("None")
            elif "Ellipsis" not in e:
                e.append("Ellipsis")
        return call("Tensor.__getitem__", x, {"expr": "({})".format("".join(i + "," for i in e))})
    if kind in (14, 15):
        s = shape(1, 3, 0.03)
        n = len(s)
        a = axis_of(n)
        d = s[a]
        ish = shape(0, 3)
        hi = max(d - 1, 0) + (chance.random() < 0.05)
        idx = np.array([chance.randint(0, hi) for _ in range(int(np.prod(ish)))], "int32").reshape(ish)
        kw = maybe(0.6, axis=a)
        if chance.random() < 0.3 and ish:
            kw["batch_dims"] = chance.choice([1, 1, -1])
            kw["axis"] = chance.choice([1, -1])
        return call("gather", tensor(dtype_, s), fed(idx, chance.choice(INDEX)), **kw)
    if kind == 16:
        s = shape(1, 4, 0.03)
        q = chance.randint(0, len(s))
        ish = shape(0, 2)
        idx = np.array(
            [[chance.randint(0, max(d - 1, 0)) for d in s[:q]] for _ in range(int(np.prod(ish)))], "int32"
        ).reshape(ish + [q])
        return call("gather_nd", tensor(dtype_, s), fed(idx, chance.choice(INDEX)), **maybe(0.15, batch_dims=1))
    if kind == 17:
        m = chance.randint(0, 4)
        q = chance.randint(1, 2)
        sh = [chance.choice([3, 4]) for _ in range(q)] + shape(0, 2)
        idx = np.array(
            [[chance.randint(0, d - 1 + (chance.random() < 0.02)) for d in sh[:q]] for _ in range(m)], "int32"
        ).reshape(m, q)
        it = chance.choice(INDEX)
        u = tensor(dtype_, [m] + sh[q:])
        f = chance.choice(["scatter_nd", "tensor_scatter_nd_update", "tensor_scatter_nd_add", "tensor_scatter_nd_sub"])
        if f == "scatter_nd":
            return call(f, fed(idx, it), u, fed(sh, it))
        return call(f, tensor(dtype_, sh), fed(idx, it), u)
    if kind == 18:
        ish = shape(0, 2)
        idx = np.array([chance.randint(-1, 4) for _ in range(int(np.prod(ish)))] + [0])[:-1].reshape(ish)
        return call(
            "one_hot",
            fed(idx, chance.choice(["int32", "int64", "uint8"]))
            if idx.size == 0 or idx.min() >= 0
            else fed(idx, chance.choice(INDEX)),
            chance.choice([4, 0, 3, constant(3, "int32"), fed(4, "int32")]),
            **maybe(0.4, on_value=lambda: chance.choice([5, 2.0, True])),
            **maybe(0.3, off_value=lambda: chance.choice([-1, 0.5, False])),
            **maybe(0.5, axis=lambda: chance.randint(-1, len(ish))),
            **maybe(0.3, dtype=lambda: {"dtype": chance.choice(["float32", "int32", "bool", "float64", "uint8"])}),
        )
    if kind == 19:
        cs = chance.choice([s, s, s[:1], []])
        if chance.random() < 0.3:
            return call("where", tensor("bool", s))
        if chance.random() < 0.4:
            return call(
                "where_v2", tensor("bool", broadcastable(s)), tensor(dtype_, s), tensor(dtype_, broadcastable(s))
            )
        return call(
            "where",
            tensor("bool", cs),
            tensor(dtype_, s),
            tensor(dtype_, s if chance.random() < 0.95 else broadcastable(s)),
        )
    if kind == 20:
        q = chance.randint(1, max(n, 1))
        m = s[:q]
        return call(
            "boolean_mask", x, tensor("bool", m, p="const" if chance.random() < 0.5 else list(m)), **maybe(0.1, axis=0)
        )
    if kind == 21:
        return call(
            "reverse", x, fed(np.array(chance.sample(range(n), chance.randint(0, n)), "int32"), chance.choice(INDEX))
        )
    if kind == 22:
        s = shape(2, 4, 0.03)
        b, q = chance.choice([(0, 1), (1, 0)])
        return call(
            "reverse_sequence",
            tensor(dtype_, s),
            fed([chance.randint(0, s[q] + (chance.random() < 0.05)) for _ in range(s[b])], chance.choice(INDEX)),
            seq_axis=q,
            batch_axis=b,
        )
    if kind == 23:
        s = shape(1, 3)
        return call("roll", tensor(dtype_, s), chance.choice([1, -1, fed(3, "int32")]), axis_of(len(s)))
    if kind == 24:
        return call(
            "sequence_mask",
            tensor(chance.choice(INDEX), shape(0, 2), "benign"),
            **maybe(0.5, maxlen=lambda: chance.choice([3, 5, 0, fed(4, "int32")])),
            **maybe(0.3, dtype=lambda: {"dtype": chance.choice(["float32", "int32", "bool"])}),
        )
    if kind == 25:
        return call(
            "meshgrid",
            *[tensor(dtype_, shape(0, 1)) for _ in range(chance.randint(0, 3))],
            **maybe(0.5, indexing=lambda: chance.choice(["xy", "ij", "bad"])),
        )
    if kind == 26:
        t = broadcastable(s)
        return call("broadcast_to", tensor(dtype_, t), fed(np.array(s, "int32"), chance.choice(INDEX)))
    if kind == 27:
        return call(
            chance.choice(["unique", "unique_with_counts"]),
            tensor(dtype_, shape(1, 1), chance.choice(["ties", "benign"])),
            **maybe(0.3, out_idx=lambda: {"dtype": chance.choice(INDEX)}),
        )
    if kind == 28:
        return call("setdiff1d", tensor(dtype_, shape(1, 1), "ties"), tensor(dtype_, shape(1, 1), "ties"))
    if kind == 29:
        b = shape(0, 2, 0)
        a = np.sort(array(chance.choice(["float32", "int32", "int64", "float64"]), b + [4], "benign"), -1)
        return call(
            "searchsorted",
            fed(a, a.dtype.name),
            tensor(a.dtype.name, b + [3], "benign"),
            **maybe(0.5, side=lambda: chance.choice(["left", "right"])),
        )
    if kind == 30:
        q = chance.randint(0, n)
        m = s[:q]
        return call(
            "dynamic_partition",
            x,
            fed(np.array([chance.randint(0, 2) for _ in range(int(np.prod(m)))], "int32").reshape(m), "int32"),
            3,
        )
    if kind == 31:
        m = chance.randint(1, 3)
        t = shape(0, 2)
        xs = [shape(0, 1) for _ in range(m)]
        return call(
            chance.choice(["dynamic_stitch", "parallel_stack_"][:1]),
            [
                fed(np.array([chance.randint(0, 5) for _ in range(int(np.prod(q)))], "int32").reshape(q), "int32")
                for q in xs
            ],
            [tensor(dtype_, q + t) for q in xs],
        )
    if kind == 32:
        return call(
            "repeat",
            x,
            chance.choice(
                [2, 0, 1, fed(2, "int32"), fed([chance.randint(0, 2) for _ in range(s[0])], "int32") if s else 1]
            ),
            **maybe(0.6, axis=lambda: axis_of(n)),
        )
    return (
        call(
            chance.choice(["shape", "size", "rank", "shape_n", "zeros_like", "ones_like"])
            if chance.random() < 0.7
            else "shape",
            x,
            **{} if chance.random() < 0.5 else {"out_type": {"dtype": chance.choice(INDEX)}},
        )
        if chance.random() < 0.7
        else call(
            chance.choice(["space_to_depth", "depth_to_space"]),
            tensor(dtype_, [chance.choice([1, 2]), 4, 2, 4]),
            2,
            **maybe(0.3, data_format=lambda: chance.choice(["NHWC", "NCHW", "NCHW_VECT_C"])),
        )
    )
