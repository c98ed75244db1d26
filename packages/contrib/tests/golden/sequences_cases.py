"""Losses of sequences, training ops of `slim`, and hyperparameters."""
import numpy as np

LOGITS = np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 5
TARGETS = np.array([[0, 1, 2], [3, 0, 1]], np.int32)
WEIGHTS = np.array([[1, 1, 0], [1, 0.5, 0]], np.float32)


def case_sequence_loss(tf):
    loss = tf.contrib.seq2seq.sequence_loss
    given = [tf.constant(LOGITS), tf.constant(TARGETS), tf.constant(WEIGHTS)]
    return [loss(*given), loss(*given, average_across_timesteps=False), loss(*given, average_across_batch=False, name="mine"),
            loss(*given, average_across_batch=False, average_across_timesteps=False)]


def case_sequence_loss_with_sums(tf):
    given = dict(logits=tf.constant(LOGITS), targets=tf.constant(TARGETS), weights=tf.constant(WEIGHTS))
    sums = [(True, True, False, False), (True, False, False, False), (False, True, False, False), (True, False, False, True), (False, True, True, False)]
    names = ("sum_over_timesteps", "sum_over_batch", "average_across_timesteps", "average_across_batch")
    return [tf.contrib.seq2seq.sequence_loss(**given, **dict(zip(names, chosen))) for chosen in sums]


def case_sequence_loss_of_wrong_rank(tf):
    return tf.contrib.seq2seq.sequence_loss(tf.ones([2, 3]), tf.ones([2, 3], tf.int32), tf.ones([2, 3]))


def case_legacy_loss(tf):
    legacy = tf.contrib.legacy_seq2seq
    given = [[tf.constant(part[:, i]) for i in range(3)] for part in (LOGITS, TARGETS, WEIGHTS)]
    return [legacy.sequence_loss_by_example(*given), legacy.sequence_loss(*given), legacy.sequence_loss(*given, average_across_batch=False, average_across_timesteps=False)]


def case_legacy_loss_of_other_lengths(tf):
    return tf.contrib.legacy_seq2seq.sequence_loss_by_example([tf.ones([2, 3])], [], [])


def case_train_op(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    return tf.contrib.slim.learning.create_train_op(tf.log(tf.reduce_sum(v * v)), tf.train.GradientDescentOptimizer(0.1))


def case_train_op_with_multipliers(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer())
    w = tf.get_variable("w", [4, 2], initializer=tf.ones_initializer())
    loss = tf.log(tf.reduce_sum(v * v)) + tf.log(tf.reduce_sum(tf.gather(w, [1])))
    return tf.contrib.slim.learning.create_train_op(
        loss, tf.train.GradientDescentOptimizer(0.1), gradient_multipliers={v: 2.0, "w": 0.5}, summarize_gradients=True, clip_gradient_norm=1.0
    )


def case_train_op_with_updates(tf):
    slim = tf.contrib.slim
    y = slim.fully_connected(tf.constant(WEIGHTS), 2, normalizer_fn=slim.batch_norm)
    return slim.learning.create_train_op(tf.reduce_sum(y * y), tf.train.MomentumOptimizer(0.1, 0.9), clip_gradient_norm=1.0)


def case_hyperparameters(tf):
    h = tf.contrib.training.HParams(a=1, b=2.0, c="x", d=[1, 2], e=True)
    first = [str(h), repr(h), h.to_json(), "a" in h, h.get("a"), h.get("z", 3)]
    h.parse("a=5,b=1e-2,d=[3,4],c=hey,e=false")
    return [first, str(h), str(h.parse_json('{"a": 7}')), str(h.override_from_dict({"b": 3}))]


def case_unknown_hyperparameter(tf):
    tf.contrib.training.HParams(a=1).parse("z=1")


def case_hyperparameter_of_another_type(tf):
    tf.contrib.training.HParams(a=1).parse("a=1.5")


def case_hyperparameter_set_to_another_type(tf):
    tf.contrib.training.HParams(a=1).set_hparam("a", 2.5)


def case_hyperparameter_twice(tf):
    tf.contrib.training.HParams(a=1).add_hparam("a", 1)


def case_modes(tf):
    modes = tf.contrib.learn.ModeKeys
    return [modes.TRAIN, modes.EVAL, modes.INFER]


def case_nth_element(tf):
    rows = tf.constant([[3.0, 1.0, 2.0], [5.0, 9.0, 7.0]])
    return [tf.contrib.nn.nth_element(rows, 1), tf.contrib.nn.nth_element(rows, tf.constant(0), reverse=True, name="largest")]
