"""Estimators written for TPUs run on a CPU, with the batch sizes, metrics and lines of the original."""

import logging

import numpy as np
import pytest

import ossia as tf

T = tf.estimator.tpu
X = np.arange(8, dtype=np.float32)
SEEN = []


def model_fn(features, labels, mode, params):
    SEEN.append((mode, dict(params)))
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    predictions = features["x"] * weight
    if mode == tf.estimator.ModeKeys.PREDICT:
        return T.TPUEstimatorSpec(mode, predictions={"y": predictions})
    loss = tf.reduce_mean((predictions - labels) ** 2)
    if mode == tf.estimator.ModeKeys.EVAL:
        metrics = (lambda labels, predictions: {"mean": tf.metrics.mean(predictions)}, [labels, predictions])
        return T.TPUEstimatorSpec(mode, loss=loss, eval_metrics=metrics)
    step = tf.assign_add(tf.train.get_global_step(), 1)
    train_op = tf.group(tf.assign_sub(weight, 0.01 * tf.gradients(loss, weight)[0]), step)
    return T.TPUEstimatorSpec(mode, loss=loss, train_op=train_op, host_call=(lambda value: value + 1, [loss]))


def input_fn(params):
    SEEN.append(("input", dict(params)))
    numbers = tf.constant(X[: params["batch_size"]])
    return {"x": numbers}, 2 * numbers


@pytest.fixture
def estimator(tmp_path):
    SEEN.clear()
    config = T.RunConfig(model_dir=str(tmp_path), tpu_config=T.TPUConfig(iterations_per_loop=5), log_step_count_steps=2)
    return T.TPUEstimator(
        model_fn, config=config, params={"k": 1}, use_tpu=False, train_batch_size=4, eval_batch_size=2,
        predict_batch_size=3,
    )


def test_batch_sizes_and_metrics(estimator):
    estimator.train(input_fn, max_steps=5)
    found = estimator.evaluate(input_fn, steps=1)
    assert found["global_step"] == 5 and found["mean"] == pytest.approx(found["mean"])
    assert len(next(estimator.predict(input_fn, yield_single_examples=False))["y"]) == 3
    assert [(who, params["batch_size"]) for who, params in SEEN] == [
        ("input", 4), ("train", 4), ("input", 2), ("eval", 2), ("input", 3), ("infer", 3)
    ]
    assert all(params["k"] == 1 for _, params in SEEN)


def test_examples_a_second_are_logged(estimator, caplog):
    caplog.set_level(logging.INFO, logger="tensorflow")
    tf.get_logger().propagate = True
    estimator.train(input_fn, max_steps=5)
    assert any(record.getMessage().startswith("examples/sec: ") for record in caplog.records)
    assert "training_loop marked as finished" in caplog.messages


def test_exports_have_no_batch_size(estimator, tmp_path):
    estimator.train(input_fn, max_steps=1)
    SEEN.clear()

    def receiver():
        fed = {"x": tf.placeholder(tf.float32, [None])}
        return tf.estimator.export.ServingInputReceiver(fed, fed)

    estimator.export_saved_model(str(tmp_path / "exports"), receiver)
    assert [sorted(params) for _, params in SEEN] == [["k", "use_tpu"]]


def test_a_tpu_is_not_found(tmp_path):
    config = T.RunConfig(model_dir=str(tmp_path))
    estimator = T.TPUEstimator(model_fn, config=config, train_batch_size=4)
    with pytest.raises(RuntimeError, match="Cannot find any TPU cores"):
        estimator.train(input_fn, steps=1)


@pytest.mark.parametrize(("make", "error", "message"), [
    (lambda: T.TPUEstimator(model_fn, config=tf.estimator.RunConfig()), ValueError, "must be provided"),
    (lambda: T.TPUEstimator(model_fn, config=T.RunConfig(), params={"context": 1}), ValueError, "reserved keys"),
    (lambda: T.TPUEstimator(model_fn, config=T.RunConfig()), ValueError, "train_batch_size"),
    (lambda: T.TPUConfig(iterations_per_loop=0), ValueError, "iterations_per_loop"),
    (lambda: T.TPUEstimatorSpec("eval", eval_metrics=3), ValueError, "tuple or list"),
    (lambda: T.TPUEstimatorSpec("eval", eval_metrics=(3, [])), TypeError, "callable"),
])
def test_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
