"""AddSign and PowerSign (Bello et al. 2017): larger steps where the gradient and its average agree in sign. Ops alone:
graphs may hold them, though the original's optimizers for them lie outside of `tf.train`."""

from __future__ import annotations

import numpy as np

from ossia_optimizers.passes import agreement
from ossia_optimizers.updates import update_ops


def _agreement(m, grad, beta):
    """Sign of gradient times average, once the average has taken the gradient in."""
    m *= beta
    m += grad * (beta.dtype.type(1) - beta)
    return agreement(grad, m)


@update_ops("AddSign", "lr alpha sign_decay beta grad", forms="dense resource_dense")
def add_sign_updates(var, m, lr, alpha, sign_decay, beta, grad):
    """A step of AddSign: larger where the gradient and its mean agree in sign."""
    var -= lr * (alpha + sign_decay * _agreement(m, grad, beta)) * grad


add_sign_updates.samples(lr=0.1, alpha=1.0, sign_decay=0.9, beta=0.9)


@update_ops("PowerSign", "lr logbase sign_decay beta grad", forms="dense resource_dense")
def power_sign_updates(var, m, lr, logbase, sign_decay, beta, grad):
    """A step of PowerSign: exponentially larger where the gradient and its mean agree in sign."""
    var -= lr * np.exp(logbase * sign_decay * _agreement(m, grad, beta)) * grad


power_sign_updates.samples(lr=0.1, logbase=1.0, sign_decay=0.9, beta=0.9)
