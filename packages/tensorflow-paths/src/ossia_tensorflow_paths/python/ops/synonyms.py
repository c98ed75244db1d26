"""Further names that private modules give to public functions and classes."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_ops.array import slicing
from ossia_ops.math import reduction
from ossia_ops.state import global_step

# layers
FullyConnected = tf.layers.Dense
fully_connected = tf.layers.dense
Convolution1D = tf.layers.Conv1D
Convolution2D = tf.layers.Conv2D
Convolution3D = tf.layers.Conv3D
SeparableConvolution2D = tf.layers.SeparableConv2D
Convolution2DTranspose = Deconvolution2D = Deconv2D = tf.layers.Conv2DTranspose
Convolution3DTranspose = Deconvolution3D = Deconv3D = tf.layers.Conv3DTranspose
convolution1d = tf.layers.conv1d
convolution2d = tf.layers.conv2d
convolution3d = tf.layers.conv3d
separable_convolution2d = tf.layers.separable_conv2d
convolution2d_transpose = deconvolution2d = deconv2d = tf.layers.conv2d_transpose
convolution3d_transpose = deconvolution3d = deconv3d = tf.layers.conv3d_transpose
BatchNorm = tf.layers.BatchNormalization
batch_norm = tf.layers.batch_normalization
MaxPool2D = tf.layers.MaxPooling2D
max_pool2d = tf.layers.max_pooling2d
AvgPool2D = tf.layers.AveragePooling2D
avg_pool2d = tf.layers.average_pooling2d

# ops
_SLICE_TYPE_ERROR = slicing.INVALID_INDEX
reduce_all_v1 = tf.reduce_all
reduce_any_v1 = tf.reduce_any
reduce_logsumexp_v1 = tf.reduce_logsumexp
reduce_max_v1 = tf.reduce_max
reduce_mean_v1 = tf.reduce_mean
reduce_min_v1 = tf.reduce_min
reduce_prod_v1 = tf.reduce_prod
reduce_sum_v1 = tf.reduce_sum
reduced_shape = reduction.reduced_shape
bincount_v1 = tf.bincount
matvec = tf.linalg.matvec
normalize = tf.linalg.normalize
dropout_v2 = tf.compat.v2.nn.dropout
embedding_lookup_v2 = tf.compat.v2.nn.embedding_lookup
string_length = tf.strings.length
string_length_v2 = tf.compat.v2.strings.length
string_format = tf.strings.format
substr_deprecated = tf.substr
set_seed = tf.compat.v2.random.set_seed


def tensor_equals(self: Any, other: Any) -> bool:
    """What `==` gives for a tensor of a graph: whether both are the same object."""
    return self is other


def tensor_not_equals(self: Any, other: Any) -> bool:
    """What `!=` gives for a tensor of a graph."""
    return self is not other


def argmax_v2(input: Any, axis: Any = None, output_type: Any = tf.int64, name: str | None = None) -> Any:
    """The index of the largest element along an axis, the first one if it is None."""
    return tf.argmax(input, 0 if axis is None else axis, name, output_type=output_type)


def argmin_v2(input: Any, axis: Any = None, output_type: Any = tf.int64, name: str | None = None) -> Any:
    """The index of the least element along an axis, the first one if it is None."""
    return tf.argmin(input, 0 if axis is None else axis, name, output_type=output_type)


def gather_v2(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    """`tf.gather` with its arguments in another order."""
    return tf.gather(params, indices, validate_indices, name, axis, batch_dims)


def pad_v2(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None
) -> Any:
    """`tf.pad` with its arguments in another order."""
    return tf.pad(tensor, paddings, mode, name, constant_values)


def in_top_k_v2(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Any:
    """`tf.nn.in_top_k` with its arguments in another order."""
    return tf.nn.in_top_k(predictions, targets, k, name)


def _hessian_vector_product(ys: Any, xs: Any, v: Any) -> list[Any]:
    """The Hessian of `ys` by `xs`, times vectors of the shapes of `xs`.

    Raises:
        ValueError: There are not as many vectors as `xs`.
    """
    if len(v) != len(xs):
        raise ValueError("xs and v must have the same length.")
    products = [
        tf.multiply(grad, tf.stop_gradient(vector))
        for grad, vector in zip(tf.gradients(ys, xs), v, strict=True)
        if grad is not None
    ]
    return tf.gradients(products, xs)


# files
copy_v2 = tf.io.gfile.copy
create_dir_v2 = tf.io.gfile.mkdir
delete_file_v2 = tf.io.gfile.remove
delete_recursively_v2 = tf.io.gfile.rmtree
file_exists_v2 = tf.io.gfile.exists
get_matching_files_v2 = tf.io.gfile.glob
is_directory_v2 = tf.io.gfile.isdir
list_directory_v2 = tf.io.gfile.listdir
recursive_create_dir_v2 = tf.io.gfile.makedirs
rename_v2 = tf.io.gfile.rename
stat_v2 = tf.io.gfile.stat
walk_v2 = tf.io.gfile.walk

# training
GLOBAL_STEP_READ_KEY = "global_step_read_op_cache"
_get_or_create_global_step_read = global_step.get_or_create_global_step_read
_get_global_step_read = global_step.get_global_step_read
_increment_global_step = global_step.increment_global_step
