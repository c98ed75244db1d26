"""Sparse updates of variables whose rows are empty, which some of the original's ops refuse."""
import numpy as np
from golden_case import outcomes

SLOTS = {
    "Adagrad": ("var accum", "lr"), "ProximalAdagrad": ("var accum", "lr l1 l2"),
    "ProximalGradientDescent": ("var", "alpha l1 l2"), "Ftrl": ("var accum linear", "lr l1 l2 lr_power"),
    "FtrlV2": ("var accum linear", "lr l1 l2 l2_shrinkage lr_power"), "Momentum": ("var accum", "lr momentum"),
    "RMSProp": ("var ms mom", "lr rho momentum epsilon"), "Adadelta": ("var accum accum_update", "lr rho epsilon"),
}


def _update(tf, kind, resource, shape, rows):
    slots, numbers = [names.split() for names in SLOTS[kind]]
    made = [tf.Variable(np.zeros(shape, np.float32), use_resource=resource) for _ in slots]
    given = {name: variable.handle if resource else variable._ref() for name, variable in zip(slots, made)}
    given.update({name: -0.5 if name == "lr_power" else 0.1 for name in numbers})
    update = getattr(tf.raw_ops, ("Resource" if resource else "") + "SparseApply" + kind)
    return update(grad=np.zeros([len(rows)] + list(shape[1:]), np.float32), indices=np.array(rows, np.int32), **given)


def case_empty_rows(tf):
    return outcomes(tf, [
        lambda tf, kind=kind, resource=resource, shape=shape, rows=rows: _update(tf, kind, resource, shape, rows)
        for kind in sorted(SLOTS) for resource in (False, True) for shape, rows in (((4, 0), [1, 2]), ((4, 2, 0), []), ((4, 1), [1]))])
