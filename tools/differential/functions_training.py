"""Random calls of losses, metrics and layers."""

from __future__ import annotations

import numpy as np
from draw import INDEX, axis_of, broadcastable, call, chance, family, fed, form, maybe, shape, tensor


@family("losses")
def _():
    dtype_ = chance.choice(["float32", "float32", "float64", "float16"])
    s = shape(1, 3, 0.03)
    kind = chance.randint(0, 9)
    kw = {}
    if chance.random() < 0.5:
        kw["weights"] = chance.choice(
            [
                0.5,
                0.0,
                tensor("float32", broadcastable(s) if chance.random() < 0.3 else [s[0]] + [1] * (len(s) - 1), "pos"),
                tensor("float32", [], "pos"),
                1,
            ]
        )
    kw.update(
        maybe(
            0.4,
            reduction=lambda: chance.choice(
                [
                    "none",
                    "weighted_sum",
                    "weighted_mean",
                    "weighted_sum_over_batch_size",
                    "weighted_sum_by_nonzero_weights",
                    "bad",
                ]
            ),
        )
    )
    f = [
        "absolute_difference",
        "mean_squared_error",
        "hinge_loss",
        "huber_loss",
        "log_loss",
        "cosine_distance",
        "sigmoid_cross_entropy",
        "softmax_cross_entropy",
        "sparse_softmax_cross_entropy",
        "mean_pairwise_squared_error",
    ][kind]
    x, y = (
        tensor(dtype_, s, "benign"),
        tensor(dtype_, s if chance.random() < 0.93 else broadcastable(s), chance.choice(["benign", "pos", "ties"])),
    )
    if f == "cosine_distance":
        kw["axis"] = axis_of(len(s))
    if f == "huber_loss":
        kw.update(maybe(0.4, delta=0.5))
    if f == "sigmoid_cross_entropy" or f == "softmax_cross_entropy":
        kw.update(maybe(0.4, label_smoothing=0.1))
    if f == "sparse_softmax_cross_entropy":
        x = fed(
            np.array([chance.randint(0, max(s[-1] - 1, 0)) for _ in range(int(np.prod(s[:-1])))], "int32").reshape(
                s[:-1]
            ),
            chance.choice(INDEX),
        )
    if f == "mean_pairwise_squared_error":
        kw.pop("reduction", 0)
    r = call("losses." + f, x, y, **kw)
    r["collections"] = True
    return r


@family("metrics")
def _():
    s = shape(1, 2, 0.03)
    kind = chance.randint(0, 16)
    dtype_ = chance.choice(["float32", "float64", "int32", "int64", "bool"])
    kw = {}
    if chance.random() < 0.4:
        kw["weights"] = tensor("float32", chance.choice([s, [], [s[0]] + [1] * (len(s) - 1)]), "pos")
    B = lambda: tensor("bool", s)
    P = lambda: fed(np.random.RandomState(chance.randint(0, 9999)).rand(*s).astype("float32"), "float32")
    f = [
        "accuracy",
        "mean",
        "precision",
        "recall",
        "auc",
        "true_positives",
        "false_positives",
        "mean_squared_error",
        "mean_absolute_error",
        "root_mean_squared_error",
        "mean_per_class_accuracy",
        "mean_iou",
        "precision_at_thresholds",
        "sensitivity_at_specificity",
        "mean_cosine_distance",
        "percentage_below",
        "mean_relative_error",
    ][kind]
    if f == "mean":
        a = [tensor(chance.choice(["float32", "float64", "int32"]), s)]
    elif f in ("accuracy",):
        a = [tensor(dtype_, s, "ties"), tensor(dtype_, s, "ties")]
    elif f in ("precision", "recall", "true_positives", "false_positives"):
        a = [B(), B()]
    elif f == "auc":
        a = [B(), P()]
        kw.update(maybe(0.4, curve=lambda: chance.choice(["ROC", "PR"])))
        kw.update(maybe(0.4, num_thresholds=lambda: chance.choice([3, 10])))
        kw.update(
            maybe(0.3, summation_method=lambda: chance.choice(["trapezoidal", "minoring", "careful_interpolation"]))
        )
    elif f in ("mean_per_class_accuracy", "mean_iou"):
        a = [
            fed(np.array([chance.randint(0, 2) for _ in range(int(np.prod(s)))] + [0])[:-1].reshape(s), "int64"),
            fed(np.array([chance.randint(0, 2) for _ in range(int(np.prod(s)))] + [0])[:-1].reshape(s), "int64"),
            3,
        ]
        kw = {kind: v for kind, v in kw.items() if False}
    elif f == "precision_at_thresholds":
        a = [B(), P(), [0.2, 0.5]]
    elif f == "sensitivity_at_specificity":
        a = [B(), P(), 0.5]
        kw["num_thresholds"] = 5
    elif f == "mean_cosine_distance":
        a = [tensor("float32", s, "benign"), tensor("float32", s, "benign"), len(s) - 1]
        kw = {}
    elif f == "percentage_below":
        a = [tensor("float32", s, "benign"), 0.5]
    elif f == "mean_relative_error":
        a = [tensor("float32", s, "benign"), tensor("float32", s, "benign"), tensor("float32", s, "pos")]
    else:
        a = [tensor("float32", s), tensor("float32", s)]
    r = call("metrics." + f, *a, g=0, **kw)
    r["separate"] = True
    return r


@family("layers")
def _():
    dtype_ = chance.choice(["float32", "float32", "float32", "float64"])
    kind = chance.randint(0, 9)
    pad = chance.choice(["same", "valid"])
    n = 2
    ki = {"kernel_initializer": {"expr": "tf.constant_initializer(0.1)"}} if chance.random() < 0.5 else {}
    fl = form.kind
    if kind == 0:
        return call(
            "layers.dense",
            tensor(
                dtype_,
                shape(1, 3, 0) + [3],
                "benign",
                p="const" if fl == "const" else None if chance.random() < 0.05 else [None, 3] if 0 else "const",
            ),
            chance.choice([1, 4]),
            **ki,
            **maybe(0.3, use_bias=False),
            **maybe(0.3, activation={"fn": "nn.relu"}),
            **maybe(0.3, name="d"),
        )
    if kind == 1:
        return call(
            "layers.conv2d",
            tensor(dtype_, [n, 5, 6, 2], "benign", p="const"),
            3,
            chance.choice([1, 2, 3, [2, 3]]),
            padding=pad,
            strides=chance.choice([1, 2, [1, 2]]),
            **ki,
            **maybe(0.2, dilation_rate=1),
            **maybe(0.2, use_bias=False),
        )
    if kind == 2:
        return call(
            "layers.conv1d",
            tensor(dtype_, [n, 6, 2], "benign", p="const"),
            3,
            chance.choice([1, 2, 3]),
            padding=pad,
            strides=chance.choice([1, 2]),
            **ki,
        )
    if kind == 3:
        return call(
            chance.choice(["layers.max_pooling2d", "layers.average_pooling2d"]),
            tensor(dtype_, [n, 5, 6, 2], "benign"),
            chance.choice([1, 2, 3, [2, 3]]),
            chance.choice([1, 2]),
            padding=pad,
        )
    if kind == 4:
        return call(
            "layers.batch_normalization",
            tensor(dtype_, [n, 3, 4], "benign", p="const"),
            **maybe(0.5, training=lambda: chance.random() < 0.5),
            **maybe(0.3, axis=lambda: chance.choice([1, -1, 2])),
            **maybe(0.2, center=False),
            **maybe(0.2, scale=False),
            **maybe(0.2, momentum=0.9),
            **maybe(0.2, epsilon=0.01),
            **maybe(0.2, renorm=True),
        )
    if kind == 5:
        return call(
            "layers.dropout",
            tensor(dtype_, [3, 4], "benign"),
            **maybe(0.5, rate=0.3),
            **maybe(0.7, training=lambda: chance.random() < 0.7),
            seed=2,
        )
    if kind == 6:
        return call("layers.flatten", tensor(dtype_, shape(1, 4)))
    if kind == 7:
        return call(
            "layers.separable_conv2d",
            tensor("float32", [n, 5, 6, 2], "benign", p="const"),
            3,
            chance.choice([1, 2, 3]),
            padding=pad,
            **maybe(0.4, depth_multiplier=2),
        )
    if kind == 8:
        return call(
            "layers.conv2d_transpose",
            tensor(dtype_, [n, 3, 4, 2], "benign", p="const"),
            3,
            chance.choice([1, 2, 3]),
            strides=chance.choice([1, 2]),
            padding=pad,
            **ki,
        )
    return call(
        "layers.conv3d",
        tensor(dtype_, [n, 3, 4, 3, 2], "benign", p="const"),
        3,
        chance.choice([1, 2]),
        padding=pad,
        **ki,
    )
