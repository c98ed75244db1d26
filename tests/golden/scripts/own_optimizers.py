import numpy as np
import tensorflow as tf
from tensorflow.python.ops import control_flow_ops, math_ops, state_ops
from tensorflow.python.framework import ops
from tensorflow.python.training import optimizer
from tensorflow.python.ops import resource_variable_ops


class LAMB(optimizer.Optimizer):
    def __init__(self, lr=0.01, beta1=0.9, beta2=0.999, wd=0.01, eps=1e-6, use_locking=False, name="LAMB"):
        super(LAMB, self).__init__(use_locking, name)
        self._lr, self._b1, self._b2, self._wd, self._eps = lr, beta1, beta2, wd, eps

    def _prepare(self):
        self._lr_t = ops.convert_to_tensor(self._call_if_callable(self._lr), name="learning_rate")
        self._b1_t = ops.convert_to_tensor(self._b1, name="beta1")
        self._b2_t = ops.convert_to_tensor(self._b2, name="beta2")

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._get_or_make_slot(v, ops.convert_to_tensor(np.zeros(v.shape.as_list(), np.float32)), "v", self._name)
        first = min(var_list, key=lambda x: x.name)
        self._create_non_slot_variable(initial_value=0.0, name="steps", colocate_with=first)

    def _apply_dense(self, grad, var):
        lr = math_ops.cast(self._lr_t, var.dtype.base_dtype)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = state_ops.assign(m, self._b1_t * m + (1 - self._b1_t) * grad, use_locking=self._use_locking)
        v_t = state_ops.assign(v, self._b2_t * v + (1 - self._b2_t) * tf.square(grad))
        update = m_t / (tf.sqrt(v_t) + self._eps) + self._wd * var
        w_norm, u_norm = tf.norm(var, ord=2), tf.norm(update, ord=2)
        ratio = tf.where(tf.greater(w_norm, 0), tf.where(tf.greater(u_norm, 0), w_norm / u_norm, 1.0), 1.0)
        var_update = state_ops.assign_sub(var, ratio * lr * update)
        return control_flow_ops.group(*[var_update, m_t, v_t])

    def _resource_apply_dense(self, grad, var):
        m = self.get_slot(var, "m")
        m_t = m.assign(self._b1_t * m + (1 - self._b1_t) * grad)
        with ops.control_dependencies([m_t]):
            return resource_variable_ops.assign_sub_variable_op(var.handle, self._lr_t * m.read_value()) if hasattr(resource_variable_ops, 'assign_sub_variable_op') else var.assign_sub(self._lr_t * m.read_value())

    def _apply_sparse(self, grad, var):
        m = self.get_slot(var, "m")
        m_t = state_ops.scatter_add(m, grad.indices, grad.values * (1 - self._b1_t))
        with ops.control_dependencies([m_t]):
            g = tf.gather(m, grad.indices)
        return state_ops.scatter_sub(var, grad.indices, self._lr_t * g, use_locking=self._use_locking)

    def _resource_apply_sparse(self, grad, var, indices):
        return resource_variable_ops.resource_scatter_add(var.handle, indices, -self._lr_t * grad)

    def _finish(self, update_ops, name_scope):
        with ops.control_dependencies(update_ops):
            steps = self._get_non_slot_variable("steps", graph=ops.get_default_graph())
            with ops.colocate_with(steps):
                inc = steps.assign_add(1.0, use_locking=self._use_locking)
        return control_flow_ops.group(*update_ops + [inc], name=name_scope)


class Lookahead(tf.train.Optimizer):
    def __init__(self, opt, k=2, alpha=0.5):
        super(Lookahead, self).__init__(False, 'Lookahead')
        self.opt, self.k, self.alpha = opt, k, alpha

    def compute_gradients(self, *args, **kwargs):
        return self.opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        grads_and_vars = list(grads_and_vars)
        with tf.control_dependencies(None):
            slow = [tf.Variable(v.initialized_value(), trainable=False, name=v.op.name + '_slow') for _, v in grads_and_vars]
        train = self.opt.apply_gradients(grads_and_vars, global_step)
        with tf.control_dependencies([train]):
            def sync():
                done = []
                for s, (_, v) in zip(slow, grads_and_vars):
                    new = s.assign_add(self.alpha * (v - s))
                    done.append(v.assign(new))
                return tf.group(*done)
            return tf.cond(tf.equal(tf.mod(global_step, self.k), 0), sync, lambda: tf.no_op(), name=name)


def run(make, use_resource):
    with tf.Graph().as_default():
        tf.set_random_seed(5)
        with tf.variable_scope('net', use_resource=use_resource):
            w = tf.get_variable('w', [4, 3], initializer=tf.glorot_normal_initializer())
            e = tf.get_variable('e', [6, 4], initializer=tf.random_normal_initializer())
        ids = tf.constant([0, 2, 2, 5])
        out = tf.matmul(tf.nn.embedding_lookup(e, ids), w)
        loss = tf.reduce_mean(tf.square(out - 1.0))
        gs = tf.train.get_or_create_global_step()
        opt = make()
        gv = opt.compute_gradients(loss)
        train = opt.apply_gradients(gv, gs, name='go')
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(4):
                print('%.5f' % sess.run([loss, train])[0], end=' ')
            print(sess.run(gs), opt.get_name(), [v.name for v in opt.variables()], train.name)
            print([type(g).__name__ for g, _ in gv], [v.name for v in tf.global_variables()])


for res in (False, True):
    run(lambda: LAMB(), res)
    run(lambda: LAMB(lr=lambda: 0.05, use_locking=True, name='Other'), res)
    run(lambda: Lookahead(tf.train.MomentumOptimizer(0.1, 0.9)), res)
