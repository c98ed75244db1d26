"""Random calls of the rest of metrics and losses, of tables, decays and of what reads and writes records."""

from __future__ import annotations

import numpy as np
from draw import (
    INDEX,
    PLAIN,
    broadcastable,
    call,
    chance,
    code,
    family,
    fed,
    made,
    maybe,
    method,
    shape,
    sparse,
    tensor,
    texts,
)

COUNTS = """false_negatives true_negatives false_negatives_at_thresholds false_positives_at_thresholds
true_negatives_at_thresholds true_positives_at_thresholds recall_at_thresholds precision_at_thresholds""".split()
RANKED = """average_precision_at_k precision_at_k recall_at_k sparse_average_precision_at_k sparse_precision_at_k
precision_at_top_k recall_at_top_k""".split()
DECAYS = """exponential_decay natural_exp_decay inverse_time_decay polynomial_decay cosine_decay cosine_decay_restarts
linear_cosine_decay piecewise_constant noisy_linear_cosine_decay""".split()


@family("more metrics")
def _():
    s = shape(1, 2, 0.03)
    weights = maybe(
        0.4, weights=lambda: tensor("float32", chance.choice([s, [], [s[0]] + [1] * (len(s) - 1)]), "positive")
    )
    extra = {**weights, **maybe(0.15, metrics_collections=["mine"]), **maybe(0.15, updates_collections=["theirs"])}
    extra.update(maybe(0.2, name="m"))
    truth = tensor(chance.choice(["bool", "bool", "int64", "float32"]), s, "ties")
    scores = fed(np.random.RandomState(chance.randint(0, 9999)).rand(*s).astype("float32"), "float32")
    kind = chance.randint(0, 3)
    if kind == 0:
        name = chance.choice(COUNTS)
        if "thresholds" in name:
            found = call("metrics." + name, truth, scores, chance.choice([[0.5], [0.2, 0.8], [0.0, 1.1]]), **extra, g=0)
        else:
            found = call("metrics." + name, truth, tensor("bool", s), **extra, g=0)
    elif kind == 1:
        name = chance.choice(RANKED)
        n, classes = chance.choice([1, 3]), 4
        labels = fed(np.array([[chance.randint(0, classes - 1)] for _ in range(n)]), "int64")
        if chance.random() < 0.4:
            labels = sparse("int64", [n, 3])[0]
        k = chance.choice([1, 2, 4])
        weights = maybe(0.3, weights=lambda: tensor("float32", [n], "positive"))
        if "top_k" in name:
            found = call("metrics." + name, labels, fed([[0, 1]] * n, "int64"), **maybe(0.6, k=2), **weights, g=0)
        else:
            found = call(
                "metrics." + name,
                labels,
                tensor("float32", [n, classes], "benign"),
                k,
                **maybe(0.3 if "average" not in name else 0, class_id=lambda: chance.choice([0, 2])),
                **weights,
                g=0,
            )
    elif kind == 2:
        found = call("metrics.mean_tensor", tensor(chance.choice(["float32", "float64", "int32"]), s), **extra, g=0)
    else:
        found = call(
            "metrics." + chance.choice(["specificity_at_sensitivity", "sensitivity_at_specificity"]),
            truth,
            scores,
            chance.choice([0.5, 0.9, 1.5]),
            **maybe(0.6, num_thresholds=lambda: chance.choice([3, 10])),
            **extra,
            g=0,
        )
    return {**found, "separate": True, "collections": True}


@family("more losses")
def _():
    s = shape(1, 3, 0.03)
    kind = chance.randint(0, 2)
    if kind == 0:
        found = call(
            "losses.compute_weighted_loss",
            tensor(chance.choice(["float32", "float64", "float16", "int32"]), s, "benign"),
            **maybe(0.6, weights=lambda: chance.choice([2.0, tensor("float32", broadcastable(s), "positive"), 0])),
            **maybe(
                0.5,
                reduction=lambda: chance.choice(
                    ["none", "weighted_sum", "weighted_mean", "weighted_sum_over_nonzero_weights", "bad"]
                ),
            ),
            **maybe(0.3, loss_collection=lambda: chance.choice([None, "mine"])),
            **maybe(0.2, scope="L"),
        )
    elif kind == 1:
        found = call("losses." + chance.choice(["get_losses", "get_regularization_losses", "get_total_loss",
                                                "get_regularization_loss"]), g=0)  # fmt: skip
    else:
        found = call("losses.add_loss", tensor("float32", s, "benign"), **maybe(0.3, loss_collection="mine"), g=0)
    return {**found, "collections": True}


@family("decays")
def _():
    name = chance.choice(DECAYS)
    step = chance.choice([fed(chance.choice([0, 1, 5, 10, 27]), chance.choice(INDEX)), 3])
    rate = chance.choice([0.1, fed(0.5, "float32"), fed(0.5, "float64"), 1])
    steps = chance.choice([10, 10.0, 3, fed(10, "int32")])
    if name == "piecewise_constant":
        return call(
            "train." + name,
            step,
            chance.choice([[2, 6], [2.0, 6.0], []]),
            chance.choice([[1.0, 0.5, 0.1], [1, 2, 3], [1.0]]),
            **maybe(0.2, name="d"),
            g=0,
        )
    if name in ("exponential_decay", "natural_exp_decay", "inverse_time_decay"):
        return call("train." + name, rate, step, steps, chance.choice([0.9, 0.5]), **maybe(0.5, staircase=True), g=0)
    options = {
        "polynomial_decay": lambda: {
            **maybe(0.5, end_learning_rate=0.01),
            **maybe(0.5, power=lambda: chance.choice([0.5, 2.0])),
            **maybe(0.5, cycle=True),
        },
        "cosine_decay": lambda: maybe(0.5, alpha=0.1),
        "cosine_decay_restarts": lambda: {**maybe(0.5, t_mul=1.0), **maybe(0.5, m_mul=0.5), **maybe(0.5, alpha=0.1)},
    }.get(name, lambda: {**maybe(0.4, num_periods=1.0), **maybe(0.4, alpha=0.1), **maybe(0.4, beta=0.01)})()
    return call("train." + name, rate, step, steps, **options, g=0)


@family("tables")
def _():
    keys, values = chance.choice(
        [
            (["a", "b", "c"], {"np": tensor("int64", [3])["t"]["a"]}),
            ([1, 2, 3], ["x", "y", "z"]),
            (fed([1, 2, 3], "int64"), fed([1.5, 2.5, 3.5], "float32")),
            (["a", "a"], fed([1, 2], "int64")),
            (["a", "b"], fed([1, 2, 3], "int64")),
        ]
    )
    kinds = maybe(0.5, key_dtype=lambda: {"dtype": chance.choice(["string", "int64"])})
    kinds.update(maybe(0.5, value_dtype=lambda: {"dtype": chance.choice(["int64", "string", "float32"])}))
    start = made("lookup.KeyValueTensorInitializer", keys, values, **kinds)
    table = (
        made("lookup.StaticHashTable", start, chance.choice([-1, 0.5, "none"]), **maybe(0.2, name="t"))
        if chance.random() < 0.6
        else made("lookup.StaticVocabularyTable", start, chance.choice([1, 3]), **maybe(0.2, name="t"))
    )
    asked = chance.choice(
        [texts(shape(0, 2)), fed(["a", "c", "q"], "string"), fed([1, 3, 9], "int64"), fed([1, 3], "int32"), ["a"]]
    )
    if chance.random() < 0.2:
        return method("size", table, g=0)
    return method("lookup", table, asked if chance.random() < 0.85 else sparse("string", [2, 3])[0], g=0)


@family("records")
def _():
    kind = chance.randint(0, 8)
    dtype_ = chance.choice(PLAIN)
    if kind == 0:
        rows = fed(
            chance.choice([["1,2.5,a", "3,,b"], ["1,2,3"], ['"x,1",2,3', "4,5,6"], ["1;2;3"], [], ["1,2"]]), "string"
        )
        defaults = [
            chance.choice([[0], [""], [1.5], {"expr": "tf.int32"}, {"expr": "tf.constant([], tf.float32)"}])
            for _ in "abc"
        ]
        return call(
            "io.decode_csv",
            rows,
            defaults,
            **maybe(0.2, field_delim=";"),
            **maybe(0.2, use_quote_delim=False),
            **maybe(0.2, na_value="3"),
            **maybe(0.2, select_cols=[0, 1]),
            g=0,
        )
    if kind == 1:
        return call(
            chance.choice(["io.decode_raw", "decode_raw"]),
            fed(["abcdefgh", "ijklmnop"], "string"),
            {
                "dtype": chance.choice(
                    ["uint8", "int16", "int32", "float32", "float64", "complex64", "bool", "int64", "string"]
                )
            },
            **maybe(0.4, little_endian=lambda: chance.random() < 0.5),
            g=0,
        )
    if kind == 2:
        return call(
            "io.parse_tensor",
            made("io.serialize_tensor", tensor(dtype_, shape(0, 2))),
            {"dtype": chance.choice([dtype_] * 4 + ["float32"])},
            g=0,
        )
    if kind == 3:
        x = sparse(dtype_, [2, 3], order=chance.random() < 0.8)[0]
        if chance.random() < 0.5:
            return call("io.serialize_sparse", x, **maybe(0.2, out_type={"dtype": "string"}), g=0)
        many = made("io.serialize_many_sparse", x)
        return call(
            "io.deserialize_many_sparse", many, {"dtype": dtype_}, **maybe(0.4, rank=lambda: chance.choice([1, 2])), g=0
        )
    if kind == 4:
        return call(
            chance.choice(["io.encode_base64", "io.decode_base64"]), texts(shape(0, 2)), **maybe(0.0, pad=True), g=0
        )
    if kind == 5:
        features = {"dict": {
            "a": chance.choice([made("io.FixedLenFeature", chance.choice([[], [2], [1]]), {"dtype": "int64"}),
                                made("io.FixedLenFeature", [1], {"dtype": "int64"}, default_value=[7]),
                                made("io.VarLenFeature", {"dtype": "int64"})]),
            "b": chance.choice([made("io.VarLenFeature", {"dtype": "string"}),
                                made("io.FixedLenSequenceFeature", [], {"dtype": "string"}, allow_missing=True)]),
        }}  # fmt: skip
        one = (
            "tf.train.Example(features=tf.train.Features(feature={"
            "'a': tf.train.Feature(int64_list=tf.train.Int64List(value=[%s])),"
            "'b': tf.train.Feature(bytes_list=tf.train.BytesList(value=[%s]))})).SerializeToString(deterministic=True)"
        )
        texts_ = [one % (chance.choice(["1", "1, 2", ""]), chance.choice(["b'x'", "b'x', b'y'", ""])) for _ in range(2)]
        if chance.random() < 0.3:
            return call("io.parse_single_example", code(texts_[0]), features, g=0)
        return call("io.parse_example", code(f"[{texts_[0]}, {texts_[1]}]"), features, g=0)
    if kind == 6:
        return call(
            "summary." + chance.choice(["scalar", "histogram", "text", "tensor_summary"]),
            chance.choice(["a", "b c", "x/y"]),
            tensor(dtype_, shape(0, 1), "benign"),
            **maybe(0.3, collections=["mine"]),
            **maybe(0.2, family="f"),
            g=0,
        )
    if kind == 7:
        return call(
            chance.choice(["image.extract_patches", "audio.encode_wav"]),
            tensor("float32", [1, 4, 4, 1] if chance.random() < 0.5 else [4, 1], "benign"),
            *([44100] if chance.random() < 0.5 else [[1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"]),
            g=0,
        )
    return call("graph_util.tensor_shape_from_node_def_name", code("tf.Graph()"), "a", g=0)


@family("ragged")
def _():
    rows = chance.choice(
        [[[1, 2], [], [3]], [[1.5], [2.5, 3.5]], [["a"], ["b", "c"]], [], [[]], [[[1], []], [[2, 3]]], [1, 2]]
    )
    x = made(
        "ragged.constant", {"py": rows}, **maybe(0.3, ragged_rank=1), **maybe(0.3, dtype=lambda: {"dtype": "float32"})
    )
    kind = chance.randint(0, 7)
    if kind == 0:
        return call(
            "ragged." + chance.choice(["constant", "constant_value"]), {"py": rows}, **maybe(0.3, ragged_rank=1), g=0
        )
    if kind == 1:
        limits = [[5, 2, 2]] if chance.random() < 0.3 else []
        return call(
            "ragged.range",
            chance.choice([[3, 0, 2], 4, fed([3, 5], "int32")]),
            *limits,
            **maybe(0.3, deltas=2),
            g=0,
        )
    if kind == 2:
        return call("ragged.boolean_mask", x, chance.choice([[True, False, True], [[True, False], [True, True]]]), g=0)
    if kind == 3:
        return call("ragged.row_splits_to_segment_ids", fed([0, 2, 2, 5], chance.choice(INDEX)), g=0)
    if kind == 4:
        return call(
            "ragged.segment_ids_to_row_splits", fed([0, 0, 2], chance.choice(INDEX)), **maybe(0.4, num_segments=4), g=0
        )
    if kind == 5:
        return call("ragged." + chance.choice(["stack", "map_flat_values"]), *(
            [[x, x]] if chance.random() < 0.5 else [{"fn": "negative"}, x]), g=0)  # fmt: skip
    if kind == 6:
        names = "to_tensor to_sparse row_lengths nrows value_rowids bounding_shape row_starts".split()
        return method(chance.choice(names), x, g=0)
    return call(
        chance.choice(
            ["reduce_sum", "reduce_max", "reduce_mean", "concat", "gather", "expand_dims", "size", "rank", "tile"]
        ),
        x,
        *([chance.choice([0, 1, -1])] if chance.random() < 0.8 else []),
        g=0,
    )


@family("operators")
def _():
    dtype_ = chance.choice(["float32", "float64", "complex64"])
    n = chance.choice([2, 3])
    batch = shape(0, 1, 0)
    m = lambda *dims: tensor(dtype_, [*batch, *dims], "benign")
    flags = {
        **maybe(0.3, is_non_singular=True), **maybe(0.3, is_self_adjoint=True), **maybe(0.2, is_positive_definite=True),
        **maybe(0.2, is_square=True), **maybe(0.2, name="op"),
    }  # fmt: skip
    diag = made("linalg.LinearOperatorDiag", m(n), **flags)
    full = made("linalg.LinearOperatorFullMatrix", m(n, n), **flags)
    operator = chance.choice(
        [
            diag,
            full,
            made("linalg.LinearOperatorLowerTriangular", m(n, n), **flags),
            made(
                "linalg.LinearOperatorIdentity", n, **maybe(0.5, batch_shape=[2]), **maybe(0.5, dtype={"dtype": dtype_})
            ),
            made("linalg.LinearOperatorScaledIdentity", n, m()),
            made("linalg.LinearOperatorZeros", n, **maybe(0.5, batch_shape=[2]), dtype={"dtype": dtype_}),
            made("linalg.LinearOperatorHouseholder", m(n)),
            made("linalg.LinearOperatorToeplitz", m(n), m(n)),
            made("linalg.LinearOperatorCirculant", tensor("complex64", [n], "benign")),
            made("linalg.LinearOperatorComposition", [diag, full]),
            made("linalg.LinearOperatorKronecker", [diag, full]),
            made("linalg.LinearOperatorBlockDiag", [diag, full]),
            made("linalg.LinearOperatorLowRankUpdate", diag, m(n, 1)),
            made("linalg.LinearOperatorAdjoint", full),
            made("linalg.LinearOperatorInversion", diag),
        ]
    )
    name = chance.choice(
        """to_dense matmul matvec solve solvevec determinant log_abs_determinant trace diag_part add_to_tensor
        inverse adjoint shape_tensor assert_non_singular cholesky domain_dimension_tensor batch_shape_tensor""".split()
    )
    size = n * 2 if "BlockDiag" in str(operator)[:60] else n * n if "Kronecker" in str(operator)[:60] else n
    if name in ("matmul", "solve"):
        arguments = [tensor(dtype_, [*batch, size, 2], "benign")]
        return method(name, operator, *arguments, **maybe(0.3, adjoint=True), **maybe(0.1, adjoint_arg=True), g=0)
    if name in ("matvec", "solvevec", "add_to_tensor"):
        dims = [size, size] if name == "add_to_tensor" else [size]
        return method(name, operator, tensor(dtype_, [*batch, *dims], "benign"), g=0)
    if name in ("inverse", "adjoint", "cholesky"):
        return method("to_dense", {"call": {"call": name, "method": name, "args": [operator]}}, g=0)
    return method(name, operator, g=0)
