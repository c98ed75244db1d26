"""The names that `init_ops_v2` gives to the initializers of `tf.compat.v2`."""

from __future__ import annotations

import ossia as tf
from ossia_nn import initializers

_v2 = tf.compat.v2.initializers
zero = zeros_initializer = _v2.Zeros
one = ones_initializer = _v2.Ones
constant_initializer = _v2.Constant
uniform = random_uniform = random_uniform_initializer = _v2.RandomUniform
normal = random_normal = random_normal_initializer = _v2.RandomNormal
truncated_normal = truncated_normal_initializer = _v2.TruncatedNormal
variance_scaling_initializer = _v2.VarianceScaling
orthogonal_initializer = _v2.Orthogonal
identity_initializer = _v2.Identity
glorot_uniform_initializer = _v2.GlorotUniform
glorot_normal_initializer = _v2.GlorotNormal
_compute_fans = initializers.fans
_assert_float_dtype = initializers.floating_dtype
