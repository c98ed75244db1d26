"""Argument scopes and variables of `tf.contrib.framework`, as `tf.contrib.slim` has them too."""
import numpy as np


def case_arg_scope(tf):
    framework = tf.contrib.framework

    @framework.add_arg_scope
    def layer(x, a=1, b=2):
        return (x, a, b)

    with framework.arg_scope([layer], a=10) as outer:
        first = layer(0)
        with framework.arg_scope([layer], b=20):
            second, third = layer(0), layer(0, a=5)
        with framework.arg_scope(outer):
            fourth = layer(1, b=3)
    return [first, second, third, fourth, layer(7), framework.has_arg_scope(layer), framework.has_arg_scope(len), list(framework.arg_scoped_arguments(layer))]


def case_arg_scope_of_layers(tf):
    slim = tf.contrib.slim
    with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=None, weights_regularizer=slim.l2_regularizer(0.01)):
        with slim.arg_scope([slim.conv2d], padding="VALID", normalizer_fn=slim.batch_norm):
            x = slim.conv2d(tf.reshape(tf.range(25.0) * 0.1, [1, 5, 5, 1]), 2, [3, 3], scope="conv1")
        y = slim.fully_connected(slim.flatten(x), 3)
    return [x, y, tf.get_collection("regularization_losses"), [v.name for v in slim.get_model_variables()]]


def case_arg_scope_of_what_is_not_decorated(tf):
    def plain():
        return 1

    with tf.contrib.framework.arg_scope([plain], a=1):
        pass


def case_arg_scope_of_another_kind(tf):
    with tf.contrib.framework.arg_scope(3):
        pass


def case_arg_scope_again_with_arguments(tf):
    with tf.contrib.slim.arg_scope({}, a=1):
        pass


def case_variables(tf):
    framework = tf.contrib.framework
    with tf.variable_scope("a"):
        one = framework.variable("one", [2], initializer=tf.zeros_initializer(), device="/cpu:0")
        two = framework.model_variable("two", [2, 3], initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss, collections=["mine"])
    framework.model_variable("three", [1], trainable=False)
    local = framework.local_variable(3.0, name="local")
    names = lambda found: [v.op.name for v in found]
    return [one, two, local, names(framework.get_variables("a")), names(framework.get_variables(suffix="two")), names(framework.get_model_variables()),
            names(framework.get_local_variables()), names(framework.get_trainable_variables()), framework.get_unique_variable("a/one").name,
            names(framework.get_variables_to_restore(exclude=["a/two"])), names(framework.get_variables_to_restore(include=["a"])),
            names(framework.get_variables_by_suffix("one")), names(framework.get_variables_by_name("two")), names(framework.filter_variables(tf.global_variables(), ["t"], ["w"]))]


def case_variable_that_is_not_there(tf):
    return tf.contrib.framework.get_unique_variable("none")


def case_values_assigned(tf):
    v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
    op, feeds = tf.contrib.framework.assign_from_values({"v": np.array([1.0, 2.0], np.float32)})
    return [v, len(feeds)]


def case_global_step(tf):
    slim = tf.contrib.slim
    step = slim.get_or_create_global_step()
    return [step, tf.contrib.framework.get_global_step() is step]
