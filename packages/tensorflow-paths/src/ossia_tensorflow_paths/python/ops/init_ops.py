"""Initializers under the names of their classes in `init_ops`, and those that are only there."""

from __future__ import annotations

import ossia as tf
from ossia_nn import convolution_orthogonal, initializers

Initializer = tf.keras.initializers.Initializer
Constant = tf.constant_initializer
Zeros = tf.zeros_initializer
Ones = tf.ones_initializer
RandomUniform = tf.random_uniform_initializer
RandomNormal = tf.random_normal_initializer
TruncatedNormal = tf.truncated_normal_initializer
UniformUnitScaling = tf.uniform_unit_scaling_initializer
VarianceScaling = tf.variance_scaling_initializer
Orthogonal = tf.orthogonal_initializer
Identity = tf.initializers.identity
GlorotUniform = tf.glorot_uniform_initializer
GlorotNormal = tf.glorot_normal_initializer
lecun_normal = tf.initializers.lecun_normal
ConvolutionOrthogonal = convolution_orthogonal.ConvolutionOrthogonal
ConvolutionDeltaOrthogonal = convolutional_delta_orthogonal = convolution_orthogonal.ConvolutionDeltaOrthogonal
ConvolutionOrthogonal1D = convolutional_orthogonal_1d = convolution_orthogonal.ConvolutionOrthogonal1D
ConvolutionOrthogonal2D = convolutional_orthogonal_2d = convolution_orthogonal.ConvolutionOrthogonal2D
ConvolutionOrthogonal3D = convolutional_orthogonal_3d = convolution_orthogonal.ConvolutionOrthogonal3D
_compute_fans = initializers.fans
_assert_float_dtype = initializers.floating_dtype
