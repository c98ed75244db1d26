"""Random calls of what networks are trained with: candidates, recurrent cells, filters turned round, layer objects."""

from __future__ import annotations

import numpy as np
from draw import INDEX, call, chance, code, constant, family, fed, made, maybe, method, sparse, tensor

B = "benign"


@family("candidates")
def _():
    kind = chance.randint(0, 7)
    labels = constant([[0], [2]], "int64") if chance.random() < 0.7 else fed([[0, 3], [2, 1]], "int64")
    true = 1 if "p" in labels["t"] and labels["t"]["p"] == "const" else 2
    if chance.random() < 0.1:
        true += 1
    count, unique = chance.choice([1, 2, 4]), chance.random() < 0.5
    sampling = dict(num_sampled=count, unique=unique, range_max=chance.choice([5, 6, 9]), **maybe(0.8, seed=3))
    if kind <= 2:
        name = chance.choice(["uniform", "log_uniform", "learned_unigram"])
        return call(f"nn.{name}_candidate_sampler", labels, true, **sampling, g=0)
    if kind == 3:
        return call(
            "nn.fixed_unigram_candidate_sampler",
            labels,
            true,
            **{**sampling, "range_max": 5},
            unigrams={"tuple": [1.0, 2.0, 0.5, 1.0, 3.0]},
            **maybe(0.4, distortion=lambda: chance.choice([0.0, 0.5, 1.0])),
            **maybe(0.3, num_reserved_ids=1),
            g=0,
        )
    if kind == 4:
        return call("nn.all_candidate_sampler", labels, true, count, unique, **maybe(0.8, seed=3), g=0)
    if kind == 5:
        return call("nn.compute_accidental_hits", labels, fed([0, 2, 3], "int64"), true, **maybe(0.3, seed=3), g=0)
    return call(
        "nn.nce_loss" if kind == 6 else "nn.sampled_softmax_loss",
        tensor("float32", [6, 3], B),
        tensor("float32", [6], B),
        labels,
        tensor("float32", [2, 3], B),
        2,
        6,
        num_true=true,
        **maybe(0.5, remove_accidental_hits=True),
        **maybe(0.3, partition_strategy="div"),
        **({"sampled_values": made("nn.uniform_candidate_sampler", labels, true, 2, True, 6, seed=5)}
           if chance.random() < 0.4 else {}),
        **({"seed": 3} if kind == 7 else {}),
        g=1,
    )  # fmt: skip


@family("turned")
def _():
    kind = chance.randint(0, 9)
    dtype_ = chance.choice(["float32", "float32", "float64", "float16"])
    n, h, w, ci, co = 2, chance.choice([3, 4]), chance.choice([3, 5]), chance.choice([1, 2]), chance.choice([1, 3])
    k, st, pad = chance.choice([1, 2, 3]), chance.choice([1, 2]), chance.choice(["SAME", "VALID"])
    out = [size * st if pad == "SAME" else (size - 1) * st + k for size in (h, w, 3)]
    g = chance.choice([0, 1])
    if kind == 0:
        return call(
            "nn.conv1d_transpose",
            tensor(dtype_, [n, h, ci], B),
            tensor(dtype_, [k, co, ci], B),
            chance.choice([[n, out[0], co], fed([n, out[0], co], "int32")]),
            chance.choice([st, [1, st, 1]]),
            **maybe(0.8, padding=pad),
            g=g,
        )
    if kind == 1:
        return call(
            "nn.conv3d_transpose",
            tensor(dtype_, [1, h, w, 3, ci], B),
            tensor(dtype_, [k, k, k, co, ci], B),
            [1, out[0], out[1], out[2], co],
            [1, st, st, st, 1],
            **maybe(0.8, padding=pad),
            g=g,
        )
    if kind == 2:
        return call(
            "nn.conv_transpose",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [k, k, co, ci], B),
            [n, out[0], out[1], co],
            st,
            **maybe(0.8, padding=pad),
            g=g,
        )
    small = [(size + st - 1) // st if pad == "SAME" else (size - k) // st + 1 for size in (5, 6)]
    if kind == 3:
        return call(
            "nn.conv2d_backprop_filter",
            tensor(dtype_, [n, 5, 6, ci], B),
            [k, k, ci, co],
            tensor(dtype_, [n, *small, co], B),
            [1, st, st, 1],
            pad,
            g=g,
        )
    if kind == 4:
        m = chance.choice([1, 2])
        return call(
            "nn.depthwise_conv2d_backprop_filter",
            tensor(dtype_, [n, 5, 6, ci], B),
            [k, k, ci, m],
            tensor(dtype_, [n, *small, ci * m], B),
            [1, st, st, 1],
            pad,
            g=g,
        )
    if kind == 5:
        m = chance.choice([1, 2])
        return call(
            "nn.depthwise_conv2d_backprop_input",
            [n, 5, 6, ci],
            tensor(dtype_, [k, k, ci, m], B),
            tensor(dtype_, [n, *small, ci * m], B),
            [1, st, st, 1],
            pad,
            g=g,
        )
    if kind == 6:
        return call(
            "nn.atrous_conv2d_transpose",
            tensor(dtype_, [n, h, w, ci], B),
            tensor(dtype_, [k, k, co, ci], B),
            [n, h + (k - 1) * st, w + (k - 1) * st, co] if pad == "VALID" else [n, h, w, co],
            st,
            pad,
            g=g,
        )
    if kind == 7:
        return call(
            "nn.fractional_avg_pool",
            tensor(dtype_, [n, 6, 7, ci], B),
            [1.0, 1.44, 1.73, 1.0],
            **maybe(0.3, pseudo_random=True),
            **maybe(0.3, overlapping=True),
            deterministic=True,
            seed=3,
            seed2=5,
            g=0,
        )
    if kind == 8:
        return call(
            chance.choice(["nn.max_pool_v2", "nn.avg_pool_v2", "nn.max_pool2d"]),
            tensor(dtype_, [n, h, w, ci]),
            chance.choice([k, [k, k], [1, k, k, 1]]),
            chance.choice([st, [st, 1]]),
            pad,
        )
    return call(
        "nn.with_space_to_batch",
        tensor(dtype_, [n, 4, 4, ci], B),
        [chance.choice([1, 2]), 2],
        pad,
        code("lambda x, num_spatial_dims, padding: x * 2"),
        **maybe(0.5, filter_shape=[2, 2]),
    )


@family("recurrent")
def _():
    size = chance.choice([1, 3])
    cell = chance.choice(
        [
            made("nn.rnn_cell.BasicRNNCell", size, **maybe(0.3, activation={"fn": "nn.relu"})),
            made("nn.rnn_cell.GRUCell", size, **maybe(0.3, kernel_initializer={"fn": "ones_initializer"})),
            made(
                "nn.rnn_cell.LSTMCell",
                size,
                **maybe(0.3, use_peepholes=True),
                **maybe(0.3, cell_clip=0.5),
                **maybe(0.3, num_proj=2),
                **maybe(0.2, forget_bias=0.0),
            ),
            made("nn.rnn_cell.BasicLSTMCell", size, **maybe(0.3, state_is_tuple=True)),
            made(
                "nn.rnn_cell.DropoutWrapper",
                made("nn.rnn_cell.GRUCell", size),
                **maybe(0.6, input_keep_prob=0.5),
                **maybe(0.4, output_keep_prob=0.7),
                **maybe(0.3, variational_recurrent=True, input_size=2, dtype={"dtype": "float32"}),
                seed=3,
            ),
            made("nn.rnn_cell.ResidualWrapper", made("nn.rnn_cell.GRUCell", 2)),
            made("nn.rnn_cell.MultiRNNCell", [made("nn.rnn_cell.GRUCell", 2), made("nn.rnn_cell.LSTMCell", size)]),
        ]
    )
    dtype_ = chance.choice(["float32", "float32", "float64"])
    kind = chance.randint(0, 3)
    lengths = maybe(0.5, sequence_length=lambda: fed([3, chance.choice([0, 2, 4])], chance.choice(INDEX)))
    first = {"dtype": {"dtype": dtype_}} if chance.random() < 0.95 else {}
    if kind == 0:
        return call(
            "nn.dynamic_rnn",
            cell,
            tensor(dtype_, [2, 3, 2], B, p=chance.choice(["const", [None, None, 2], [2, 3, 2]])),
            **lengths,
            **first,
            **maybe(0.2, time_major=True),
            **maybe(0.2, swap_memory=True),
            # Random ops of several steps at once take their numbers in the order of the original's threads.
            **maybe(1.0 if "Dropout" in str(cell) else 0.2, parallel_iterations=1),
            g=chance.choice([0, 1]),
        )
    if kind == 1:
        steps = [tensor(dtype_, [2, 2], B, p=chance.choice(["const", [None, 2]])) for _ in range(chance.choice([1, 2]))]
        return call("nn.static_rnn", cell, steps, **lengths, **first, g=chance.choice([0, 1]))
    other = made("nn.rnn_cell.GRUCell", size)
    if kind == 2:
        return call(
            "nn.bidirectional_dynamic_rnn",
            cell,
            other,
            tensor(dtype_, [2, 3, 2], B, p="const"),
            **lengths,
            **first,
            **({"parallel_iterations": 1} if "Dropout" in str(cell) else {}),  # else the original draws in any order
            g=0,
        )
    return call(
        "nn.static_bidirectional_rnn", cell, other, [tensor(dtype_, [2, 2], B, p="const")] * 2, **lengths, **first, g=0
    )


@family("summed")
def _():
    kind = chance.randint(0, 6)
    if kind == 0:
        return call(
            "nn.compute_average_loss",
            tensor(chance.choice(["float32", "float64"]), [3], B),
            **maybe(0.4, sample_weight=lambda: tensor("float32", [3], "positive")),
            **maybe(0.7, global_batch_size=lambda: chance.choice([3, 6])),
        )
    if kind == 1:
        return call("nn.scale_regularization_loss", tensor("float32", chance.choice([[], [3]]), B))
    if kind == 2:
        return call(
            "nn.batch_norm_with_global_normalization",
            tensor("float32", [2, 2, 3, 2], B),
            *[tensor("float32", [2], "positive") for _ in range(4)],
            0.001,
            chance.random() < 0.5,
        )
    if kind == 3:
        labels = np.array([[1, 1, 2, 0], [0, 0, 3, 3]])
        return call("nn.collapse_repeated", fed(labels, "int32"), fed([4, chance.choice([2, 4])], "int32"), g=0)
    if kind == 4:
        return call("nn.ctc_unique_labels", fed([[1, 1, 2, 0], [0, 0, 3, 3]], "int32"), g=0)
    if kind == 5:
        return call(
            "nn.safe_embedding_lookup_sparse",
            [tensor("float32", [4, 2], B)],
            sparse("int64", [3, 2])[0],
            **maybe(0.5, default_id=lambda: chance.choice([0, 1])),
            **maybe(0.5, combiner=lambda: chance.choice(["mean", "sum", "sqrtn"])),
            g=0,
        )
    return call(
        "nn.ctc_loss_v2",
        fed([[1, 2], [3, 1]], "int32"),
        tensor("float32", [5, 2, 4], B),
        fed([2, chance.choice([1, 2])], "int32"),
        fed([5, 4], "int32"),
        **maybe(0.4, logits_time_major=True),
        blank_index=chance.choice([0, -1, None]),
        g=1,
    )


@family("layer objects")
def _():
    name, options = chance.choice(
        [
            ("AveragePooling1D", dict(pool_size=2, strides=chance.choice([1, 2]))),
            ("MaxPooling1D", dict(pool_size=chance.choice([1, 2]), strides=2)),
            ("Conv1D", dict(filters=2, kernel_size=2)),
            ("SeparableConv1D", dict(filters=2, kernel_size=2)),
            ("AveragePooling3D", dict(pool_size=2, strides=1)),
            ("MaxPooling3D", dict(pool_size=2, strides=chance.choice([1, 2]))),
            ("Conv3DTranspose", dict(filters=2, kernel_size=2)),
            ("Conv2DTranspose", dict(filters=2, kernel_size=2, strides=chance.choice([1, 2]))),
            ("Dense", dict(units=2)),
            ("Flatten", {}),
            ("BatchNormalization", {}),
            ("Dropout", dict(rate=0.4, seed=1)),
            ("SeparableConv2D", dict(filters=2, kernel_size=2)),
        ]
    )
    rank = 3 if "1D" in name else 5 if "3D" in name else 4 if "2D" in name else chance.choice([2, 3])
    dims = [[2, 4], [2, 4, 3], [2, 4, 4, 2], [1, 3, 4, 3, 2]][rank - 2]
    if "ool" in name or "onv" in name:
        options = {**options, **maybe(0.5, padding=lambda: chance.choice(["same", "valid"]))}
        options.update(maybe(0.15, data_format=lambda: chance.choice(["channels_last", "channels_first", "bad"])))
    extra = {**maybe(0.2, name="mine"), **maybe(0.2, dtype={"dtype": "float32"}), **maybe(0.1, trainable=False)}
    known = chance.choice(["const", "const", [None, *dims[1:]], [None] * len(dims), None])
    x = tensor(chance.choice(["float32", "float32", "float64"]), dims, B, p=known)
    training = maybe(0.5, training=chance.random() < 0.5) if name in ("BatchNormalization", "Dropout") else {}
    layer = made("layers." + name, **options, **extra)
    lower = {"AveragePooling1D": "average_pooling1d", "MaxPooling1D": "max_pooling1d", "AveragePooling3D":
             "average_pooling3d", "MaxPooling3D": "max_pooling3d", "Conv3DTranspose": "conv3d_transpose",
             "SeparableConv1D": "separable_conv1d", "Flatten": "flatten"}.get(name)  # fmt: skip
    if lower and chance.random() < 0.4:
        extra = {key: value for key, value in extra.items() if key == "name"}
        return {**call("layers." + lower, x, **options, **extra), "collections": True}
    return {**method(chance.choice(["__call__", "apply"]), layer, x, **training), "collections": True}
