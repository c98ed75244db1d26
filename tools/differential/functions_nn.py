"""Random calls of what neural networks are made of."""

from __future__ import annotations

import numpy as np
from draw import FLOATS, INDEX, INTEGERS, MODES, axis_of, broadcastable, call, chance, family, fed, maybe, shape, tensor


@family("xent")
def _():
    kind = chance.randint(0, 8)
    dtype_ = chance.choice(FLOATS + ["bfloat16"])
    s = shape(1, 3, 0.04)
    if kind == 0:
        return call(
            "nn.sigmoid_cross_entropy_with_logits",
            labels=tensor(dtype_, s),
            logits=tensor(dtype_, s if chance.random() < 0.95 else broadcastable(s)),
        )
    if kind == 1:
        return call(
            "nn.softmax_cross_entropy_with_logits_v2",
            tensor(dtype_, s),
            tensor(dtype_, s),
            **maybe(0.4, axis=lambda: axis_of(len(s))),
        )
    if kind == 2:
        return call(
            "nn.softmax_cross_entropy_with_logits",
            labels=tensor(dtype_, s),
            logits=tensor(dtype_, s),
            **maybe(0.4, dim=lambda: axis_of(len(s))),
        )
    if kind == 3:
        l = np.array(
            [chance.randint(0, max(s[-1] - 1, 0) + (chance.random() < 0.04)) for _ in range(int(np.prod(s[:-1])))],
            "int32",
        ).reshape(s[:-1])
        return call(
            "nn.sparse_softmax_cross_entropy_with_logits", labels=fed(l, chance.choice(INDEX)), logits=tensor(dtype_, s)
        )
    if kind == 4:
        return call(
            "nn.weighted_cross_entropy_with_logits",
            tensor(dtype_, s),
            tensor(dtype_, s),
            chance.choice([2.0, 0.5, tensor(dtype_, broadcastable(s))]),
        )
    if kind == 5:
        return call(
            chance.choice(["nn.softmax", "nn.log_softmax"]),
            tensor(dtype_, s),
            **maybe(0.6, axis=lambda: axis_of(len(s), chance.random() < 0.05)),
        )
    if kind == 6:
        return call("nn.log_poisson_loss", tensor(dtype_, s), tensor(dtype_, s), **maybe(0.5, compute_full_loss=True))
    if kind == 7:
        return call(
            "nn.in_top_k",
            tensor("float32", s[:2] if len(s) > 1 else [3, 4], chance.choice(["ties", "benign", "special"])),
            fed([chance.randint(0, 3) for _ in range((s[:2] if len(s) > 1 else [3, 4])[0])], chance.choice(INDEX)),
            chance.choice([1, 2, 0]),
        )
    return call(
        "nn.bias_add",
        tensor(dtype_, s),
        tensor(dtype_, [s[-1]]),
        **maybe(0.3, data_format=lambda: chance.choice(["NHWC", "NCHW"])),
    )


@family("norm")
def _():
    kind = chance.randint(0, 7)
    dtype_ = chance.choice(FLOATS)
    s = shape(1, 4, 0.04)
    ax = sorted(chance.sample(range(len(s)), chance.randint(1, len(s))))
    if kind < 2:
        return call("nn.moments", tensor(dtype_, s), ax, **maybe(0.4, keep_dims=True), **maybe(0.2, shift=lambda: None))
    if kind == 2:
        return call(
            "nn.weighted_moments",
            tensor(dtype_, s),
            ax,
            tensor(dtype_, broadcastable(s), "pos"),
            **maybe(0.4, keep_dims=True),
        )
    if kind == 3:
        return call(
            "nn.sufficient_statistics",
            tensor(dtype_, s),
            ax,
            **maybe(0.4, keep_dims=True),
            **maybe(0.4, shift=lambda: chance.choice([1.0, tensor(dtype_, [])])),
        )
    if kind == 4:
        return call(
            "nn.batch_normalization",
            tensor(dtype_, s),
            tensor(dtype_, [s[-1]]),
            tensor(dtype_, [s[-1]], "pos"),
            chance.choice([None, tensor(dtype_, [s[-1]])]),
            chance.choice([None, tensor(dtype_, [s[-1]])]),
            0.001,
        )
    if kind == 5:
        s = [chance.choice([1, 2]), 2, 3, chance.choice([1, 3])]
        d = s[-1]
        df = chance.choice(["NHWC"] * 4 + ["NCHW"])
        tr = chance.random() < 0.6
        dtype_ = chance.choice(["float32", "float32", "float32", "float16"])
        x = tensor(dtype_, s, "benign")
        if df == "NCHW":
            d = s[1]
        return call(
            "nn.fused_batch_norm",
            x,
            tensor("float32", [d], "benign"),
            tensor("float32", [d], "benign"),
            **{} if tr else {"mean": tensor("float32", [d], "benign"), "variance": tensor("float32", [d], "pos")},
            is_training=tr,
            data_format=df,
            **maybe(0.3, epsilon=lambda: chance.choice([0.01, 1e-06])),
            g=chance.choice([0, 1]),
        )
    if kind == 6:
        return call(
            "nn.lrn",
            tensor(chance.choice(["float32", "float32", "float16"]), [2, 2, 3, chance.choice([1, 4, 7])], "benign"),
            **maybe(0.5, depth_radius=lambda: chance.choice([0, 1, 2, 5])),
            **maybe(0.4, bias=lambda: chance.choice([1.0, 2.0])),
            **maybe(0.4, alpha=0.3),
            **maybe(0.4, beta=lambda: chance.choice([0.5, 1.0, 0.75])),
        )
    return call(
        "nn.normalize_moments",
        fed(3.0, dtype_),
        tensor(dtype_, [4]),
        tensor(dtype_, [4]),
        chance.choice([None, fed(1.0, dtype_)]),
    )


@family("conv")
def _():
    kind = chance.randint(0, 12)
    dtype_ = chance.choice(["float32", "float32", "float32", "float64", "float16"])
    n = chance.choice([1, 2, 0] if chance.random() < 0.2 else [1, 2])
    h, w = (chance.choice([3, 4, 5, 6]), chance.choice([3, 4, 5]))
    ci, co = (chance.choice([1, 2, 3]), chance.choice([1, 2, 4]))
    kh, kw_ = (chance.choice([1, 2, 3]), chance.choice([1, 2, 3]))
    pad = chance.choice(["SAME", "VALID"])
    st = chance.choice([1, 1, 2, 3])
    st2 = chance.choice([1, 2])
    B = "benign"
    g = chance.choice([0, 1, 1, 2])
    df = chance.choice(["NHWC"] * 6 + ["NCHW"])
    if kind < 3:
        dil = chance.choice([1, 1, 1, 2])
        p = (
            pad
            if chance.random() < 0.85
            else [[0, 0], [chance.choice([0, 1, 2]), 1], [0, chance.choice([0, 1])], [0, 0]]
        )
        return call(
            "nn.conv2d",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [kh, kw_, ci if chance.random() < 0.97 else ci + 1, co], B),
            strides=chance.choice([[1, st, st2, 1], st, [st, st2]]),
            padding=p,
            **{"dilations": [1, dil, dil, 1]} if dil > 1 else {},
            **maybe(0.1, data_format=df),
            g=g,
        )
    if kind == 3:
        return call(
            "nn.conv1d",
            tensor(dtype_, [n, h, ci], B),
            tensor(dtype_, [kh, ci, co], B),
            st,
            pad,
            **maybe(0.2, dilations=2),
            g=g,
        )
    if kind == 4:
        return call(
            "nn.conv3d",
            tensor(dtype_, [n, 3, h, 4, ci], B),
            tensor(dtype_, [2, kh, 2, ci, co], B),
            [1, 1, st2, 1, 1],
            pad,
            g=g,
        )
    if kind == 5:
        return call(
            "nn.depthwise_conv2d",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [kh, kw_, ci, chance.choice([1, 2])], B),
            [1, st2, st2, 1],
            pad,
            **maybe(0.2, rate=[2, 2]),
            g=g,
        )
    if kind == 6:
        m = chance.choice([1, 2])
        return call(
            "nn.separable_conv2d",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [kh, kw_, ci, m], B),
            tensor(dtype_, [1, 1, ci * m, co], B),
            [1, st2, st2, 1],
            pad,
            g=g,
        )
    if kind == 7:
        return call(
            "nn.atrous_conv2d",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [kh, kw_, ci, co], B),
            chance.choice([1, 2, 3]),
            pad,
            g=g,
        )
    if kind == 8:
        oh = h * st if pad == "SAME" else (h - 1) * st + kh
        ow = w * st if pad == "SAME" else (w - 1) * st + kw_
        return call(
            "nn.conv2d_transpose",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [kh, kw_, co, ci], B),
            chance.choice([[n, oh, ow, co], fed([n, oh, ow, co], "int32")]),
            [1, st, st, 1],
            padding=pad,
            g=g,
        )
    if kind == 9:
        return call(
            "nn.convolution",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [kh, kw_, ci, co], B),
            pad,
            **maybe(0.4, strides=lambda: [st2, st2]),
            **maybe(0.3, dilation_rate=lambda: [chance.choice([1, 2]), 1]),
            g=g,
        )
    if kind == 10:
        return call(
            "nn.dilation2d",
            tensor(dtype_, [n, h, w, ci]),
            tensor(dtype_, [kh, kw_, ci], B),
            [1, st2, st2, 1],
            [1, chance.choice([1, 2]), 1, 1],
            pad,
            g=g,
        )
    if kind == 11:
        return call(
            "nn.erosion2d",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [kh, kw_, ci], B),
            [1, st2, st2, 1],
            [1, 1, 1, 1],
            pad,
            g=g,
        )
    return call(
        "nn.conv2d_backprop_input",
        [n, h, w, ci],
        tensor(dtype_, [kh, kw_, ci, co], B),
        tensor(dtype_, [n, h, w, co], B),
        [1, 1, 1, 1],
        "SAME",
        g=g,
    )


@family("pool")
def _():
    kind = chance.randint(0, 7)
    dtype_ = chance.choice(["float32", "float32", "float64", "float16"])
    n = chance.choice([1, 2])
    h, w = (chance.choice([3, 4, 5, 6]), chance.choice([3, 4, 5]))
    ci = chance.choice([1, 2, 3])
    kh, kw_ = (chance.choice([1, 2, 3]), chance.choice([1, 2, 3]))
    pad = chance.choice(["SAME", "VALID"])
    st = chance.choice([1, 2, 3])
    m = chance.choice(MODES)
    if kind < 3:
        return call(
            chance.choice(["nn.max_pool", "nn.avg_pool"]),
            tensor(chance.choice([dtype_] * 4 + INTEGERS), [n, h, w, ci], m),
            chance.choice([[1, kh, kw_, 1], kh, [kh, kw_]]),
            chance.choice([[1, st, st, 1], st]),
            pad,
            **maybe(0.1, data_format="NCHW"),
        )
    if kind == 3:
        return call(
            "nn.max_pool_with_argmax",
            tensor(dtype_, [n, h, w, ci], m),
            [1, kh, kw_, 1],
            [1, st, st, 1],
            pad,
            **maybe(0.3, include_batch_in_index=True),
            **maybe(0.3, output_dtype=lambda: {"dtype": chance.choice(INDEX)}),
        )
    if kind == 4:
        return call(
            chance.choice(["nn.max_pool3d", "nn.avg_pool3d"]),
            tensor(dtype_, [n, 3, h, 4, ci], m),
            [1, 2, kh, 2, 1],
            [1, 1, st, 1, 1],
            pad,
        )
    if kind == 5:
        return call(chance.choice(["nn.max_pool1d", "nn.avg_pool1d"]), tensor(dtype_, [n, h, ci], m), kh, st, pad)
    if kind == 6:
        return call(
            "nn.pool",
            tensor(dtype_, [n, h, w, ci], m),
            [kh, kw_],
            chance.choice(["MAX", "AVG"]),
            pad,
            **maybe(0.4, strides=lambda: [st, 1]),
            **maybe(0.3, dilation_rate=lambda: [1, chance.choice([1, 2])]),
        )
    return call(
        chance.choice(["nn.fractional_max_pool"]),
        tensor(dtype_, [n, 6, 7, ci], "benign"),
        [1.0, 1.44, 1.73, 1.0],
        **maybe(0.3, pseudo_random=True),
        **maybe(0.3, overlapping=True),
        deterministic=True,
        seed=3,
        seed2=5,
        g=chance.choice([0, 1]),
    )
