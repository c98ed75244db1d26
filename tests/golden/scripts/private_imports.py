from tensorflow.python.framework import constant_op, dtypes, ops, tensor_shape
from tensorflow.python.ops import array_ops, clip_ops, control_flow_ops, embedding_ops, init_ops, math_ops, nn_ops, rnn, rnn_cell, variable_scope
from tensorflow.python.ops import tensor_array_ops, variables, random_ops, state_ops, partitioned_variables
from tensorflow.python.ops.rnn_cell_impl import LSTMStateTuple, RNNCell
from tensorflow.python.layers import core as layers_core, base, convolutional
from tensorflow.python.training import saver as saver_lib, training_util, adam
from tensorflow.python.util import nest
from tensorflow.python.client import session as session_lib
from tensorflow.python.platform import tf_logging as logging
import numpy as np
import tensorflow as tf


class ConvGRUCell(RNNCell):
    def __init__(self, shape, filters, kernel, reuse=None):
        super(ConvGRUCell, self).__init__(_reuse=reuse, name='conv_gru')
        self._filters, self._kernel = filters, kernel
        self._size = tensor_shape.TensorShape(shape + [filters])

    @property
    def state_size(self):
        return self._size

    @property
    def output_size(self):
        return self._size

    def call(self, x, h):
        m = x.get_shape()[-1].value + h.shape[-1].value
        with variable_scope.variable_scope('gates'):
            inputs = array_ops.concat([x, h], axis=3)
            W = variable_scope.get_variable('kernel', self._kernel + [m, 2 * self._filters])
            y = nn_ops.convolution(inputs, W, 'SAME')
            y = nn_ops.bias_add(y, variable_scope.get_variable('bias', [2 * self._filters], initializer=init_ops.ones_initializer()))
            r, u = array_ops.split(value=y, num_or_size_splits=2, axis=3)
            r, u = math_ops.sigmoid(r), math_ops.sigmoid(u)
        with variable_scope.variable_scope('candidate'):
            inputs = array_ops.concat([x, r * h], axis=3)
            W = variable_scope.get_variable('kernel', self._kernel + [m, self._filters])
            c = math_ops.tanh(nn_ops.convolution(inputs, W, 'SAME', dilation_rate=[2, 2]))
        h = u * h + (1 - u) * c
        return h, h


class Stacked(RNNCell):
    def __init__(self, cells):
        self._cells = cells
        super(Stacked, self).__init__()

    @property
    def state_size(self):
        return {'inner': tuple(c.state_size for c in self._cells), 'count': 1}

    @property
    def output_size(self):
        return self._cells[-1].output_size

    def zero_state(self, batch, dtype):
        return {'inner': tuple(c.zero_state(batch, dtype) for c in self._cells), 'count': array_ops.zeros([batch, 1])}

    def call(self, x, state):
        new = []
        for i, (c, s) in enumerate(zip(self._cells, state['inner'])):
            with variable_scope.variable_scope('cell_%d' % i):
                x, s = c(x, s)
            new.append(s)
        return x, {'inner': tuple(new), 'count': state['count'] + 1}


ops.reset_default_graph()
tf.set_random_seed(3)
frames = array_ops.placeholder(dtypes.float32, [2, 4, 6, 6, 1])
lens = constant_op.constant([4, 2])
conv_cell = ConvGRUCell([6, 6], 3, [3, 3])
out, last = rnn.dynamic_rnn(conv_cell, frames, lens, dtype=dtypes.float32)
print(out.shape, last.shape)
feat = math_ops.reduce_mean(out, [2, 3])
proj = layers_core.Dense(5, activation=nn_ops.relu, name='proj')
stack = Stacked([rnn_cell.LSTMCell(4, name='a'), rnn_cell.GRUCell(3), rnn_cell.BasicRNNCell(3, activation='relu')])
seq, st = rnn.dynamic_rnn(stack, proj(feat), sequence_length=lens, initial_state=stack.zero_state(2, dtypes.float32), parallel_iterations=4, time_major=False)
print(nest.flatten(st)[-1].shape, [t.shape.as_list() for t in nest.flatten(st)], isinstance(st['inner'][0], LSTMStateTuple))


def loop_fn(time, cell_output, cell_state, loop_state):
    emit = cell_output
    if cell_output is None:
        next_state = raw.zero_state(2, dtypes.float32)
        ls = tensor_array_ops.TensorArray(dtypes.float32, size=4, clear_after_read=False)
    else:
        next_state = cell_state
        ls = loop_state.write(time - 1, math_ops.reduce_sum(cell_output, 1))
    done = time >= lens
    nxt = control_flow_ops.cond(math_ops.reduce_all(done), lambda: array_ops.zeros([2, 3]), lambda: seq_t[time])
    return done, nxt, next_state, emit, ls


raw = rnn_cell.ResidualWrapper(rnn_cell.GRUCell(3, kernel_initializer=init_ops.constant_initializer(0.1)))
seq_t = array_ops.transpose(seq, [1, 0, 2])
emits, fin, ls = rnn.raw_rnn(raw, loop_fn)
stacked = emits.stack()
total = math_ops.reduce_sum(stacked) + math_ops.reduce_mean(ls.stack()) + math_ops.reduce_sum(st['count']) * 0.01
tvars = variables.trainable_variables()
grads = tf.gradients(total, tvars)
print([(v.op.name, v.shape.as_list()) for v in tvars])
gs = training_util.create_global_step()
clipped, norm = clip_ops.clip_by_global_norm(grads, 1.0)
train = adam.AdamOptimizer(0.01).apply_gradients(zip(clipped, tvars), gs)
nan = math_ops.reduce_any(math_ops.is_nan(stacked))
with session_lib.Session() as sess:
    sess.run(variables.global_variables_initializer())
    x = np.random.RandomState(0).rand(2, 4, 6, 6, 1)
    for _ in range(3):
        t, n, s, isn, _ = sess.run([total, norm, stacked, nan, train], {frames: x})
        print('%.5f %.5f' % (t, n), s.shape, isn)
    print(sess.run(st, {frames: x})['inner'][0].c.round(4), sess.run(fin, {frames: x}).shape)
saver_lib.Saver(tvars)
logging.info('done')
