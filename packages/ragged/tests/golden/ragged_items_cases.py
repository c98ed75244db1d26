"""Indexing of ragged tensors."""

from golden_case import Case, raises


def tensors(tf):
    return {
        "r": tf.ragged.constant([[1, 2], [3], [], [4, 5, 6]]),
        "r2": tf.ragged.constant([[[1, 2], [3]], [[4]], []]),
        "r3": tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1),
        "i": tf.ragged.constant([[1, 2], [3]], row_splits_dtype=tf.int32),
        "s": tf.ragged.constant([["a", "b"], ["c"]]),
    }


def parts(value):
    if hasattr(value, "ragged_rank"):
        return [value.flat_values, list(value.nested_row_splits), value.ragged_rank, str(value.shape)]
    return value


ITEMS = {
    "row": lambda t, r: r["r"][0],
    "row_negative": lambda t, r: r["r"][-1],
    "row_of_tensor": lambda t, r: r["r"][t.constant(1)],
    "row_of_long": lambda t, r: r["r"][t.constant(1, t.int64)],
    "row_of_rows": lambda t, r: r["r2"][0],
    "row_small_splits": lambda t, r: r["i"][1],
    "row_strings": lambda t, r: r["s"][1],
    "element": lambda t, r: r["r"][0, 1],
    "element_twice": lambda t, r: r["r"][0][1],
    "element_three": lambda t, r: r["r2"][0, 0, 1],
    "rows_in_row": lambda t, r: r["r2"][0, 1:],
    "columns_in_row": lambda t, r: r["r2"][0, :, :1],
    "first_rows": lambda t, r: r["r"][:2],
    "last_rows": lambda t, r: r["r"][-2:],
    "some_rows": lambda t, r: r["r"][1:3],
    "no_rows": lambda t, r: r["r"][2:1],
    "rows_beyond": lambda t, r: r["r"][1:100],
    "rows_small_splits": lambda t, r: r["i"][1:],
    "rows_of_tensors": lambda t, r: r["r"][t.constant(1):t.constant(3)],
    "rows_of_rows": lambda t, r: r["r2"][:2],
    "rows_step": lambda t, r: r["r"][::2],
    "rows_backwards": lambda t, r: r["r"][::-1],
    "rows_step_range": lambda t, r: r["r"][1:4:2],
    "rows_step_nested": lambda t, r: r["r2"][::2],
    "rows_step_one": lambda t, r: r["r"][0:3:1],
    "all_rows": lambda t, r: r["r"][:],
    "columns": lambda t, r: r["r"][:, 0:1],
    "columns_from": lambda t, r: r["r"][:, 1:],
    "columns_to": lambda t, r: r["r"][:, :2],
    "columns_last": lambda t, r: r["r"][:, -1:],
    "columns_but_last": lambda t, r: r["r"][:, :-1],
    "columns_to_zero": lambda t, r: r["r"][:, :0],
    "columns_inner": lambda t, r: r["r"][:, -2:-1],
    "columns_beyond": lambda t, r: r["r"][:, 10:],
    "columns_step": lambda t, r: r["r"][:, ::2],
    "columns_step_from": lambda t, r: r["r"][:, 1::2],
    "columns_small_splits": lambda t, r: r["i"][:, 1:],
    "columns_of_tensors": lambda t, r: r["r"][:, t.constant(0):t.constant(1)],
    "columns_of_rows": lambda t, r: r["r2"][:, :1],
    "columns_of_row_parts": lambda t, r: r["r2"][:, :, :1],
    "columns_of_some_rows": lambda t, r: r["r"][1:, 1:],
    "columns_and_columns": lambda t, r: r["r2"][:, 1:, 1:],
    "dense_part": lambda t, r: r["r3"][:, :, 0],
    "dense_part_ellipsis": lambda t, r: r["r3"][..., 0],
    "dense_part_range": lambda t, r: r["r3"][:, 0:1, 1:],
    "dense_row": lambda t, r: r["r3"][1, :, 1],
    "new_axis": lambda t, r: r["r"][t.newaxis],
    "new_axis_rows": lambda t, r: r["r"][t.newaxis, 1:],
    "new_axis_inner": lambda t, r: r["r"][:, t.newaxis],
    "new_axis_last": lambda t, r: r["r"][..., t.newaxis],
    "new_axis_inner_of_rows": lambda t, r: r["r2"][:, :, t.newaxis],
    "new_axis_small_splits": lambda t, r: r["i"][:, t.newaxis],
    "ellipsis": lambda t, r: r["r"][...],
    "ellipsis_row": lambda t, r: r["r2"][0, ...],
    "ellipsis_columns": lambda t, r: r["r2"][..., 0:1],
    "ellipsis_unneeded": lambda t, r: r["r"][:, ..., 1:],
    "nothing": lambda t, r: r["r"][()],
    "list": lambda t, r: r["r"][[1, 0]],
}


def _case(item):
    return lambda tf: parts(item(tf, tensors(tf)))


globals().update({"case_" + name: _case(item) for name, item in ITEMS.items()})


def case_fed(tf):
    p, i = tf.ragged.placeholder(tf.int32, 2), tf.placeholder(tf.int32, [])
    return Case([parts(p[i]), parts(p[1:, :1]), parts(p[i:i + 1]), parts(p[:, i:])],
                feeds={p: tf.ragged.constant_value([[[1, 2], [3]], [[4]], []], dtype="int32"), i: 1})


def case_gradient(tf):
    v = tf.constant([1.0, 2.0, 3.0, 4.0])
    r = tf.RaggedTensor.from_row_splits(v, [0, 1, 4], validate=False)
    return [tf.gradients(r[1] * 3.0, v), tf.gradients(r[:, 1:].flat_values * 2.0, v)]


def case_refused(tf):
    t = tensors(tf)

    def get(name, key):
        return raises(lambda: t[name][key])
    return [get("r2", (slice(None), 0)), get("r2", (slice(None), slice(None), 0)), get("r", 9), get("r", "a"), get("r", (0, "a")),
            get("r", 1.5), get("r", (0, 0, 0)), get("r", (slice(None),) * 3), get("r", (Ellipsis, 0, 0, 0)),
            get("r", (slice(None), Ellipsis, 0, 0))]
