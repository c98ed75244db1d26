"""Conditional random fields of `tf.contrib.crf`."""
import numpy as np

SCORES = np.sin(np.arange(2 * 3 * 4)).reshape(2, 3, 4).astype(np.float32)
TAGS = np.array([[0, 1, 3], [2, 0, 1]], np.int32)
TRANSITIONS = np.cos(np.arange(16)).reshape(4, 4).astype(np.float32)


def case_likelihood(tf):
    with tf.variable_scope("crf", initializer=tf.constant_initializer(0.2)):
        likelihood, transitions = tf.contrib.crf.crf_log_likelihood(tf.constant(SCORES), tf.constant(TAGS), tf.constant([3, 2]))
    return [likelihood, transitions, tf.gradients(likelihood, transitions)]


def case_likelihood_of_unknown_length(tf):
    from golden_case import Case
    x = tf.placeholder(tf.float32, [None, None, 4])
    tags = tf.placeholder(tf.int64, [None, None])
    likelihood, _ = tf.contrib.crf.crf_log_likelihood(x, tags, tf.constant([3, 2], tf.int64), tf.constant(TRANSITIONS))
    return Case([likelihood, tf.gradients(likelihood, x)], feeds={x: SCORES, tags: TAGS})


def case_one_step(tf):
    given = [tf.constant(SCORES[:, :1]), tf.constant(TAGS[:, :1]), tf.constant([1, 0])]
    decoded = tf.contrib.crf.crf_decode(given[0], tf.constant(TRANSITIONS), given[2])
    return [tf.contrib.crf.crf_log_likelihood(*given, transition_params=tf.constant(TRANSITIONS)), decoded]


def case_scores(tf):
    crf = tf.contrib.crf
    inputs, tags, lengths, transitions = tf.constant(SCORES), tf.constant(TAGS), tf.constant([3, 1]), tf.constant(TRANSITIONS)
    allowed = tf.one_hot(tags, 4, on_value=True, off_value=False)
    return [crf.crf_sequence_score(inputs, tags, lengths, transitions), crf.crf_log_norm(inputs, lengths, transitions), crf.crf_unary_score(tags, lengths, inputs),
            crf.crf_binary_score(tags, lengths, transitions), crf.crf_multitag_sequence_score(inputs, allowed, lengths, transitions)]


def case_decode(tf):
    return tf.contrib.crf.crf_decode(tf.constant(SCORES), tf.constant(TRANSITIONS), tf.constant([3, 2]))


def case_decode_of_unknown_length(tf):
    from golden_case import Case
    x = tf.placeholder(tf.float32, [None, None, 4])
    return Case(tf.contrib.crf.crf_decode(x, tf.constant(TRANSITIONS), tf.constant([3, 2])), feeds={x: SCORES})


def case_viterbi(tf):
    path, score = tf.contrib.crf.viterbi_decode(SCORES[0], TRANSITIONS)
    return [[int(i) for i in path], round(float(score), 4)]
