"""Recurrent cells one by one: options, dtypes, names, reuse, zero states, wrappers, errors."""
import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(2)
X = R.randn(2, 3).astype("f4")
H = R.randn(2, 4).astype("f4")
C = R.randn(2, 4).astype("f4")


def _cells(tf):
    return tf.nn.rnn_cell


def _step(tf, cell, size=4, dtype="float32", scope=None, unknown=False, x=X, state=None):
    """A step, its gradients by inputs, state and variables."""
    inputs = tf.placeholder(dtype, [None, None if unknown else x.shape[1]], name="x")
    if state is None:
        state = tf.placeholder(dtype, [None, size], name="h")
        feeds = {inputs: x, state: H[:, :size]}
    else:
        feeds = {inputs: x}
    out, new = cell(inputs, state, scope=scope) if scope else cell(inputs, state)
    variables = tf.trainable_variables()
    grads = tf.gradients(out, [inputs] + variables, grad_ys=tf.cos(out))
    return Case([out, new, grads, [v.name for v in cell.variables]], feeds=feeds)


def _lstm(tf, cell, proj=4, dtype="float32"):
    inputs = tf.placeholder(dtype, [None, 3], name="x")
    c, h = tf.placeholder(dtype, [None, 4], name="c"), tf.placeholder(dtype, [None, proj], name="h")
    out, new = cell(inputs, tf.nn.rnn_cell.LSTMStateTuple(c, h))
    grads = tf.gradients([out, new.c], [inputs, c, h] + tf.trainable_variables(), grad_ys=[tf.cos(out), tf.sin(new.c)])
    return Case([out, new, grads, [v.name for v in cell.variables], [v.name for v in cell.weights]], feeds={inputs: X, c: C, h: H[:, :proj]})


def case_basic(tf):
    return _step(tf, _cells(tf).BasicRNNCell(4))


def case_basic_relu(tf):
    return _step(tf, _cells(tf).BasicRNNCell(4, activation=tf.nn.relu, name="mine"))


def case_basic_named_activation(tf):
    return _step(tf, _cells(tf).BasicRNNCell(4, activation="sigmoid"))


def case_basic_scope(tf):
    return _step(tf, _cells(tf).BasicRNNCell(4), scope="outer")


def case_basic_double(tf):
    return _step(tf, _cells(tf).BasicRNNCell(4, dtype=tf.float64), dtype="float64")


def case_basic_half(tf):
    cell = _cells(tf).BasicRNNCell(4)
    x = tf.placeholder(tf.float16, [None, 3])
    out, _ = cell(x, tf.zeros([2, 4], tf.float16))
    return Case([out.dtype.name, [v.dtype.name for v in cell.variables], out], feeds={x: X}, tolerance=1e-2)


def case_gru(tf):
    return _step(tf, _cells(tf).GRUCell(4))


def case_gru_options(tf):
    return _step(tf, _cells(tf).GRUCell(4, activation=tf.nn.relu, kernel_initializer=tf.constant_initializer(0.25), bias_initializer=tf.constant_initializer(0.5), name="g"))


def case_basic_lstm(tf):
    return _lstm(tf, _cells(tf).BasicLSTMCell(4))


def case_basic_lstm_options(tf):
    return _lstm(tf, _cells(tf).BasicLSTMCell(4, forget_bias=0.5, activation=tf.nn.relu, name="l", dtype=tf.float64), dtype="float64")


def case_basic_lstm_joined(tf):
    return _step(tf, _cells(tf).BasicLSTMCell(2, state_is_tuple=False))


def case_lstm(tf):
    return _lstm(tf, _cells(tf).LSTMCell(4))


def case_lstm_peepholes(tf):
    return _lstm(tf, _cells(tf).LSTMCell(4, use_peepholes=True, forget_bias=2.0))


def case_lstm_projection(tf):
    return _lstm(tf, _cells(tf).LSTMCell(4, num_proj=2, proj_clip=0.1, initializer=tf.random_uniform_initializer(-1, 1, seed=4)), 2)


def case_lstm_clip(tf):
    return _lstm(tf, _cells(tf).LSTMCell(4, cell_clip=0.2, use_peepholes=True, num_proj=3), 3)


def case_lstm_joined(tf):
    cell = _cells(tf).LSTMCell(2, num_proj=2, use_peepholes=True, state_is_tuple=False)
    return _step(tf, cell)


def case_lstm_shards(tf):
    cell = _cells(tf).LSTMCell(4, num_unit_shards=2, num_proj=2, num_proj_shards=2)
    out, state = cell(tf.constant(X), cell.zero_state(2, tf.float32))
    return [out, state, [v.name for v in tf.global_variables()]]


def case_lstm_partitioner(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        cell = _cells(tf).LSTMCell(4)
        x = tf.constant(X)
        out, state = cell(x, cell.zero_state(2, tf.float32))
    return [out, state, [v.name for v in tf.global_variables()]]


def case_lstm_scope_initializer(tf):
    with tf.variable_scope("s", initializer=tf.constant_initializer(0.3), regularizer=lambda w: tf.reduce_sum(w * w)):
        cell = _cells(tf).LSTMCell(4, use_peepholes=True)
        out, state = cell(tf.constant(X), cell.zero_state(2, tf.float32))
    return [out, state, tf.losses.get_regularization_losses()]


def case_lstm_twice(tf):
    cell = _cells(tf).LSTMCell(4)
    state = cell.zero_state(2, tf.float32)
    a, state = cell(tf.constant(X), state)
    b, state = cell(tf.constant(X) * 2, state)
    return [a, b, state, [v.name for v in tf.trainable_variables()], cell.built, cell.name]


def case_two_cells(tf):
    cells = [_cells(tf).GRUCell(4) for _ in range(2)]
    outs = [c(tf.constant(X), tf.constant(H))[0] for c in cells]
    return [outs, [v.name for v in tf.trainable_variables()]]


def case_reuse(tf):
    x, h = tf.constant(X), tf.constant(H)
    with tf.variable_scope("a"):
        first = _cells(tf).BasicRNNCell(4)(x, h)[0]
    with tf.variable_scope("a", reuse=True):
        second = _cells(tf).BasicRNNCell(4)(x, h)[0]
    third = _cells(tf).BasicRNNCell(4, reuse=True)
    with tf.variable_scope("a"):
        again = third(x, h)[0]
    return [first, second, again, [v.name for v in tf.trainable_variables()]]


def case_reuse_refused(tf):
    x, h = tf.constant(X), tf.constant(H)
    with tf.variable_scope("b"):
        wrong = raises(_cells(tf).BasicRNNCell(4, reuse=True), x, h)
    with tf.variable_scope("c"):
        _cells(tf).BasicRNNCell(4)(x, h)
        again = raises(_cells(tf).BasicRNNCell(4), x, h)
    with tf.variable_scope("c", reuse=tf.AUTO_REUSE):
        fine = raises(_cells(tf).BasicRNNCell(4), x, h)
        size = raises(_cells(tf).BasicRNNCell(4), tf.ones([2, 5]), h)
    return [wrong, again, fine, size]


def case_other_scope_refused(tf):
    cell = _cells(tf).LSTMCell(4)
    state = cell.zero_state(2, tf.float32)
    with tf.variable_scope("one"):
        cell(tf.constant(X), state)
    with tf.variable_scope("two"):
        found = raises(cell, tf.constant(X), state)
    return [found, [v.name for v in tf.trainable_variables()]]


def case_refused(tf):
    cells, x, h = _cells(tf), tf.constant(X), tf.constant(H)
    found = [raises(cells.GRUCell(4), tf.placeholder(tf.float32, [None, None]), h), raises(cells.LSTMCell(4), tf.placeholder(tf.float32), (h, h)),
             raises(cells.LSTMCell(4), x, h), raises(cells.BasicLSTMCell(4), x, h), raises(cells.MultiRNNCell, []), raises(cells.MultiRNNCell, cells.GRUCell(4)),
             raises(cells.MultiRNNCell, [cells.BasicLSTMCell(2)], state_is_tuple=False), raises(cells.BasicRNNCell, 4, activation="nothing"),
             raises(cells.GRUCell(4), tf.ones([2, 3, 4]), h), raises(cells.GRUCell(4), tf.ones([2, 3], tf.int32), h),
             raises(cells.LSTMCell(4), tf.ones([2, 3], tf.complex64), (h, h)), raises(cells.GRUCell, "4"), raises(cells.GRUCell, 4, bogus=1),
             raises(cells.LSTMCell(4), x, (tf.ones([2, 4], tf.float64), h)), raises(cells.GRUCell(4), x, tf.ones([2, 5])),
             raises(cells.MultiRNNCell([cells.GRUCell(4), cells.GRUCell(4)]), x, h), raises(lambda: cells.RNNCell().state_size), raises(lambda: cells.RNNCell().output_size)]
    return Case(found, collections=False)


def case_zero_state(tf):
    cells, n = _cells(tf), tf.placeholder_with_default(3, [])
    made = [cells.BasicRNNCell(4).zero_state(2, tf.float32), cells.LSTMCell(4, num_proj=3).zero_state(n, tf.float64), cells.BasicLSTMCell(4, state_is_tuple=False).zero_state(n, tf.float32),
            cells.MultiRNNCell([cells.GRUCell(2), cells.LSTMCell(3)]).zero_state(2, tf.float32), cells.MultiRNNCell([cells.GRUCell(2), cells.GRUCell(3)], state_is_tuple=False).zero_state(n, tf.float32),
            cells.DropoutWrapper(cells.LSTMCell(3)).zero_state(2, tf.float32), cells.ResidualWrapper(cells.GRUCell(3)).zero_state(n, tf.float32), cells.DeviceWrapper(cells.GRUCell(3), "/cpu:0").zero_state(2, tf.float32)]
    return made


def case_initial_state(tf):
    cells, x = _cells(tf), tf.placeholder(tf.float32, [None, 3])
    cell = cells.LSTMCell(4)
    return Case([cell.get_initial_state(x), cell.get_initial_state(batch_size=3, dtype=tf.float64), cells.GRUCell(2).get_initial_state(tf.ones([5, 2])), raises(cell.get_initial_state),
                 raises(cell.get_initial_state, batch_size=2), raises(cell.get_initial_state, tf.ones([2, 3]), batch_size=3), raises(cell.get_initial_state, tf.ones([2, 3]), dtype=tf.float64),
                 cells.ResidualWrapper(cell).get_initial_state(x)], feeds={x: X}, graph=False)


def case_sizes(tf):
    cells = _cells(tf)
    made = [cells.BasicRNNCell(4), cells.GRUCell(4), cells.BasicLSTMCell(4), cells.BasicLSTMCell(4, state_is_tuple=False), cells.LSTMCell(4, num_proj=3), cells.LSTMCell(4, num_proj=3, state_is_tuple=False),
            cells.MultiRNNCell([cells.GRUCell(2), cells.LSTMCell(3)]), cells.MultiRNNCell([cells.GRUCell(2), cells.GRUCell(3)], state_is_tuple=False), cells.DropoutWrapper(cells.LSTMCell(2))]
    return [[str(c.state_size), str(c.output_size), c.trainable, c.built, type(c).__name__] for c in made]


def case_state_tuple(tf):
    pair = tf.nn.rnn_cell.LSTMStateTuple
    return [pair(1, 2)._fields, pair(c=1, h=2) == (1, 2), pair(tf.zeros([2]), tf.zeros([2])).dtype.name, raises(lambda: pair(tf.zeros([2]), tf.zeros([2], tf.float64)).dtype), str(pair(3, 4))]


def case_multi(tf):
    cells = _cells(tf)
    cell = cells.MultiRNNCell([cells.GRUCell(4), cells.LSTMCell(3), cells.BasicRNNCell(2)])
    x = tf.placeholder(tf.float32, [None, 3])
    out, state = cell(x, cell.zero_state(2, tf.float32))
    out, state = cell(x * 2, state)
    return Case([out, state, tf.gradients(out, [x] + tf.trainable_variables()), [v.name for v in cell.trainable_variables]], feeds={x: X})


def case_multi_joined(tf):
    cells = _cells(tf)
    cell = cells.MultiRNNCell([cells.GRUCell(1), cells.GRUCell(3)], state_is_tuple=False)
    return _step(tf, cell)


def case_multi_same(tf):
    cells = _cells(tf)
    shared = cells.GRUCell(3)
    cell = cells.MultiRNNCell([shared, shared])
    found = []
    state = cell.zero_state(2, tf.float32)
    found.append(raises(cell, tf.constant(X), state))
    return [found, [v.name for v in tf.trainable_variables()]]


def case_residual(tf):
    cells = _cells(tf)
    cell = cells.ResidualWrapper(cells.GRUCell(3))
    x = tf.constant(X)
    out, state = cell(x, tf.constant(H[:, :3]))
    other = cells.ResidualWrapper(cells.GRUCell(3, name="o"), residual_fn=lambda i, o: tf.concat([i, o], 1))
    with tf.variable_scope("p"):
        both = other(x, tf.constant(H[:, :3]))
    return [out, state, both, [v.name for v in cell.variables], raises(cells.ResidualWrapper(cells.GRUCell(5, name="w")), x, tf.ones([2, 5])), cell.state_size, other.output_size]


def case_residual_fn(tf):
    cells = _cells(tf)
    cell = cells.ResidualWrapper(cells.BasicRNNCell(3), residual_fn=lambda i, o: i * 0.5 + o)
    x = tf.constant(X)
    out, state = cell(x, tf.constant(H[:, :3]))
    return [out, state, tf.gradients(out, x)]


def case_device(tf):
    cells = _cells(tf)
    cell = cells.DeviceWrapper(cells.GRUCell(3), "/cpu:0")
    out, state = cell(tf.constant(X), cell.zero_state(2, tf.float32))
    return [out, state, out.device, [v.device for v in cell.variables]]


def case_wrapped(tf):
    cells = _cells(tf)
    inner = cells.GRUCell(3)
    found = [cells.DropoutWrapper(inner).wrapped_cell is inner, cells.DropoutWrapper(inner).trainable_weights, raises(cells.DropoutWrapper, "x"), raises(cells.ResidualWrapper, None),
             raises(cells.DropoutWrapper, inner, input_keep_prob=1.5), raises(cells.DropoutWrapper, inner, output_keep_prob=-0.5), raises(cells.DropoutWrapper, inner, state_keep_prob="a"),
             raises(cells.DropoutWrapper, inner, variational_recurrent=True), raises(cells.DropoutWrapper, inner, variational_recurrent=True, dtype=tf.float32),
             raises(cells.DropoutWrapper, inner, variational_recurrent=True, dtype=tf.float32, input_keep_prob=0.5), raises(cells.DropoutWrapper, inner, dropout_state_filter_visitor=3)]
    return found


def case_dropout_none(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.GRUCell(3), 1.0, 1.0, 1.0)
    return [cell(tf.constant(X), tf.constant(H[:, :3]))]


def case_dropout_static(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.LSTMCell(3), input_keep_prob=0.8, output_keep_prob=0.6, state_keep_prob=0.5, seed=7)
    return [cell(tf.constant(X), cell.zero_state(2, tf.float32))]


def case_dropout_tensor(tf):
    cells = _cells(tf)
    keep = tf.placeholder_with_default(0.75, [])
    cell = cells.DropoutWrapper(cells.GRUCell(3), input_keep_prob=keep, output_keep_prob=tf.constant(0.5), state_keep_prob=tf.constant(1.0), seed=9)
    return [cell(tf.constant(X), tf.constant(H[:, :3]))]


def case_dropout_zero(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.LSTMCell(3), input_keep_prob=0.0, output_keep_prob=1e-10, seed=9)
    return Case([cell(tf.constant(X), cell.zero_state(2, tf.float32))], values=False)


def case_dropout_unseeded(tf):
    tf.set_random_seed(5)
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.BasicRNNCell(3), 0.5, 0.5, 0.5)
    return [cell(tf.constant(X), tf.constant(H[:, :3]))]


def case_dropout_filter(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(2)]), state_keep_prob=0.5, seed=3, dropout_state_filter_visitor=lambda s: True)
    other = cells.DropoutWrapper(cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(2)]), state_keep_prob=0.5, seed=3)
    with tf.variable_scope("a"):
        first = cell(tf.constant(X), cell.zero_state(2, tf.float32))
    with tf.variable_scope("b"):
        second = other(tf.constant(X), other.zero_state(2, tf.float32))
    return [first, second]


def case_dropout_filter_tuple(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.LSTMCell(3), state_keep_prob=0.5, seed=3, dropout_state_filter_visitor=lambda s: tf.nn.rnn_cell.LSTMStateTuple(c=True, h=False) if isinstance(s, tuple) else True)
    return [cell(tf.constant(X), cell.zero_state(2, tf.float32))]


def case_dropout_filter_enters(tf):
    """What the filter says of a tuple is whether it is entered; its parts are asked as well."""
    cells = _cells(tf)
    inner = cells.MultiRNNCell([cells.LSTMCell(2), cells.GRUCell(3)])
    found = []
    for chosen in [lambda s: isinstance(s, tuple), lambda s: False, lambda s: not isinstance(s, tuple) or (True, False),
                                lambda s: (False, True) if isinstance(s, tuple) and not isinstance(s, cells.LSTMStateTuple) else True]:
        for variational in (False, True):
            cell = cells.DropoutWrapper(inner, state_keep_prob=0.5, output_keep_prob=0.8, variational_recurrent=variational, dtype=tf.float32, seed=3, dropout_state_filter_visitor=chosen)
            found.append(cell(tf.constant(X), cell.zero_state(2, tf.float32)))
    return found


def case_dropout_filter_refused(tf):
    cells = _cells(tf)
    def step(chosen):
        cell = cells.DropoutWrapper(cells.LSTMCell(2), state_keep_prob=0.5, dropout_state_filter_visitor=chosen)
        return cell(tf.constant(X), cell.zero_state(2, tf.float32))
    return [raises(step, lambda s: 3), raises(step, lambda s: (True,)), raises(cells.DropoutWrapper, cells.GRUCell(2), dropout_state_filter_visitor=3)]


def case_variational(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.LSTMCell(3), 0.7, 0.6, 0.5, variational_recurrent=True, input_size=3, dtype=tf.float32, seed=11)
    state = cell.zero_state(2, tf.float32)
    a, state = cell(tf.constant(X), state)
    b, state = cell(tf.constant(X), state)
    return [a, b, state]


def case_variational_output(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.GRUCell(3), output_keep_prob=0.6, variational_recurrent=True, dtype=tf.float32, seed=1)
    x = tf.constant(X)
    out, state = cell(x, tf.constant(H[:, :3]))
    return [out, state, tf.gradients(out, x)]


def case_variational_tensor(tf):
    cells = _cells(tf)
    keep = tf.placeholder_with_default(0.5, [])
    cell = cells.DropoutWrapper(cells.GRUCell(3), keep, keep, keep, variational_recurrent=True, input_size=tf.TensorShape([3]), dtype=tf.float32, seed=1)
    return [cell(tf.constant(X), tf.constant(H[:, :3]))]


def case_variational_nested(tf):
    cells = _cells(tf)
    inner = cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(2)])
    cell = cells.DropoutWrapper(inner, input_keep_prob=0.5, state_keep_prob=0.5, variational_recurrent=True, input_size=3, dtype=tf.float32, seed=21)
    return [cell(tf.constant(X), cell.zero_state(2, tf.float32))]


def case_variational_unseeded(tf):
    tf.set_random_seed(77)
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.GRUCell(3), 0.5, 0.5, 0.5, variational_recurrent=True, input_size=3, dtype=tf.float32)
    return [cell(tf.constant(X), tf.constant(H[:, :3]))]


def case_variational_half(tf):
    cells = _cells(tf)
    cell = cells.DropoutWrapper(cells.GRUCell(3), 0.5, 0.5, variational_recurrent=True, input_size=3, dtype=tf.float64, seed=4)
    return [cell(tf.constant(X, tf.float64), tf.constant(H[:, :3], tf.float64))]


def case_built_by_hand(tf):
    cells = _cells(tf)
    made = [cells.BasicRNNCell(2), cells.GRUCell(2), cells.BasicLSTMCell(2), cells.LSTMCell(2, use_peepholes=True, num_proj=3), cells.GRUCell(2, dtype=tf.float64, name="double")]
    for cell in made:
        with tf.variable_scope(cell.name):
            cell.build(tf.TensorShape([None, 3]))
    return [[[v.name for v in cell.weights] for cell in made], [cell.built for cell in made], [[v.dtype.name for v in cell.weights] for cell in made], tf.global_variables()]


def case_custom_cell(tf):
    class Plus(tf.nn.rnn_cell.RNNCell):
        @property
        def state_size(self):
            return 3

        @property
        def output_size(self):
            return 3

        def call(self, inputs, state):
            w = tf.get_variable("w", [3, 3])
            new = tf.matmul(inputs, w) + state
            return new, new

    cell = Plus()
    a, state = cell(tf.constant(X), tf.constant(H[:, :3]))
    b, state = cell(tf.constant(X), state)
    return [a, b, [v.name for v in tf.trainable_variables()], [v.name for v in cell.variables], cell.name]


def case_custom_callable(tf):
    class Plus(tf.nn.rnn_cell.RNNCell):
        @property
        def state_size(self):
            return 3

        @property
        def output_size(self):
            return 3

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or type(self).__name__):
                w = tf.get_variable("w", [3, 3])
                new = tf.matmul(inputs, w) + state
            return new, new

    out, state = tf.nn.dynamic_rnn(Plus(), tf.constant(np.stack([X, X], 1)), dtype=tf.float32)
    return [out, state, [v.name for v in tf.trainable_variables()]]


def _configured(tf, cell):
    """The configuration of a cell, as text and without the names that are made up, and that of a cell made from it."""
    config = cell.get_config()
    again = type(cell).from_config(config).get_config()
    return [f"{key}={config[key]}" for key in sorted(config) if key != "name"] + [str(again == config)]


def case_configurations(tf):
    cells = _cells(tf)
    return [
        _configured(tf, cells.BasicRNNCell(3, activation=tf.nn.relu, reuse=True, name="a")),
        _configured(tf, cells.GRUCell(3, kernel_initializer=tf.ones_initializer(), name="b")),
        _configured(tf, cells.BasicLSTMCell(3, forget_bias=2.0, state_is_tuple=False, name="c")),
        _configured(tf, cells.LSTMCell(3, True, 1.0, tf.zeros_initializer(), 2, proj_clip=0.5, name="d", dtype=tf.float64)),
        _configured(tf, cells.RNNCell(name="e", trainable=False)),
    ]


def case_configurations_of_wrappers(tf):
    cells = _cells(tf)
    gru = cells.GRUCell(2, name="inner")
    found = []
    for wrapper in (cells.DropoutWrapper(gru, 0.5, seed=3), cells.ResidualWrapper(gru), cells.DeviceWrapper(gru, "/cpu:0"),
                    cells.DropoutWrapper(gru, state_keep_prob=0.5, variational_recurrent=True, dtype=tf.float32, input_size=2)):
        config = wrapper.get_config()
        inner = config.pop("cell")
        found += [f"{key}={config[key]}" for key in sorted(config) if key != "name"] + [inner["class_name"]]
        found += [f"{key}={inner['config'][key]}" for key in sorted(inner["config"])]
        again = type(wrapper).from_config({**config, "cell": gru})
        found.append(str(again.get_config()["cell"] == inner))
    return found


def case_configurations_without_a_cell(tf):
    wrapper = _cells(tf).ResidualWrapper(_cells(tf).GRUCell(2))
    return raises(lambda: type(wrapper).from_config(wrapper.get_config()))


def case_held_cells(tf):
    cells = _cells(tf)
    gru = cells.GRUCell(2)
    found = []
    for outer in (cells.MultiRNNCell([gru, cells.BasicRNNCell(3)]), cells.DropoutWrapper(gru), cells.ResidualWrapper(gru)):
        found += [f"{held.name}: {type(held.ref).__name__}" for held in outer._checkpoint_dependencies]
    return found
