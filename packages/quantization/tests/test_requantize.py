"""Requantization, with a range for each channel and with one for all."""
import numpy as np
import pytest

import ossia as tf


def run(made, graph):
    with tf.Session(graph=graph) as session:
        return session.run(made)


def quantized(values):
    return tf.bitcast(tf.constant(np.array(values, np.int32)), tf.qint32)


def ranges(values, low, high):
    with tf.Graph().as_default() as graph:
        made = tf.raw_ops.RequantizationRangePerChannel(
            input=quantized(values), input_min=low, input_max=high, clip_value_max=6.0)
        assert [part.shape.as_list() for part in made] == [[], []]
        return run(made, graph)


def test_ranges_of_signed_values():
    # 2**31 steps stand for 4 in the first channel, and for 3 in the second.
    assert [float(x) for x in ranges([[[[2**30, -(2**29)]]]], [-4.0, -3.0], [4.0, 3.0])] == [-2.0, 2.0]


def test_ranges_of_positive_values_are_clipped():
    assert [float(x) for x in ranges([[[[2**30, 2**29]]]], [-20.0, -3.0], [20.0, 3.0])] == [0.0, 6.0]


@pytest.mark.parametrize("kind, expected", [(tf.qint8, [127, -48]), (tf.quint8, [255, 0])])
def test_values(kind, expected):
    with tf.Graph().as_default() as graph:
        made = tf.raw_ops.RequantizePerChannel(
            input=quantized([[[[2**30, -(2**29)]]]]), input_min=[-4.0, -3.0], input_max=[4.0, 3.0],
            requested_output_min=-2.0, requested_output_max=2.0, out_type=kind)
        assert made.output.shape.as_list() == [1, 1, 1, 2] and made.output.dtype is kind
        values = tf.bitcast(made.output, tf.int8 if kind is tf.qint8 else tf.uint8)
        found, low, high = run([values, made.output_min, made.output_max], graph)
    assert found.reshape(-1).tolist() == expected and (low, high) == (-2.0, 2.0)


def test_ranges_that_do_not_fit():
    with pytest.raises(tf.errors.InvalidArgumentError, match="input_min"):
        ranges([[[[1, 2]]]], [0.0], [1.0, 2.0])
    with tf.Graph().as_default() as graph:
        made = tf.raw_ops.RequantizePerChannel(
            input=quantized([[[[1]]]]), input_min=[-1.0], input_max=[1.0], requested_output_min=0.0,
            requested_output_max=0.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="finite"):
            run(made.output, graph)


def test_large_arrays_narrow_as_the_original_narrows_them():
    values = np.random.RandomState(0).randint(-(2**31), 2**31 - 1, (3, 50, 200))
    with tf.Graph().as_default() as graph:
        wide = quantized(values)
        made = [
            tf.raw_ops.Requantize(
                input=part, input_min=-5.0, input_max=7.0, requested_output_min=-3.0, requested_output_max=2.5,
                out_type=tf.quint8).output
            for part in (wide, wide[0, 0, 0], wide[:0])]
        whole, one, none = (x.view(np.uint8) for x in run(made, graph))
    # The sums are those of 1.15.5.
    assert whole.sum() == 4604717
    assert whole.reshape(-1).astype(np.int64) @ (np.arange(whole.size) % 97) == 220719680
    assert (one.shape, int(one), none.shape) == ((), 213, (0, 50, 200))
