"""What `kills.py` interrupts of estimators: training that saves each step, and exports."""

import os
from collections.abc import Callable, Iterator

import numpy as np

import ossia as tf

SIZE = 20_000  # elements of the weight
Save = Callable[[int], None]


def _model_fn(features: dict, labels: object, mode: str) -> tf.estimator.EstimatorSpec:
    """A weight whose elements are all the global step."""
    weight = tf.get_variable("weight", [SIZE], tf.int64, tf.zeros_initializer())
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"sum": tf.reduce_sum(weight) + features["x"]})
    with tf.control_dependencies([tf.assign_add(tf.train.get_global_step(), 1)]):
        train_op = tf.assign_add(weight, tf.ones([SIZE], tf.int64))
    return tf.estimator.EstimatorSpec(mode, loss=tf.constant(0.0), train_op=train_op)


def _estimator(folder: str) -> tf.estimator.Estimator:
    config = tf.estimator.RunConfig(os.path.join(folder, "model"), keep_checkpoint_max=2)
    return tf.estimator.Estimator(_model_fn, config=config)


def _train(estimator: tf.estimator.Estimator, value: int) -> None:
    estimator.train(lambda: {"x": tf.constant([0], tf.int64)}, max_steps=value)


def training(folder: str) -> Iterator[Save]:
    estimator = _estimator(folder)
    yield lambda value: _train(estimator, value)


def exports(folder: str) -> Iterator[Save]:
    estimator = _estimator(folder)

    def receiver() -> tf.estimator.export.ServingInputReceiver:
        fed = {"x": tf.placeholder(tf.int64, [None])}
        return tf.estimator.export.ServingInputReceiver(fed, fed)

    def save(value: int) -> None:
        _train(estimator, value)
        estimator.export_saved_model(os.path.join(folder, "exports"), receiver)

    yield save


def _number(prefix: str) -> int:
    reader = tf.train.load_checkpoint(prefix)
    (number,) = {int(value) for value in np.unique(reader.get_tensor("weight"))}
    assert number == reader.get_tensor("global_step")
    return number


def trained(folder: str) -> int | None:
    """The step of the newest checkpoint."""
    prefix = tf.train.latest_checkpoint(os.path.join(folder, "model"))
    return None if prefix is None else _number(prefix)


def exported(folder: str) -> int | None:
    """The step of the newest export; every directory that has the name of one is whole."""
    base = os.path.join(folder, "exports")
    found = [0]
    for name in os.listdir(base) if os.path.isdir(base) else ():
        if name.isdigit():
            path = os.path.join(base, name)
            with tf.Graph().as_default(), tf.Session() as session:
                tf.saved_model.load(session, ["serve"], path)
            found.append(_number(os.path.join(path, "variables", "variables")))
    return max(found) or None
