"""Estimators: what they refuse, what input functions may return, and hooks that end or watch training."""

import numpy as np
import pytest

import ossia as tf

E = tf.estimator


def model_fn(features, labels, mode):
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    x = features["x"] if isinstance(features, dict) else features
    predictions = x * weight
    if mode == E.ModeKeys.PREDICT:
        return E.EstimatorSpec(mode, predictions)
    loss = tf.reduce_mean((predictions - labels) ** 2)
    with tf.control_dependencies([tf.assign_sub(weight, 0.1 * tf.gradients(loss, weight)[0])]):
        train_op = tf.assign_add(tf.train.get_global_step(), 1)
    return E.EstimatorSpec(mode, predictions, loss, train_op, eval_metric_ops={"x": tf.metrics.mean(x)})


def endless():
    return {"x": tf.constant([1.0, 2.0])}, tf.constant([3.0, 6.0])


class Pieces:
    """A dataset, as far as input functions need one: it counts down in a variable."""

    def __init__(self, count):
        self.count = count

    def make_initializable_iterator(self):
        self.left = tf.get_variable(
            "left", [], tf.int32, initializer=tf.zeros_initializer(), trainable=False, collections=["pieces"]
        )
        self.initializer = tf.assign(self.left, self.count).op
        return self

    def get_next(self):
        queue = tf.FIFOQueue(1, tf.float32, shapes=[[2]])
        left = tf.assign_sub(self.left, 1)
        with tf.control_dependencies([left]):
            close = tf.cond(left < 0, lambda: tf.group(queue.close()), lambda: queue.enqueue([[1.0, 2.0]]))
        with tf.control_dependencies([close]):
            x = queue.dequeue()
        return {"x": x}, 3 * x


@pytest.fixture
def estimator(tmp_path):
    return E.Estimator(model_fn, str(tmp_path / "model"))


def test_trains_until_the_dataset_ends(estimator):
    estimator.train(lambda: Pieces(4))
    assert estimator.get_variable_value("global_step") == 4
    estimator.train(lambda: Pieces(2))
    assert estimator.latest_checkpoint().endswith("model.ckpt-6")
    assert estimator.evaluate(lambda: Pieces(2))["x"] == 1.5


def test_steps_count_from_the_checkpoint_and_max_steps_from_zero(estimator):
    assert estimator.train(endless, steps=2) is estimator
    estimator.train(endless, steps=2)
    assert estimator.get_variable_value("global_step") == 4
    estimator.train(endless, max_steps=3)
    assert estimator.get_variable_value("global_step") == 4
    estimator.train(endless, max_steps=40)
    assert estimator.get_variable_value("weight") == pytest.approx(3)
    assert estimator.evaluate(endless, steps=3) == {"loss": pytest.approx(0), "x": 1.5, "global_step": 40}


def test_without_a_checkpoint_the_model_is_initialised(estimator):
    assert estimator.evaluate(endless, steps=1)["loss"] == 22.5
    predictions = estimator.predict(lambda: tf.constant([5.0]))
    assert next(predictions) == 0
    predictions.close()
    with pytest.raises(ValueError, match="Could not find trained model"):
        estimator.get_variable_names()


def test_warm_start(estimator, tmp_path):
    estimator.train(endless, steps=20)
    weight = estimator.get_variable_value("weight")
    for source in (estimator.model_dir, E.WarmStartSettings(estimator.model_dir, vars_to_warm_start=["weight"])):
        other = E.Estimator(model_fn, warm_start_from=source)
        assert list(other.predict(queued))[0] == pytest.approx(weight)


def queued():
    return E.inputs.numpy_input_fn(np.ones(2, np.float32), shuffle=False)()


def test_listeners_and_checkpoints(tmp_path):
    told = []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            told.append(global_step_value)

    config = E.RunConfig(model_dir=str(tmp_path), save_checkpoints_steps=2, keep_checkpoint_max=1)
    estimator = E.Estimator(model_fn, config=config)
    estimator.train(endless, steps=5, saving_listeners=[Listener()])
    assert told == [0, 2, 4, 5]
    assert [path.name for path in tmp_path.glob("*.index")] == ["model.ckpt-5.index"]


def test_stops_early_on_every_predicate(estimator):
    calls = []

    def enough():
        calls.append(1)
        return len(calls) == 3

    hook = E.experimental.make_early_stopping_hook(estimator, enough, run_every_secs=None, run_every_steps=2)
    estimator.train(endless, hooks=[hook], steps=50)
    assert len(calls) == 3 and estimator.get_variable_value("signal_early_stopping/STOP")
    assert estimator.get_variable_value("global_step") < 10


@pytest.mark.parametrize(
    "name,limit,stops",
    [
        ("stop_if_lower_hook", 30.0, True), ("stop_if_lower_hook", 1.0, False),
        ("stop_if_higher_hook", 1.0, True), ("stop_if_higher_hook", 30.0, False),
        ("stop_if_no_decrease_hook", 0, True), ("stop_if_no_decrease_hook", 5, False),
        ("stop_if_no_increase_hook", 0, True), ("stop_if_no_increase_hook", 5, False),
    ],
)  # fmt: skip
def test_stops_by_evaluations(estimator, name, limit, stops):
    estimator.evaluate(endless, steps=1)  # the loss is 22.5 at step 0
    hook = getattr(E.experimental, name)(estimator, "loss", limit, run_every_secs=None, run_every_steps=1)
    estimator.train(endless, hooks=[hook], steps=5)
    assert (estimator.get_variable_value("global_step") < 5) == stops


def test_evaluates_in_memory(estimator):
    hook = E.experimental.InMemoryEvaluatorHook(estimator, endless, steps=1, name="now", every_n_iter=2)
    estimator.train(endless, hooks=[hook], steps=3)
    (path,) = (tf.gfile.Glob(estimator.eval_dir("now") + "/*"))
    losses = {
        event.step: value.simple_value
        for event in tf.train.summary_iterator(path)
        for value in event.summary.value
        if value.tag == "loss"
    }
    assert sorted(losses) == [0, 2, 3]
    assert losses[0] == 22.5 and losses[0] > losses[2] > losses[3] > 0


def test_added_metrics(estimator):
    more = E.add_metrics(estimator, lambda labels, predictions: {"y": tf.metrics.mean(labels)})
    assert more.evaluate(endless, steps=1)["y"] == 4.5
    assert more.model_dir == estimator.model_dir


def test_best_exporter_keeps_the_best(estimator, tmp_path):
    def receiver():
        x = tf.placeholder(tf.float32, [None])
        return E.export.ServingInputReceiver({"x": x}, x)

    estimator.train(endless, steps=1)
    exporter = E.BestExporter("best", receiver)
    made = [
        exporter.export(estimator, str(tmp_path / "best"), estimator.latest_checkpoint(), {"loss": loss}, False)
        for loss in (3.0, 4.0, 2.0)
    ]
    assert [path is None for path in made] == [False, True, False]
    with tf.Session(graph=tf.Graph()) as session:
        loaded = tf.saved_model.load(session, ["serve"], made[2].decode())
        signature = loaded.signature_def["serving_default"]
        outputs = session.run(signature.outputs["output"].name, {signature.inputs["input"].name: [2.0]})
        assert outputs == pytest.approx(2 * estimator.get_variable_value("weight"))


def test_no_half_written_export_is_a_number(estimator, tmp_path):
    estimator.train(endless, steps=1)

    def receiver():
        return E.export.ServingInputReceiver({"x": tf.placeholder(tf.float32, [None])}, tf.constant([1.0]))

    with pytest.raises(tf.errors.NotFoundError):
        estimator.export_saved_model(str(tmp_path / "out"), receiver, assets_extra={"a": str(tmp_path / "missing")})
    assert [path.name.isdigit() for path in (tmp_path / "out").iterdir()] == [False]


@pytest.mark.parametrize(
    "error,make",
    [
        (ValueError, lambda: E.Estimator(None)),
        (ValueError, lambda: E.Estimator(lambda x: 1)),
        (ValueError, lambda: E.Estimator(lambda features, other: 1)),
        (ValueError, lambda: E.Estimator(model_fn, params={"a": 1})),
        (ValueError, lambda: E.Estimator(model_fn, config=3)),
        (ValueError, lambda: E.Estimator(model_fn, "/tmp/a", E.RunConfig(model_dir="/tmp/b"))),
        (ValueError, lambda: E.Estimator(model_fn, warm_start_from=3)),
        (ValueError, lambda: type("Sub", (E.Estimator,), {"train": None})(model_fn)),
        (ValueError, lambda: E.Estimator(model_fn).train(endless, steps=1, max_steps=1)),
        (ValueError, lambda: E.Estimator(model_fn).train(endless, steps=0)),
        (TypeError, lambda: E.Estimator(model_fn).train(endless, steps=1, hooks=[3])),
        (TypeError, lambda: E.Estimator(model_fn).train(endless, steps=1, saving_listeners=[3])),
        (ValueError, lambda: E.Estimator(model_fn).train(lambda: (1, 2, 3), steps=1)),
        (ValueError, lambda: E.Estimator(lambda features, mode: 1).train(endless, steps=1)),
        (ValueError, lambda: E.Estimator(lambda features: 1).train(lambda: 1, steps=1)),
        (ValueError, lambda: E.Estimator(model_fn).export_saved_model("/tmp/none", lambda: 1)),
        (ValueError, lambda: list(E.Estimator(model_fn).predict(queued, predict_keys="x"))),
        (TypeError, lambda: E.train_and_evaluate(3, E.TrainSpec(endless), E.EvalSpec(endless))),
        (TypeError, lambda: E.TrainSpec(3)),
        (ValueError, lambda: E.TrainSpec(endless, max_steps=0)),
        (ValueError, lambda: E.EvalSpec(endless, steps=0)),
        (TypeError, lambda: E.EvalSpec(endless, exporters=[3])),
        (ValueError, lambda: E.EvalSpec(endless, throttle_secs=-1)),
        (ValueError, lambda: E.LatestExporter("a", endless, exports_to_keep=0)),
        (ValueError, lambda: E.BestExporter("a", endless, compare_fn=lambda a, b: True)),
        (ValueError, lambda: E.WarmStartSettings(None)),
    ],
)  # fmt: skip
def test_refused(error, make):
    with pytest.raises(error):
        make()
