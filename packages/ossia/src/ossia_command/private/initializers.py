"""Initializers under the names of their classes in `init_ops`."""

from __future__ import annotations

import ossia as tf

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
