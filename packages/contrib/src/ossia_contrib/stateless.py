"""Random numbers of `tf.random` that a seed alone determines, under the names of `tf.contrib.stateless`."""

import ossia as tf
from ossia_core.plugins.api_table import public_value

stateless_multinomial = tf.random.stateless_multinomial
stateless_random_normal = tf.random.stateless_normal
stateless_random_uniform = tf.random.stateless_uniform
stateless_truncated_normal = tf.random.stateless_truncated_normal

for _name in (
    "stateless_multinomial", "stateless_random_normal", "stateless_random_uniform", "stateless_truncated_normal"
):
    public_value(f"contrib.stateless.{_name}", name=_name)
