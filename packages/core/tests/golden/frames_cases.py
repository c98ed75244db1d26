"""Nodes of control flow put together by hand: frames that are no loops, references that pass through, dead branches."""
import numpy as np
from golden_case import Case, says


def _enter(tf, value, frame="frame", **attrs):
    return tf.raw_ops.Enter(data=value, frame_name=frame, **attrs)


def case_values_pass_through_a_frame(tf):
    data = tf.placeholder(tf.int32, [3], name="data")
    product = _enter(tf, data) * _enter(tf, tf.constant(5), is_constant=True)
    left = tf.raw_ops.Exit(data=product)
    return Case([left, left + 1, product], feeds={data: [1, 2, 3]}, graph=False)


def case_a_frame_in_a_frame(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    outer = tf.square(_enter(tf, x, "outer"))
    inner = tf.negative(_enter(tf, outer, "inner"))
    return Case([tf.raw_ops.Exit(data=tf.raw_ops.Exit(data=inner) * outer)], feeds={x: 3.0}, graph=False)


def case_a_branch_in_a_frame(tf):
    x, p = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.bool, [], name="p")
    false, true = tf.raw_ops.Switch(data=_enter(tf, x), pred=_enter(tf, p))
    merged = tf.raw_ops.Merge(inputs=[tf.negative(false), tf.square(true)])
    return Case([tf.raw_ops.Exit(data=merged[0])], feeds=[{x: 3.0, p: True}, {x: 3.0, p: False}], steps=2, graph=False)


def case_a_reference_through_a_frame(tf):
    v = tf.get_variable("v", initializer=7, use_resource=False)
    entered = tf.raw_ops.RefEnter(data=v._ref(), frame_name="frame", is_constant=True)
    changed = tf.assign(entered, _enter(tf, tf.constant(9)))
    return Case([tf.raw_ops.RefExit(data=changed)], graph=False)


def case_frames_do_not_mix(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    text = "has inputs from different frames"

    def run(tensor):
        with tf.Session() as session:
            return session.run(tensor, {x: np.float32(1)})

    return Case([
        says(text, run, _enter(tf, x, "one") + _enter(tf, x, "two")),
        says(text, run, tf.raw_ops.Exit(data=_enter(tf, x, "three") + x)),
    ], feeds={x: 1.0}, graph=False)


def case_a_merged_reference_is_read(tf):
    v = tf.get_variable("v", [1], initializer=tf.zeros_initializer(), use_resource=False)
    p = tf.placeholder(tf.bool, [], name="p")
    false, true = tf.raw_ops.RefSwitch(data=v._ref(), pred=p)
    with tf.control_dependencies([tf.raw_ops.RefIdentity(input=false)]):
        changed = tf.assign(v._ref(), [1.0])
    with tf.control_dependencies([tf.raw_ops.RefIdentity(input=true)]):
        kept = tf.identity(v)
    merged = tf.raw_ops.Merge(inputs=[changed, kept])
    return Case([merged.output, merged.value_index, merged.output + 1.0], feeds=[{p: False}, {p: True}], steps=2)


def case_a_switched_reference_is_read(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=False)
    false, true = tf.raw_ops.Switch(data=v._ref(), pred=tf.constant(True))
    return [true + 1.0, tf.raw_ops.Merge(inputs=[false, true])[0] * 3.0]


def case_a_switched_reference_is_fetched(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=False)
    return tf.raw_ops.Switch(data=v._ref(), pred=tf.constant(True))[1]


def case_shapes_of_selected_references(tf):
    index = tf.placeholder(tf.int32, [], name="index")

    def variable(shape):
        return tf.Variable(tf.zeros(shape), use_resource=False)._ref()

    unknown = tf.Variable(tf.placeholder_with_default([1.0], [None]), validate_shape=False, use_resource=False)._ref()
    one, other = variable([1, 2]), variable([2, 1])
    select = tf.raw_ops.RefSelect
    return Case([select(index=index, inputs=inputs) for inputs in ([one, one], [one, other], [one, unknown])],
                feeds={index: 0})


def case_what_waits_stays_a_reference(tf):
    v = tf.get_variable("v", initializer=7.0, use_resource=False)
    read, reference, gate = tf.tuple([v, v._ref(), tf.constant(1.0)])
    return [read, tf.assign(reference, 2.0), gate]
