"""What model functions may return."""

import pytest

import ossia as tf

E = tf.estimator


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as made:
        yield made


@pytest.mark.parametrize(
    "error,arguments",
    [
        (ValueError, lambda k, op: dict(mode="train")),
        (ValueError, lambda k, op: dict(mode="train", loss=k)),
        (ValueError, lambda k, op: dict(mode="train", train_op=op)),
        (TypeError, lambda k, op: dict(mode="train", loss=3.0, train_op=op)),
        (TypeError, lambda k, op: dict(mode="train", loss=k, train_op=3)),
        (ValueError, lambda k, op: dict(mode="train", loss=tf.constant([1.0, 2.0]), train_op=op)),
        (ValueError, lambda k, op: dict(mode="eval")),
        (TypeError, lambda k, op: dict(mode="eval", loss=k, eval_metric_ops={"a": 3})),
        (ValueError, lambda k, op: dict(mode="infer")),
        (TypeError, lambda k, op: dict(mode="infer", predictions={"a": 3})),
        (TypeError, lambda k, op: dict(mode="infer", predictions=k, export_outputs=3)),
        (TypeError, lambda k, op: dict(mode="infer", predictions=k, export_outputs={"a": k})),
        (ValueError, lambda k, op: dict(mode="infer", predictions=k, export_outputs={
            "a": E.export.PredictOutput(k), "b": E.export.PredictOutput(k)})),
        (TypeError, lambda k, op: dict(mode="train", loss=k, train_op=op, training_hooks=[3])),
        (TypeError, lambda k, op: dict(mode="train", loss=k, train_op=op, scaffold=3)),
    ],
)  # fmt: skip
def test_refused(error, arguments):
    with pytest.raises(error):
        E.EstimatorSpec(**arguments(tf.constant(1.0), tf.no_op()))


def test_another_graph():
    with tf.Graph().as_default():
        other = tf.constant(1.0)
    with pytest.raises(ValueError, match="default graph"):
        E.EstimatorSpec("infer", predictions=other)


def test_defaults():
    k = tf.constant([1.0])
    spec = E.EstimatorSpec("train", loss=k, train_op=tf.no_op())
    assert spec.loss.shape.as_list() == [] and spec.loss.op.type == "Reshape"
    assert (spec.predictions, spec.eval_metric_ops, spec.export_outputs, spec.training_hooks) == ({}, {}, None, ())
    assert list(E.EstimatorSpec("infer", predictions=k).export_outputs) == ["serving_default"]
    named = E.EstimatorSpec("infer", predictions=k, export_outputs={"a": E.export.PredictOutput(k)}).export_outputs
    assert list(named) == ["a", "serving_default"]


@pytest.mark.parametrize(
    "make",
    [
        lambda k: E.export.PredictOutput({"a": 3}),
        lambda k: E.export.PredictOutput({1: k}),
        lambda k: E.export.ClassificationOutput(),
        lambda k: E.export.ClassificationOutput(scores=tf.constant(1)),
        lambda k: E.export.ClassificationOutput(classes=k),
        lambda k: E.export.RegressionOutput(tf.constant(1)),
        lambda k: E.export.RegressionOutput(k).as_signature_def({"x": k}),
        lambda k: E.export.ServingInputReceiver(None, k),
        lambda k: E.export.ServingInputReceiver({"a": 3}, k),
        lambda k: E.export.ServingInputReceiver(k, {1: k}),
        lambda k: E.export.ServingInputReceiver(k, k, 3),
        lambda k: E.export.TensorServingInputReceiver({"a": k}, k),
    ],
)
def test_refused_exports(make):
    with pytest.raises(ValueError):
        make(tf.constant(1.0))


def test_receivers():
    k = tf.constant([[1.0]])
    assert E.export.ServingInputReceiver(k, k)[:2] == ({"feature": k}, {"input": k})
    assert E.export.TensorServingInputReceiver(k, {"q": k}).features is k
    made = E.export.build_raw_serving_input_receiver_fn({"a": k}, default_batch_size=3)()
    assert made.features["a"].shape.as_list() == [3, 1] and made.features["a"] is made.receiver_tensors["a"]
