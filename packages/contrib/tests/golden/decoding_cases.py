"""Decoders, helpers, attention and beam search of `tf.contrib.seq2seq`."""
import numpy as np

INPUTS = np.linspace(-1, 1, 2 * 3 * 4).reshape(2, 3, 4).astype(np.float32)
EMBEDDING = np.cos(np.arange(20)).reshape(5, 4).astype(np.float32)


def _decoded(tf, helper, cell=None, layer=True, **kwargs):
    seq2seq = tf.contrib.seq2seq
    with tf.variable_scope("root", initializer=tf.constant_initializer(0.3)):
        cell = cell or tf.nn.rnn_cell.GRUCell(3)
        output_layer = tf.layers.Dense(5, name="out", kernel_initializer=tf.constant_initializer(np.sin(np.arange(15)).reshape(3, 5))) if layer else None
        decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf.float32), output_layer)
        return seq2seq.dynamic_decode(decoder, **kwargs)


def case_training(tf):
    return _decoded(tf, tf.contrib.seq2seq.TrainingHelper(tf.constant(INPUTS), [3, 2]))


def case_training_imputed(tf):
    helper = tf.contrib.seq2seq.TrainingHelper(tf.constant(INPUTS.transpose(1, 0, 2)), tf.constant([3, 1]), time_major=True)
    return _decoded(tf, helper, tf.nn.rnn_cell.BasicLSTMCell(3), layer=False, impute_finished=True, output_time_major=True, maximum_iterations=2)


def case_training_gradients(tf):
    outputs, _, _ = _decoded(tf, tf.contrib.seq2seq.TrainingHelper(tf.constant(INPUTS), [3, 2]))
    return tf.gradients(tf.reduce_sum(outputs.rnn_output), tf.trainable_variables())


def case_greedy(tf):
    helper = tf.contrib.seq2seq.GreedyEmbeddingHelper(tf.constant(EMBEDDING), tf.constant([1, 2]), 0)
    return _decoded(tf, helper, maximum_iterations=4)


def case_sampled(tf):
    helper = tf.contrib.seq2seq.SampleEmbeddingHelper(lambda ids: tf.nn.embedding_lookup(EMBEDDING, ids), [1, 2], 0, softmax_temperature=0.5, seed=3)
    return _decoded(tf, helper, maximum_iterations=3)


def case_scheduled_embedding(tf):
    helper = tf.contrib.seq2seq.ScheduledEmbeddingTrainingHelper(tf.constant(INPUTS), [3, 2], tf.constant(EMBEDDING), 0.5, seed=1, scheduling_seed=2)
    return _decoded(tf, helper, maximum_iterations=1)  # steps draw in any order


def case_scheduled_output(tf):
    seq2seq = tf.contrib.seq2seq
    given = tf.constant(INPUTS[:, :, :3])
    plain = seq2seq.ScheduledOutputTrainingHelper(given, [3, 2], 0.5, seed=1)
    first = _decoded(tf, plain, layer=False)
    with tf.variable_scope("second"):
        mapped = seq2seq.ScheduledOutputTrainingHelper(given, [3, 2], [0.5, 1.0], seed=4, next_inputs_fn=lambda x: x * 2.0, auxiliary_inputs=tf.constant(INPUTS[:, :, :1]))
        return [first, _decoded(tf, mapped, layer=False)]


def case_inference(tf):
    helper = tf.contrib.seq2seq.InferenceHelper(lambda x: x, [3], tf.float32, tf.ones([2, 3]), lambda x: tf.reduce_sum(x, 1) > 100.0)
    return _decoded(tf, helper, layer=False, maximum_iterations=2)


def case_custom(tf):
    helper = tf.contrib.seq2seq.CustomHelper(
        lambda: (tf.constant([False, False]), tf.constant(INPUTS[:, 0])), lambda time, outputs, state: tf.cast(tf.argmax(outputs, 1), tf.int32),
        lambda time, outputs, state, sample_ids: (time + 1 >= tf.constant([2, 3]), tf.constant(INPUTS[:, 1]), state))
    return _decoded(tf, helper)


def case_refused_decoder(tf):
    return tf.contrib.seq2seq.dynamic_decode(3)


def case_refused_lengths(tf):
    return tf.contrib.seq2seq.TrainingHelper(tf.constant(INPUTS), 3)


def _attending(tf, mechanism, **kwargs):
    cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), mechanism, **kwargs)
    return _decoded(tf, tf.contrib.seq2seq.TrainingHelper(tf.constant(INPUTS), [3, 2]), cell, layer=False)


def _memory(tf):
    return tf.constant(np.sin(np.arange(2 * 3 * 4)).reshape(2, 3, 4).astype(np.float32))


def case_luong(tf):
    with tf.variable_scope("memory", initializer=tf.constant_initializer(0.2)):
        mechanism = tf.contrib.seq2seq.LuongAttention(4, _memory(tf), memory_sequence_length=[3, 2], scale=True)
    return _attending(tf, mechanism, attention_layer_size=4)


def case_bahdanau(tf):
    with tf.variable_scope("memory", initializer=tf.constant_initializer(0.2)):
        mechanism = tf.contrib.seq2seq.BahdanauAttention(3, _memory(tf), normalize=True)
    return _attending(tf, mechanism, alignment_history=True, output_attention=False)[0]


def case_bahdanau_history(tf):
    with tf.variable_scope("memory", initializer=tf.constant_initializer(0.2)):
        mechanism = tf.contrib.seq2seq.BahdanauAttention(3, _memory(tf))
    outputs, state, _ = _attending(tf, mechanism, alignment_history=True)
    return [outputs, state.alignment_history.stack()]


def case_two_memories(tf):
    with tf.variable_scope("memory", initializer=tf.constant_initializer(0.2)):
        mechanisms = [tf.contrib.seq2seq.LuongAttention(4, _memory(tf)), tf.contrib.seq2seq.BahdanauAttention(2, _memory(tf))]
    return _attending(tf, mechanisms, attention_layer_size=[2, 3], initial_cell_state=tf.ones([2, 4]))


def case_monotonic(tf):
    seq2seq = tf.contrib.seq2seq
    with tf.variable_scope("memory", initializer=tf.constant_initializer(0.2)):
        first = seq2seq.LuongMonotonicAttention(4, _memory(tf), score_bias_init=-0.5)
        second = seq2seq.BahdanauMonotonicAttention(4, _memory(tf), memory_sequence_length=[3, 2], mode="hard", normalize=True)
        third = seq2seq.BahdanauMonotonicAttention(4, _memory(tf), mode="recursive")
    return _attending(tf, [first, second, third])


def case_functions(tf):
    seq2seq = tf.contrib.seq2seq
    p, before = tf.constant([[0.2, 0.5, 1.0], [0.0, 0.3, 0.9]]), tf.constant([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    return [seq2seq.hardmax([[1.0, 3.0, 2.0]]), seq2seq.hardmax(tf.placeholder_with_default([[1.0, 3.0]], [None, None])), seq2seq.safe_cumprod(p, axis=1),
            [seq2seq.monotonic_attention(p, before, mode) for mode in ("parallel", "recursive", "hard")]]


def case_monotonic_noise(tf):
    with tf.variable_scope("memory", initializer=tf.constant_initializer(0.2)):
        mechanism = tf.contrib.seq2seq.LuongMonotonicAttention(4, _memory(tf), sigmoid_noise=1.0, sigmoid_noise_seed=3)
    return mechanism(tf.ones([2, 4]), tf.constant([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]))


def case_refused_mode(tf):
    return tf.contrib.seq2seq.monotonic_attention([[0.5]], [[1.0]], "other")


def case_tile_batch(tf):
    return [tf.contrib.seq2seq.tile_batch(tf.constant(INPUTS[:, 0]), 2), tf.contrib.seq2seq.tile_batch((tf.placeholder_with_default([1, 2], [None]), tf.constant([[1], [2]])), multiplier=3)]


def case_gather_tree(tf):
    step_ids = np.array([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]], [[10, 10, 10]]], np.int32)
    parents = np.array([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]], [[0, 1, 2]]], np.int32)
    return tf.contrib.seq2seq.gather_tree(step_ids, parents, max_sequence_lengths=[3], end_token=10)


def _beam(tf, cell, state, **kwargs):
    seq2seq = tf.contrib.seq2seq
    with tf.variable_scope("root", initializer=tf.constant_initializer(0.3)):
        layer = tf.layers.Dense(5, name="out", kernel_initializer=tf.constant_initializer(np.sin(np.arange(20)).reshape(4, 5)))
        decoder = seq2seq.BeamSearchDecoder(cell, tf.constant(EMBEDDING), tf.constant([1, 2]), 0, state, 3, layer, **kwargs)
        return seq2seq.dynamic_decode(decoder, maximum_iterations=4)


def case_beam(tf):
    cell = tf.nn.rnn_cell.GRUCell(4)
    outputs, state, lengths = _beam(tf, cell, cell.zero_state(6, tf.float32), length_penalty_weight=0.6)
    return [outputs, state, lengths]


def case_beam_attention(tf):
    seq2seq = tf.contrib.seq2seq
    memory = seq2seq.tile_batch(_memory(tf), 3)
    with tf.variable_scope("memory", initializer=tf.constant_initializer(0.2)):
        mechanism = seq2seq.LuongAttention(4, memory, memory_sequence_length=seq2seq.tile_batch(tf.constant([3, 2]), 3))
    cell = seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicLSTMCell(4), mechanism, attention_layer_size=4, alignment_history=True)
    first = cell.zero_state(6, tf.float32).clone(cell_state=tf.nn.rnn_cell.LSTMStateTuple(tf.ones([6, 4]), tf.zeros([6, 4])))
    outputs, state, lengths = _beam(tf, cell, first, coverage_penalty_weight=0.3)
    return [outputs, state, lengths]
