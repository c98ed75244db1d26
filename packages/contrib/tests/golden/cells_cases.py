"""Cells of `tf.contrib.rnn`: one step or a short sequence, with gradients where variables matter."""
import numpy as np

INPUTS = np.linspace(-1, 1, 2 * 6).reshape(2, 6).astype(np.float32)


def _step(tf, cell, inputs=None, scope="root", again=True):
    inputs = tf.constant(INPUTS) if inputs is None else inputs
    with tf.variable_scope(scope, initializer=tf.constant_initializer(0.3)):
        first = cell.zero_state(2, tf.float32)
        output, state = cell(inputs, first)
        if again:
            output, state = cell(inputs, state)
    return {"output": output, "state": state, "sizes": [str(cell.state_size), str(cell.output_size)],
            "variables": [v.op.name for v in tf.global_variables()]}


def _cases():
    def cell(kind, *args, **kwargs):
        return lambda tf: _step(tf, getattr(tf.contrib.rnn, kind)(*args, **kwargs))

    cells = {
        "coupled": cell("CoupledInputForgetGateLSTMCell", 4),
        "coupled_peepholes": cell("CoupledInputForgetGateLSTMCell", 4, use_peepholes=True, num_proj=3, proj_clip=0.1, num_unit_shards=2),
        "coupled_norm": cell("CoupledInputForgetGateLSTMCell", 4, layer_norm=True, state_is_tuple=False),
        "time_frequency": cell("TimeFreqLSTMCell", 3, use_peepholes=True, feature_size=6, frequency_skip=1, cell_clip=0.2),
        "grid": cell("GridLSTMCell", 3, feature_size=2, frequency_skip=2, num_frequency_blocks=[3]),
        "grid_peepholes": cell("GridLSTMCell", 2, use_peepholes=True, cell_clip=0.1, feature_size=2, frequency_skip=1, num_frequency_blocks=[1, 2], start_freqindex_list=[0, 2], end_freqindex_list=[2, 5]),
        "grid_shared": cell("GridLSTMCell", 2, use_peepholes=True, share_time_frequency_weights=True, feature_size=2, frequency_skip=4, num_frequency_blocks=[2], couple_input_forget_gates=True, state_is_tuple=False),
        "grid_coupled": cell("GridLSTMCell", 2, use_peepholes=True, feature_size=2, frequency_skip=4, num_frequency_blocks=[2], couple_input_forget_gates=True),
        "grid_bidirectional": cell("BidirectionalGridLSTMCell", 2, feature_size=2, frequency_skip=2, num_frequency_blocks=[3]),
        "grid_bidirectional_shifted": cell("BidirectionalGridLSTMCell", 2, feature_size=2, frequency_skip=2, num_frequency_blocks=[3], backward_slice_offset=1),
        "grid_bidirectional_before": cell("BidirectionalGridLSTMCell", 2, feature_size=2, frequency_skip=2, num_frequency_blocks=[3], backward_slice_offset=-1),
        "layer_norm": cell("LayerNormBasicLSTMCell", 4),
        "layer_norm_dropout": cell("LayerNormBasicLSTMCell", 4, layer_norm=False, dropout_keep_prob=0.5, dropout_prob_seed=3),
        "ugrnn": cell("UGRNNCell", 4),
        "intersection": cell("IntersectionRNNCell", 6),
        "intersection_projected": cell("IntersectionRNNCell", 4, num_in_proj=4),
        "nas": cell("NASCell", 4),
        "nas_projected": cell("NASCell", 4, num_proj=3, use_bias=True),
        "grouped": cell("GLSTMCell", 4, number_of_groups=2),
        "grouped_projected": cell("GLSTMCell", 4, num_proj=2, number_of_groups=2),
        "independent": cell("IndRNNCell", 4),
        "independent_gru": cell("IndyGRUCell", 4),
        "independent_lstm": cell("IndyLSTMCell", 4),
        "simple": cell("SRUCell", 6),
        "lstm_block": cell("LSTMBlockCell", 4),
        "lstm_block_peephole": cell("LSTMBlockCell", 4, use_peephole=True, cell_clip=0.5, forget_bias=0.0),
        "gru_block": cell("GRUBlockCell", 4),
        "gru_block_v2": cell("GRUBlockCellV2", 4),
    }
    for name, case in cells.items():
        globals()["case_" + name] = case


_cases()


def case_phased(tf):
    times = tf.constant([[1.0], [2.0]])
    cell = tf.contrib.rnn.PhasedLSTMCell(4, use_peepholes=True, trainable_ratio_on=False)
    return _step(tf, cell, (times, tf.constant(INPUTS)))


def case_convolutional(tf):
    rnn = tf.contrib.rnn
    line = rnn.Conv1DLSTMCell(input_shape=[3, 2], output_channels=2, kernel_shape=[2])
    image = rnn.Conv2DLSTMCell(input_shape=[3, 1, 2], output_channels=2, kernel_shape=[2, 1], skip_connection=True, use_bias=False)
    volume = rnn.ConvLSTMCell(3, [3, 1, 2, 1], 2, [2, 1, 1], name="volume")
    flat = tf.constant(INPUTS)
    return [_step(tf, line, tf.reshape(flat, [2, 3, 2]), "a", False), _step(tf, image, tf.reshape(flat, [2, 3, 1, 2]), "b", False),
            _step(tf, volume, tf.reshape(flat, [2, 3, 1, 2, 1]), "c", False)]


def case_wrappers(tf):
    rnn = tf.contrib.rnn
    results = [
        _step(tf, rnn.AttentionCellWrapper(rnn.BasicLSTMCell(3), 4), scope="a"),
        _step(tf, rnn.AttentionCellWrapper(rnn.GRUCell(3), 2, attn_size=5, attn_vec_size=2, state_is_tuple=False), scope="b"),
        _step(tf, rnn.InputProjectionWrapper(rnn.GRUCell(3), 2, activation=tf.nn.relu), scope="e"),
        _step(tf, rnn.OutputProjectionWrapper(rnn.GRUCell(3), 2), scope="f"),
        _step(tf, rnn.EmbeddingWrapper(rnn.GRUCell(3), 5, 4), tf.constant([[1], [3]]), scope="g"),
    ]
    for scope, cell in (("c", rnn.HighwayWrapper(rnn.GRUCell(6))), ("d", rnn.HighwayWrapper(rnn.BasicRNNCell(6), couple_carry_transform_gates=False))):
        with tf.variable_scope(scope, initializer=tf.constant_initializer(0.3)):
            results.append(cell(tf.constant(INPUTS), cell.zero_state(2, tf.float32)))
    return results


def case_embedding_without_initializer(tf):
    cell = tf.contrib.rnn.EmbeddingWrapper(tf.contrib.rnn.BasicLSTMCell(3), 5, 4)
    return cell(tf.constant([1, 3]), cell.zero_state(2, tf.float32))


def case_block_gradients(tf):
    results = []
    for scope, cell in (("a", tf.contrib.rnn.LSTMBlockCell(3, use_peephole=True)), ("b", tf.contrib.rnn.GRUBlockCell(3))):
        x = tf.constant(INPUTS)
        with tf.variable_scope(scope, initializer=tf.constant_initializer(0.3)):
            output, state = cell(x, cell.zero_state(2, tf.float32))
            output, state = cell(x, state)
        results.append(tf.gradients(tf.reduce_sum(output * output), [x] + tf.trainable_variables(scope)))
    return results


def case_fused(tf):
    rnn = tf.contrib.rnn
    x = tf.constant(np.linspace(-1, 1, 24).reshape(3, 2, 4).astype(np.float32))
    lengths = tf.constant([3, 1])
    results = []
    with tf.variable_scope("root", initializer=tf.constant_initializer(0.3)):
        cell = rnn.LSTMBlockFusedCell(3, use_peephole=True)
        results.append(cell(x, dtype=tf.float32))
        results.append(rnn.LSTMBlockFusedCell(3, cell_clip=0.2, name="other")(x, initial_state=(tf.ones([2, 3]), tf.ones([2, 3])), sequence_length=lengths))
        backwards = rnn.TimeReversedFusedRNN(rnn.FusedRNNCellAdaptor(rnn.BasicLSTMCell(2)))
        results.append(backwards(x, dtype=tf.float32, sequence_length=lengths, scope="bw"))
        results.append(backwards(x, dtype=tf.float32, scope="bw2"))
        results.append(rnn.FusedRNNCellAdaptor(rnn.GRUCell(2), use_dynamic_rnn=True)(tf.unstack(x), dtype=tf.float32))
    results.append(tf.gradients(tf.reduce_sum(results[0][0]), tf.trainable_variables("root/lstm_fused_cell")))
    return results


def case_stacked(tf):
    rnn = tf.contrib.rnn
    x = tf.constant(np.linspace(-1, 1, 24).reshape(2, 3, 4).astype(np.float32))

    def cells():
        return [rnn.GRUCell(2), rnn.GRUCell(3)]

    with tf.variable_scope("root", initializer=tf.constant_initializer(0.3)):
        dynamic = rnn.stack_bidirectional_dynamic_rnn(cells(), cells(), x, dtype=tf.float32, sequence_length=[3, 2])
        static = rnn.stack_bidirectional_rnn(cells(), cells(), tf.unstack(x, axis=1), dtype=tf.float32, scope="static")
    return [dynamic, static, rnn.transpose_batch_time(x)]


def case_stacked_of_other_depth(tf):
    return tf.contrib.rnn.stack_bidirectional_rnn([tf.contrib.rnn.GRUCell(2)], [], [tf.ones([2, 3])], dtype=tf.float32)


def case_block_gru_without_size(tf):
    return tf.contrib.rnn.GRUBlockCell()

