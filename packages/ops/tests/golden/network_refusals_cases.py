"""Convolutions and pools with arguments that do not fit: what the original says, and when it says it."""
import numpy as np
from golden_case import says


def seq(*shape):
    return (np.arange(np.prod(shape)) % 17 - 8).reshape(shape).astype("f") / 4


def fed(tf, *shape):
    return tf.placeholder_with_default(seq(*shape), None)


def _pads(tf, element):
    return tf.nn.conv2d(seq(2, 4, 5, 3), seq(2, 2, 3, 4), 1, [[0, 0], element, [1, 1], [0, 0]])


REFUSED = {
    "transposed_size": (lambda tf: tf.nn.conv2d_transpose(seq(2, 4, 5, 3), seq(2, 2, 4, 3), [2, 9, 10, 4], 2), "Conv2DCustomBackpropInput: Size of out_backprop doesn't match computed: actual = 4, computed = 5 spatial_dim: 1 input: 9 filter: 2 output: 4 stride: 2 dilation: 1"),
    "transposed_batch": (lambda tf: tf.nn.conv2d_transpose(seq(2, 4, 5, 3), seq(2, 2, 4, 3), [3, 8, 10, 4], 2), "input and out_backprop must have the same batch sizeinput batch: 3outbackprop batch: 2 batch_dim: 0"),
    "transposed_depth": (lambda tf: tf.nn.conv2d_transpose(seq(2, 4, 5, 3), seq(2, 2, 4, 2), [2, 8, 10, 4], 2), "filter and out_backprop must have the same out_depth"),
    "transposed_3d": (lambda tf: tf.nn.conv3d_transpose(seq(1, 4, 3, 5, 2), seq(2, 2, 2, 3, 2), [1, 7, 6, 9, 3], [1, 2, 2, 2, 1], "VALID"), "Conv3DBackpropInputOp: Size of out_backprop doesn't match computed: actual = 4, computed = 3 spatial_dim: 1"),
    "rank_of_input": (lambda tf: tf.nn.conv2d(fed(tf, 4, 5, 3), fed(tf, 2, 2, 3, 4), [1, 1, 1, 1], "SAME"), r"input must be 4-dimensional\[4,5,3\]"),
    "rank_of_filter": (lambda tf: tf.nn.conv2d(fed(tf, 1, 4, 5, 3), fed(tf, 2, 2, 3), [1, 1, 1, 1], "SAME"), r"filter must be 4-dimensional: \[2,2,3\]"),
    "depthwise_rank": (lambda tf: tf.nn.depthwise_conv2d_native(fed(tf, 1, 4, 5, 3), fed(tf, 2, 2, 3), [1, 1, 1, 1], "SAME"), r"filter must be 4-dimensional: \[2,2,3\]"),
    "depthwise_strides": (lambda tf: tf.nn.depthwise_conv2d_native(seq(2, 5, 6, 3), seq(2, 2, 3, 2), [2, 1, 1, 1], "SAME"), "does not yet support strides in the batch and depth dimensions"),
    "depthwise_gradient": (lambda tf: tf.nn.depthwise_conv2d_native_backprop_input([2, 5, 6, 3], seq(2, 2, 3, 2), seq(2, 5, 6, 5), [1, 1, 1, 1], "SAME"), r"depth_multiplier \* in_depth not equal to out_depth"),
    "padding_of_one": (lambda tf: _pads(tf, [1]), "each element of padding must be a list/tuple of size 2. Element with index 1 of padding has size 1"),
    "padding_of_none": (lambda tf: _pads(tf, 1), "Element with index 1 of padding is not a list/tuple"),
    "one_dimension": (lambda tf: tf.nn.conv1d_transpose(seq(2, 6, 3), seq(2, 4, 3), [2, 12, 4], 2, "SAME", "NHWC"), 'data_format must be "NWC" or "NCW"'),
    "no_list": (lambda tf: tf.nn.conv3d(seq(1, 4, 3, 5, 2), seq(2, 2, 2, 2, 3), 1, "SAME"), "Expected list for 'strides' argument to 'conv3d' Op, not 1"),
    "dilation": (lambda tf: tf.nn.dilation2d(seq(2, 5, 6, 3), seq(9, 9, 3), [1, 1, 1, 1], [1, 1, 1, 1], "VALID"), r"Computed output size would be negative: -3 \[input_size: 5, effective_filter_size: 9, stride: 1\]"),
    "mean_across_depth": (lambda tf: tf.nn.avg_pool(seq(2, 4, 6, 4), [1, 1, 1, 2], [1, 1, 1, 2], "VALID"), "Non-spatial pooling is not yet supported"),
    "depth_3d": (lambda tf: tf.nn.max_pool3d(seq(1, 4, 3, 5, 2), [1, 1, 1, 1, 2], [1, 1, 1, 1, 1], "VALID"), "Pooling is not yet supported on the depth dimension"),
    "empty_window": (lambda tf: tf.nn.max_pool(seq(2, 4, 6, 4), [1, 0, 2, 1], [1, 1, 1, 1], "VALID"), "ksize cannot be zero|Sliding window ksize for dimension 1 was zero"),
    "mean_across_some_depth": (lambda tf: tf.nn.avg_pool(seq(2, 4, 6, 4), [1, 1, 1, 2], [1, 1, 1, 1], "VALID"), "requires the depth window to equal the depth stride"),
    "rank_of_images": (lambda tf: tf.nn.avg_pool(fed(tf, 4, 6, 4), [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), "tensor_in_shape must have 2 spatial dimensions. 3 0"),
    "rank_of_gradient": (lambda tf: tf.raw_ops.MaxPoolGrad(orig_input=seq(1, 4, 4, 1), orig_output=seq(1, 2, 2, 1), grad=seq(2, 2, 1), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"), "out_backprop must be 4-dimensional"),
    "second_gradient": (lambda tf: tf.raw_ops.MaxPoolGradGrad(orig_input=seq(1, 4, 4, 1), orig_output=seq(1, 2, 2, 1), grad=seq(1, 2, 4, 1), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID"), "Dimension 1 in both shapes must be equal, but are 4 and 2"),
    "given_windows": (lambda tf: tf.raw_ops.MaxPoolV2(input=seq(1, 4, 4, 1), ksize=[1, 2, 2], strides=[1, 2, 2, 1], padding="VALID"), "Dimension must be 4 but is 3"),
    "accidental_hits": (lambda tf: tf.nn.compute_accidental_hits([[1]], [3, 1], 2), "Dimension must be 2 but is 1"),
    "selected_rows": (lambda tf: tf.where([True, False, True], [[1.0], [2.0]], [[1.0], [2.0]]), r"Dimension 0 in both shapes must be equal, but are 3 and 2. Shapes are \[3\] and \[2\]"),
    "weights_of_ids": (lambda tf: tf.nn.embedding_lookup_sparse(seq(6, 3), tf.SparseTensor([[0, 0], [0, 1]], tf.constant([1, 3], tf.int64), [3, 2]), tf.SparseTensor([[0, 0]], [1.0], [3, 2])), r"Shapes \(2,\) and \(1,\) are incompatible"),
    "no_list_of_gradient": (lambda tf: tf.nn.conv2d_backprop_input([2, 4, 5, 3], seq(2, 2, 3, 4), seq(2, 4, 5, 4), 1, "SAME"), "Expected list for 'strides' argument to 'conv2d_backprop_input' Op, not 1"),
    "transposed_sizes": (lambda tf: tf.nn.conv_transpose(seq(2, 4, 4, 3), seq(2, 2, 5, 3), [2, 8], 2), "output_shape must be of length 3, 4 or 5 but was 2"),
    "rates_3d": (lambda tf: tf.nn.conv3d(seq(1, 4, 3, 5, 2), seq(2, 2, 2, 2, 3), [1] * 5, "SAME", dilations=[2, 1, 1, 1, 1]), "does not yet support dilation rates in the batch and depth dimensions"),
    "axis": (lambda tf: tf.nn.softmax(seq(3, 4), 2.0), r"Dimension \(2\) must be in the range"),
    "alpha": (lambda tf: tf.nn.leaky_relu([1.0], tf.constant(0.3)), "Expected float for argument 'alpha' not"),
}

for _name, (_build, _pattern) in REFUSED.items():
    def _case(tf, build=_build, pattern=_pattern):
        return says(pattern, lambda: tf.Session().run(build(tf)))
    globals()["case_%s" % _name] = _case


def case_empty_windows(tf):
    x, weights = seq(2, 4, 5, 3), seq(0, 2, 3, 2)
    return [tf.nn.depthwise_conv2d_native(x, weights, [1, 1, 1, 1], padding) for padding in ("SAME", "VALID")] + [
        tf.nn.conv2d(x[:0], seq(0, 2, 3, 4), 1, padding) for padding in ("SAME", "VALID")
    ]
