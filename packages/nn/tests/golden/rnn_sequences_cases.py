"""Cells run over sequences: dynamic, static, raw, with saved states, in both directions; lengths, shapes, gradients, errors."""
import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(3)
X = R.randn(2, 5, 3).astype("f4")
XT = X.transpose(1, 0, 2).copy()


def _gru(tf, n=4, **kw):
    return tf.nn.rnn_cell.GRUCell(n, **kw)


def _dynamic(tf, cell=None, shape=(None, 5, 3), feed=X, gradients=True, init=None, **kw):
    x = tf.placeholder(tf.float32, shape, name="x")
    kw.setdefault("dtype", tf.float32)
    out, state = tf.nn.dynamic_rnn(cell or _gru(tf), x, **kw)
    grads = tf.gradients([out, tf.reduce_sum(state[-1] if isinstance(state, tuple) else state)], [x] + tf.trainable_variables()) if gradients else []
    return Case([out, state, grads, [v.name for v in tf.trainable_variables()]], feeds={x: feed})


def case_unknown_time(tf):
    return _dynamic(tf, shape=(2, None, 3))


def case_unknown_all(tf):
    return _dynamic(tf, shape=(None, None, 3))


def case_known_all(tf):
    return _dynamic(tf, shape=(2, 5, 3))


def case_unknown_depth(tf):
    return Case(raises(_dynamic, tf, shape=(None, None, None)), graph=False, collections=False)


def case_rank_two(tf):
    return Case(raises(_dynamic, tf, shape=(2, 3)), graph=False, collections=False)


def case_rank_one(tf):
    return Case(raises(_dynamic, tf, shape=(2,)), graph=False, collections=False)


def case_time_major(tf):
    return _dynamic(tf, shape=(None, None, 3), feed=XT, time_major=True)


def case_time_major_length(tf):
    return _dynamic(tf, shape=(5, None, 3), feed=XT, time_major=True, sequence_length=tf.constant([3, 5]))


def case_length(tf):
    return _dynamic(tf, sequence_length=tf.constant([3, 5]))


def case_length_long(tf):
    return _dynamic(tf, sequence_length=tf.constant([3, 5], tf.int64))


def case_length_list(tf):
    return _dynamic(tf, shape=(2, 5, 3), sequence_length=[0, 2])


def case_length_zero(tf):
    return _dynamic(tf, sequence_length=[0, 0])


def case_length_over(tf):
    return _dynamic(tf, sequence_length=[7, 9])


def case_length_placeholder(tf):
    n = tf.placeholder(tf.int32, [None])
    case = _dynamic(tf, sequence_length=n, cell=tf.nn.rnn_cell.LSTMCell(4, num_proj=2))
    case.feeds[n] = [1, 4]
    return case


def case_length_count(tf):
    n = tf.placeholder(tf.int32, [None])
    case = _dynamic(tf, sequence_length=n, gradients=False)
    case.feeds[n] = [1, 4, 3]
    return case


def case_length_rank(tf):
    return Case([raises(_dynamic, tf, sequence_length=[[1, 2]]), raises(_dynamic, tf, sequence_length=3), raises(_dynamic, tf, sequence_length=[1.5, 2.5])], graph=False, collections=False)


def case_no_time(tf):
    return _dynamic(tf, shape=(None, None, 3), feed=X[:, :0])


def case_no_time_length(tf):
    return _dynamic(tf, shape=(None, None, 3), feed=X[:, :0], sequence_length=tf.placeholder_with_default([0, 0], [None]))


def case_no_batch(tf):
    return _dynamic(tf, feed=X[:0], gradients=False)


def case_swap(tf):
    return _dynamic(tf, swap_memory=True, parallel_iterations=1)


def case_scope(tf):
    return _dynamic(tf, scope="mine")


def case_scope_object(tf):
    with tf.variable_scope("outer") as scope:
        pass
    return _dynamic(tf, scope=scope)


def case_initial(tf):
    return _dynamic(tf, initial_state=tf.ones([2, 4]), dtype=None)


def case_initial_variable(tf):
    start = tf.get_variable("start", [1, 4])
    return _dynamic(tf, initial_state=tf.tile(start, [2, 1]), sequence_length=[2, 4])


def case_initial_lstm(tf):
    return _dynamic(tf, cell=tf.nn.rnn_cell.LSTMCell(4), initial_state=tf.nn.rnn_cell.LSTMStateTuple(tf.ones([2, 4]), tf.zeros([2, 4])), sequence_length=[2, 4])


def case_no_dtype(tf):
    return Case([raises(_dynamic, tf, dtype=None), raises(tf.nn.dynamic_rnn, _gru(tf), X.astype("f8"), dtype=tf.float32), raises(tf.nn.dynamic_rnn, "cell", X, dtype=tf.float32),
                 raises(tf.nn.dynamic_rnn, _gru(tf), X, dtype=tf.float32, initial_state=(tf.ones([2, 4]), tf.ones([2, 4])))], graph=False, collections=False)


def case_double(tf):
    x = tf.constant(X, tf.float64)
    out, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(3), x, dtype=tf.float64, sequence_length=[2, 4])
    return [out, state, tf.gradients(out, x)]


def case_numpy_inputs(tf):
    return tf.nn.dynamic_rnn(_gru(tf), X, dtype=tf.float32)


def case_reuse(tf):
    x = tf.constant(X)
    with tf.variable_scope("a"):
        first = tf.nn.dynamic_rnn(_gru(tf), x, dtype=tf.float32)[0]
        again = raises(tf.nn.dynamic_rnn, _gru(tf), x, dtype=tf.float32)
    with tf.variable_scope("a", reuse=True):
        second = tf.nn.dynamic_rnn(_gru(tf), x * 2, dtype=tf.float32)[0]
    return Case([first, again, second, [v.name for v in tf.trainable_variables()]], graph=False)


def case_same_cell_twice(tf):
    cell = _gru(tf)
    x = tf.constant(X)
    first = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, scope="a")[0]
    second = tf.nn.dynamic_rnn(cell, x * 2, dtype=tf.float32, scope="b")[0]
    return [first, second, [v.name for v in tf.trainable_variables()]]


def case_resource_variables(tf):
    with tf.variable_scope("r", use_resource=True):
        return _dynamic(tf, cell=tf.nn.rnn_cell.LSTMCell(4))


def case_partitioned(tf):
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        out, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), tf.constant(X), dtype=tf.float32)
    return [out, state, [v.name for v in tf.global_variables()]]


def case_nested_inputs(tf):
    class Both(tf.nn.rnn_cell.RNNCell):
        @property
        def state_size(self):
            return (3, 2)

        @property
        def output_size(self):
            return (3, tf.TensorShape([2]))

        def call(self, inputs, state):
            a, b = inputs
            s, t = state
            return (a + s, b * t + 1), (a * 0.5 + s, b + t)

    a, b = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.float32, [None, None, 2])
    out, state = tf.nn.dynamic_rnn(Both(), (a, b), dtype=tf.float32, sequence_length=[2, 4])
    return Case([out, state, tf.gradients(out, [a, b])], feeds={a: X, b: X[:, :, :2]})


def case_higher_rank(tf):
    class Grid(tf.nn.rnn_cell.RNNCell):
        @property
        def state_size(self):
            return tf.TensorShape([2, 3])

        @property
        def output_size(self):
            return tf.TensorShape([2, 3])

        def call(self, inputs, state):
            new = tf.tanh(inputs + state)
            return new, new

    x = tf.placeholder(tf.float32, [None, None, 2, 3])
    out, state = tf.nn.dynamic_rnn(Grid(), x, dtype=tf.float32, sequence_length=[1, 3])
    return Case([out, state, tf.gradients(out, x)], feeds={x: np.arange(48.0).reshape(2, 4, 2, 3) / 48})


def case_in_cond(tf):
    x = tf.placeholder(tf.float32, [2, 5, 3])
    cell = _gru(tf)
    out = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0], lambda: tf.zeros([2, 5, 4]))
    return Case([out], runs=[([out], {x: X}), ([out], {x: -X})], graph=False)


def case_stacked(tf):
    x = tf.placeholder(tf.float32, [None, None, 3])
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(4, num_proj=3), tf.nn.rnn_cell.ResidualWrapper(_gru(tf, 3)), tf.nn.rnn_cell.BasicLSTMCell(2)])
    out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, sequence_length=[2, 5])
    return Case([out, state, tf.gradients(out, [x] + tf.trainable_variables())], feeds={x: X})


def case_variational(tf):
    x = tf.placeholder(tf.float32, [2, None, 3])
    cell = tf.nn.rnn_cell.DropoutWrapper(_gru(tf), 0.7, 0.6, 0.8, variational_recurrent=True, input_size=3, dtype=tf.float32, seed=3)
    out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, sequence_length=[2, 5])
    return Case([out, state, tf.gradients(out, [x] + tf.trainable_variables())], feeds={x: X})


def case_training(tf):
    x, y = tf.constant(X), tf.constant(R.randn(2, 2).astype("f4") * 0 + 0.5)
    out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(4), x, dtype=tf.float32)
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(out[:, -1], 2))
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    return Case(runs=[loss, train, loss, train, train, loss], graph=False)


def _static(tf, cell=None, shape=(2, 5, 3), feed=X, run=None, **kw):
    x = tf.placeholder(tf.float32, shape, name="x")
    parts = tf.unstack(x, 5, axis=1)
    kw.setdefault("dtype", tf.float32)
    found = (run or tf.nn.static_rnn)(cell or _gru(tf), parts, **kw)
    grads = tf.gradients(found[0], [x] + tf.trainable_variables())
    return Case([found, grads, [v.name for v in tf.trainable_variables()]], feeds={x: feed})


def case_static_unknown_batch(tf):
    return _static(tf, shape=(None, 5, 3))


def case_static_unknown_length(tf):
    return _static(tf, shape=(None, 5, 3), sequence_length=tf.constant([3, 4]))


def case_static_length_long(tf):
    return _static(tf, sequence_length=tf.constant([3, 4], tf.int64), cell=tf.nn.rnn_cell.LSTMCell(4))


def case_static_length_zero(tf):
    return _static(tf, sequence_length=[0, 0])


def case_static_initial(tf):
    return _static(tf, initial_state=tf.ones([2, 4]), dtype=None, scope="s")


def case_static_initial_length(tf):
    return _static(tf, cell=tf.nn.rnn_cell.BasicLSTMCell(4), initial_state=(tf.ones([2, 4]), tf.ones([2, 4])), sequence_length=[1, 5], dtype=None)


def case_static_multi(tf):
    return _static(tf, cell=tf.nn.rnn_cell.MultiRNNCell([_gru(tf, 2), tf.nn.rnn_cell.LSTMCell(3)]), sequence_length=[2, 5])


def case_static_refused(tf):
    cell = _gru(tf)
    return Case([raises(tf.nn.static_rnn, cell, [], dtype=tf.float32), raises(tf.nn.static_rnn, cell, tf.constant(X), dtype=tf.float32), raises(tf.nn.static_rnn, cell, [tf.constant(X[:, 0])]),
                 raises(tf.nn.static_rnn, 3, [tf.constant(X[:, 0])], dtype=tf.float32), raises(tf.nn.static_rnn, cell, [tf.placeholder(tf.float32, [2, None])], dtype=tf.float32),
                 raises(tf.nn.static_rnn, cell, [tf.constant(X[:, 0])], dtype=tf.float32, sequence_length=[[1, 2]]),
                 raises(tf.nn.static_bidirectional_rnn, cell, cell, [], dtype=tf.float32), raises(tf.nn.static_bidirectional_rnn, cell, 3, [tf.constant(X[:, 0])], dtype=tf.float32),
                 raises(tf.nn.static_bidirectional_rnn, cell, cell, tf.constant(X), dtype=tf.float32), raises(tf.nn.bidirectional_dynamic_rnn, cell, 3, tf.constant(X), dtype=tf.float32),
                 raises(tf.nn.bidirectional_dynamic_rnn, cell, cell, tf.constant(X))], graph=False, collections=False)


def _both(tf, cell, parts, **kw):
    return tf.nn.static_bidirectional_rnn(cell, _gru(tf, 2), parts, **kw)


def case_static_both(tf):
    return _static(tf, run=lambda cell, parts, **kw: _both(tf, cell, parts, **kw), scope="b")


def case_static_both_length(tf):
    return _static(tf, run=lambda cell, parts, **kw: _both(tf, cell, parts, **kw), sequence_length=tf.constant([2, 4]))


def case_static_both_length_unknown(tf):
    return _static(tf, shape=(None, 5, 3), run=lambda cell, parts, **kw: _both(tf, cell, parts, **kw), sequence_length=tf.constant([2, 4], tf.int64))


def case_static_both_initial(tf):
    return _static(tf, run=lambda cell, parts, **kw: _both(tf, cell, parts, **kw), initial_state_fw=tf.ones([2, 4]), initial_state_bw=tf.ones([2, 2]), dtype=None)


def _two(tf, shape=(None, None, 3), feed=X, **kw):
    x = tf.placeholder(tf.float32, shape, name="x")
    kw.setdefault("dtype", tf.float32)
    out, state = tf.nn.bidirectional_dynamic_rnn(_gru(tf), tf.nn.rnn_cell.LSTMCell(2), x, **kw)
    return Case([out, state, tf.gradients(out, [x] + tf.trainable_variables()), [v.name for v in tf.trainable_variables()]], feeds={x: feed})


def case_both(tf):
    return _two(tf)


def case_both_length(tf):
    return _two(tf, sequence_length=tf.constant([2, 4]), scope="b")


def case_both_time_major(tf):
    return _two(tf, feed=XT, time_major=True, sequence_length=tf.constant([2, 4], tf.int64))


def case_both_initial(tf):
    return _two(tf, initial_state_fw=tf.ones([2, 4]), initial_state_bw=tf.nn.rnn_cell.LSTMStateTuple(tf.ones([2, 2]), tf.zeros([2, 2])), swap_memory=True, parallel_iterations=4)


def case_raw(tf):
    x = tf.placeholder(tf.float32, [5, 2, 3])
    n = tf.constant([4, 2])
    inputs = tf.TensorArray(tf.float32, 5).unstack(x)
    cell = tf.nn.rnn_cell.LSTMCell(4)

    def loop(time, output, state, loop_state):
        following = cell.zero_state(2, tf.float32) if output is None else state
        finished = time >= n
        done = tf.reduce_all(finished)
        now = tf.cond(done, lambda: tf.zeros([2, 3]), lambda: inputs.read(time))
        return finished, now, following, output, None

    array, state, left = tf.nn.raw_rnn(cell, loop)
    out = array.stack()
    return Case([out, state, tf.gradients(out, [x] + tf.trainable_variables()), left is None], feeds={x: XT})


def case_raw_loop_state(tf):
    cell = _gru(tf)
    x = tf.constant(XT)

    def loop(time, output, state, loop_state):
        if output is None:
            return tf.zeros([2], tf.bool), x[0], cell.zero_state(2, tf.float32), tf.zeros([4]), tf.constant(0.5)
        finished = time >= tf.constant([3, 3])
        return finished, x[tf.minimum(time, 4)], state, output * 2, loop_state + 1

    array, state, left = tf.nn.raw_rnn(cell, loop, parallel_iterations=3, swap_memory=True, scope="r")
    return [array.stack(), state, left]


def case_raw_array_state(tf):
    cell = tf.nn.rnn_cell.BasicRNNCell(3)
    x = tf.constant(XT)

    def loop(time, output, state, loop_state):
        if output is None:
            return tf.zeros([2], tf.bool), x[0], cell.zero_state(2, tf.float32), tf.zeros([3]), tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False).write(0, 1)
        finished = tf.tile([time >= 3], [2])
        return finished, x[time], state, output, loop_state.write(time, time + loop_state.read(time - 1))

    array, state, left = tf.nn.raw_rnn(cell, loop)
    return [array.stack(), state, left.stack()]


def case_raw_nested(tf):
    cell = tf.nn.rnn_cell.MultiRNNCell([_gru(tf, 2), tf.nn.rnn_cell.LSTMCell(3)])
    x = tf.placeholder(tf.float32, [None, 2, 3])

    def loop(time, output, state, loop_state):
        if output is None:
            return tf.zeros([2], tf.bool), x[0], cell.zero_state(2, tf.float32), (tf.zeros([3]), tf.zeros([1], tf.int32)), None
        return time >= [4, 2], x[tf.minimum(time, 4)], state, (output, tf.fill([2, 1], time)), None

    (first, second), state, _ = tf.nn.raw_rnn(cell, loop)
    return Case([first.stack(), second.stack(), state], feeds={x: XT})


def case_raw_refused(tf):
    cell = _gru(tf)
    state = cell.zero_state(2, tf.float32)

    def loop(time, output, s, loop_state):
        return tf.zeros([2], tf.bool), tf.zeros([2, 3]), state, None, None

    def unknown(time, output, s, loop_state):
        return tf.zeros([2], tf.bool), tf.placeholder(tf.float32), state, None, None

    return Case([raises(tf.nn.raw_rnn, 3, loop), raises(tf.nn.raw_rnn, cell, 3), raises(tf.nn.raw_rnn, cell, unknown)], graph=False, collections=False)


class Saver(object):
    """Keeps what is saved, as a state saver does."""

    def __init__(self, tf, sizes):
        self.saved = {}
        self._tf, self._sizes = tf, sizes

    def state(self, name):
        return self._tf.ones([2, self._sizes[name]]) * 0.5

    def save_state(self, name, value):
        self.saved[name] = value
        return self._tf.identity(value, name="save_" + name)

    @property
    def state_size(self):
        return self._sizes


def case_saving(tf):
    saver = Saver(tf, {"s": 4})
    x = tf.placeholder(tf.float32, [2, 5, 3])
    out, state = tf.nn.static_state_saving_rnn(_gru(tf), tf.unstack(x, axis=1), state_saver=saver, state_name="s", sequence_length=[3, 5])
    return Case([out, state, saver.saved, tf.gradients(out, x)], feeds={x: X})


def case_saving_lstm(tf):
    saver = Saver(tf, {"c": 4, "h": 4})
    out, state = tf.nn.static_state_saving_rnn(tf.nn.rnn_cell.LSTMCell(4), tf.unstack(tf.constant(X), axis=1), saver, ("c", "h"), scope="s")
    return [out, state, saver.saved]


def case_saving_nested(tf):
    saver = Saver(tf, {"c0": 4, "h0": 4, "g": 2})
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(4), _gru(tf, 2)])
    out, state = tf.nn.static_state_saving_rnn(cell, tf.unstack(tf.constant(X), axis=1), saver, ("c0", "h0", "g"))
    return [out, state, saver.saved]


def case_saving_refused(tf):
    saver = Saver(tf, {"c": 4, "h": 4})
    x = tf.unstack(tf.constant(X), axis=1)
    return Case([raises(tf.nn.static_state_saving_rnn, tf.nn.rnn_cell.LSTMCell(4), x, saver, "c"), raises(tf.nn.static_state_saving_rnn, _gru(tf), x, saver, ("c", "h")),
                 raises(tf.nn.static_state_saving_rnn, tf.nn.rnn_cell.LSTMCell(4), x, saver, ("c",))], graph=False, collections=False)


def case_steps_at_once_in_other_types(tf):
    def run(count):
        return tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.ones([1, 2, 2]), dtype=tf.float32, parallel_iterations=count)

    return Case([raises(run, count) for count in (2.0, np.array(1))], graph=False)
