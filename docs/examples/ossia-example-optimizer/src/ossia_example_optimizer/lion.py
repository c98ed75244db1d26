"""Lion: every weight moves by the same amount, in the direction of an average of gradients."""

import ossia as tf


class LionOptimizer(tf.train.Optimizer):
    """Lion (Chen et al., 2023, "Symbolic Discovery of Optimization Algorithms").

        update   = sign(beta1 * momentum + (1 - beta1) * gradient)
        weight  -= learning_rate * (update + weight_decay * weight)
        momentum = beta2 * momentum + (1 - beta2) * gradient

    Args:
        learning_rate: A float or a scalar tensor.
        beta1: How much of the momentum is in the update.
        beta2: How much of the momentum is kept.
        weight_decay: The share of the weight that is taken off, times the learning rate.
        use_locking: Whether updates of a variable exclude each other.
        name: The prefix of the ops that are made.
    """

    def __init__(self, learning_rate=1e-4, beta1=0.9, beta2=0.99, weight_decay=0.0, use_locking=False, name="Lion"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._weight_decay = weight_decay

    def _create_slots(self, var_list):
        for variable in var_list:
            self._zeros_slot(variable, "momentum", self._name)

    def _prepare(self):
        self._learning_rate_tensor = tf.convert_to_tensor(self._learning_rate, name="learning_rate")

    def _apply_dense(self, grad, var):
        momentum = self.get_slot(var, "momentum")
        rate = tf.cast(self._learning_rate_tensor, var.dtype.base_dtype)
        direction = tf.sign(self._beta1 * momentum + (1 - self._beta1) * grad)
        step = tf.assign_sub(var, rate * (direction + self._weight_decay * var), use_locking=self._use_locking)
        with tf.control_dependencies([step]):
            keep = tf.assign(momentum, self._beta2 * momentum + (1 - self._beta2) * grad, use_locking=self._use_locking)
        return tf.group(step, keep)

    def _resource_apply_dense(self, grad, handle):
        return self._apply_dense(grad, handle)

    def _resource_apply_sparse(self, grad, handle, indices):
        return self._apply_dense(tf.convert_to_tensor(tf.IndexedSlices(grad, indices, tf.shape(handle))), handle)

    def _apply_sparse(self, grad, var):
        return self._apply_dense(tf.convert_to_tensor(grad), var)
