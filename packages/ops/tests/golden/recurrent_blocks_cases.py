"""LSTM and GRU as one op: values over sequences, gradients, static shapes, errors."""

import numpy as np
from golden_case import Case, raises


def values(*dims, **options):
    scale = options.get("scale", 0.25)
    return ((np.arange(int(np.prod(dims))) * 7 % 11 - 5) * scale).astype(np.float32).reshape(dims)


def weights(inputs=3, size=4):
    diagonals = {"wci": values(size), "wcf": values(size, scale=0.5), "wco": values(size, scale=-0.5)}
    return dict(w=values(inputs + size, 4 * size), b=values(4 * size), **diagonals)


def state(batch=2, size=4):
    return {"cs_prev": values(batch, size), "h_prev": values(batch, size, scale=0.5)}


def sequence(tf, name="BlockLSTM", time=5, steps=None, **options):
    x = values(time, 2, 3)
    made = {key: tf.constant(value) for key, value in dict(state(), x=x, **weights()).items()}
    steps = tf.constant(time if steps is None else steps, tf.int64)
    made.update(options)
    return getattr(tf.raw_ops, name)(seq_len_max=steps, **made)


def case_sequences(tf):
    out = [sequence(tf), sequence(tf, use_peephole=True), sequence(tf, cell_clip=0.2), sequence(tf, cell_clip=-1.0, forget_bias=0.0), sequence(tf, time=1)]
    return [tuple(found) for found in out]


def case_sequences_of_the_second_kind(tf):
    name = "BlockLSTMV2"
    out = [sequence(tf, name), sequence(tf, name, use_peephole=True), sequence(tf, name, cell_clip=0.2), sequence(tf, name, time=1)]
    return [tuple(found) for found in out]


def case_shorter_than_the_input(tf):
    found = [sequence(tf, name, steps=steps) for name in ("BlockLSTM", "BlockLSTMV2") for steps in (0, 1, 3)]
    return [(f.cs, f.h) for f in found]


def case_gradients(tf):
    out = []
    for options in ({}, {"use_peephole": True}, {"cell_clip": 0.5, "forget_bias": 2.0}):
        inputs = {key: tf.constant(value) for key, value in dict(state(), x=values(5, 2, 3), **weights()).items()}
        found = sequence(tf, **dict(inputs, **options))
        loss = tf.reduce_sum(found.h * found.h) + tf.reduce_sum(found.cs[-1])
        names = [n for n in sorted(inputs) if options.get("use_peephole") or n not in ("wci", "wcf", "wco")]
        out.append(tf.gradients(loss, [inputs[name] for name in names]))
    return out


def case_gradients_of_part(tf):
    x, w = tf.constant(values(5, 2, 3)), tf.constant(weights()["w"])
    found = sequence(tf, steps=3, x=x, w=w)
    return tf.gradients(tf.reduce_sum(found.h), [x, w])


def case_gradients_of_gates_are_not_asked(tf):
    x = tf.constant(values(5, 2, 3))
    found = sequence(tf, x=x)
    return tf.gradients(tf.reduce_sum(found.i) + tf.reduce_sum(found.co), [x])


def case_one_step(tf):
    made = {key: tf.constant(value) for key, value in dict(state(), x=values(2, 3), **weights()).items()}
    cell = tf.raw_ops.LSTMBlockCell
    out = [cell(**made), cell(use_peephole=True, **made), cell(cell_clip=0.3, **made), cell(cell_clip=0.0, forget_bias=-1.0, **made)]
    gates = {name: tf.constant(0.5 + values(2, 4, scale=0.07)) for name in ("i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad")}
    backward = [tf.raw_ops.LSTMBlockCellGrad(use_peephole=peephole, **dict(made, **gates)) for peephole in (False, True)]
    return [tuple(found) for found in out + backward]


def case_gru(tf):
    made = {"x": values(2, 3), "h_prev": values(2, 4), "w_ru": values(7, 8), "w_c": values(7, 4, scale=0.5), "b_ru": values(8), "b_c": values(4)}
    made = {key: tf.constant(value) for key, value in made.items()}
    found = tf.raw_ops.GRUBlockCell(**made)
    back = tf.raw_ops.GRUBlockCellGrad(r=found.r, u=found.u, c=found.c, d_h=values(2, 4, scale=-0.5), **made)
    return [tuple(found), tuple(back)]


def case_no_gradients_of_single_steps(tf):
    x = tf.constant(values(2, 3))
    made = {key: tf.constant(value) for key, value in dict(state(), **weights()).items()}
    return raises(tf.gradients, tf.raw_ops.LSTMBlockCell(x=x, **made).h, x)


def case_static_shapes(tf):
    def shapes(name, **inputs):
        known = {key: tf.placeholder(tf.float32, dims) for key, dims in inputs.items() if not isinstance(dims, (bool, tf.Tensor))}
        known.update((key, value) for key, value in inputs.items() if isinstance(value, (bool, tf.Tensor)))
        try:
            return [str(t.shape) for t in getattr(tf.raw_ops, name)(**known)]
        except ValueError:
            return "refused"

    out = []
    names = ("h_prev", "w", "wci", "wcf", "wco", "b")
    for x, cs in (([2, 3], [2, 4]), (None, None), (None, [2, 4]), ([2, 3], None), ([None, 3], [2, 4]), ([2], [2, 4]), ([2, 3], [4]), ([2, 3], [None, None])):
        out.append(shapes("LSTMBlockCell", x=x, cs_prev=cs, **dict.fromkeys(names)))
        rest = dict.fromkeys((*names, "i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"))
        out.append(shapes("LSTMBlockCellGrad", x=x, cs_prev=cs, use_peephole=True, **rest))
        out.append(shapes("GRUBlockCell", x=x, h_prev=cs, **dict.fromkeys(("w_ru", "w_c", "b_ru", "b_c"))))
        out.append(shapes("GRUBlockCellGrad", x=x, h_prev=cs, w_ru=[7, 8], **dict.fromkeys(("w_c", "b_ru", "b_c", "r", "u", "c", "d_h"))))
    steps = tf.constant(3, tf.int64)
    for x, b in (([5, 2, 3], [16]), (None, None), (None, [16]), ([5, 2, 3], None), ([None, 2, None], [16]), ([5, 2], [16]), ([5, 2, 3], [16, 1]), ([5, 2, 3], [15])):
        for name in ("BlockLSTM", "BlockLSTMV2"):
            out.append(shapes(name, seq_len_max=steps, x=x, b=b, **dict.fromkeys(("cs_prev", "h_prev", "w", "wci", "wcf", "wco"))))
        rest = dict.fromkeys(("cs_prev", "h_prev", "wcf", "wco", "i", "cs", "f", "o", "ci", "co", "h", "cs_grad", "h_grad"))
        out.append(shapes("BlockLSTMGrad", seq_len_max=steps, x=x, b=b, w=[7, 16], wci=[4], use_peephole=False, **rest))
    return Case(out, init=False, graph=False)
