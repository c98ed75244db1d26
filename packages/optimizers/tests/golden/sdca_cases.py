"""Dual coordinate ascent: every loss on examples that do not share features, so that their order does not matter."""
import numpy as np
from golden_case import Case

LOSSES = ("squared_loss", "logistic_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")
OPTIONS = {"plain": {}, "l1": {"l1": 0.3}, "l1_l2": {"l1": 0.5, "l2": 2.0}, "little_l2": {"l2": 0.1}, "partitions": {"num_loss_partitions": 3, "scale": 2.0},
           "wrong_side": {"scale": -2.0, "num_inner_iterations": 3}, "started": {"dual": 0.2}, "adaptive": {"adaptative": True}}


def ascended(tf, loss, labels=(0.0, 1.0, 1.0, 0.0, 1.0), scale=1.0, dual=0.0, l1=0.0, l2=1.0, num_loss_partitions=1, num_inner_iterations=1, adaptative=False):
    n = len(labels)
    line = np.linspace
    state = np.zeros([n, 4], "float32")
    state[:, 0] = dual * np.where(np.array(labels) > 0, 1, -1)
    ids = np.arange(n)
    result = tf.train.sdca_optimizer(
        [ids] * 2, [ids[::-1] + 10] * 2, [line(0.5, 2, n).astype("float32")], [np.eye(n, dtype="float32") * 1.5], line(1, 3, n).astype("float32"),
        np.array(labels, "float32"), [ids + 10] * 2, [(line(-1, 1, n) * scale).astype("float32"), np.zeros(n, "float32")],
        [(line(0.2, -0.4, n) * scale).astype("float32")], state, loss_type=loss, l1=l1, l2=l2, num_loss_partitions=num_loss_partitions,
        num_inner_iterations=num_inner_iterations, adaptative=adaptative)
    # Adaptive, the original draws examples with replacement.
    return Case([list(part) if isinstance(part, list) else part for part in result], tolerance=1e-4, values=not adaptative)


for _loss in LOSSES:
    for _name, _options in OPTIONS.items():
        def _case(tf, loss=_loss, options=_options):
            return ascended(tf, loss, **options)
        globals()["case_%s_%s" % (_loss[:-5], _name)] = _case


def case_counts(tf):
    return ascended(tf, "poisson_loss", labels=(0.0, 3.0, 7.0, 20.0))


def case_label_refused(tf):
    return ascended(tf, "logistic_loss", labels=(2.0,))


def case_count_refused(tf):
    return ascended(tf, "poisson_loss", labels=(-1.0,))


def case_unknown_feature(tf):
    state = np.zeros([1, 4], "float32")
    return Case(tf.train.sdca_optimizer([[0]], [[5]], [], [], [1.0], [1.0], [[1]], [[1.0]], [], state, "squared_loss", 0.0, 1.0, 1, 1)[0])


def case_shrink(tf):
    v, w = tf.Variable([1.0, -2.0, 0.1]), tf.Variable([[0.3, -0.2]])
    return Case(runs=[tf.train.sdca_shrink_l1([v, w], 0.5, 2.0), [v, w], tf.train.sdca_shrink_l1([v], 0.5, 0.4, name="mine"), [v, w]])


def case_fingerprints(tf):
    random = np.random.RandomState(0)
    texts = [random.bytes(n) for n in list(range(34)) + [48, 63, 64, 100, 127, 128, 143, 144, 145, 160, 200, 271, 272, 300, 1000]]
    return tf.train.sdca_fprint(texts)


def case_fingerprints_empty(tf):
    return tf.train.sdca_fprint(tf.constant([], tf.string))
