"""Canned estimators give what the original recorded: graphs, values, predictions and event files."""

import importlib.util
import json
import pathlib

import numpy as np
import pytest

import ossia as tf

GOLDEN = pathlib.Path(__file__).parent / "golden"
RECORDED = json.loads((GOLDEN / "canned_golden.json").read_text())
spec = importlib.util.spec_from_file_location("canned", GOLDEN / "canned.py")
canned = importlib.util.module_from_spec(spec)
spec.loader.exec_module(canned)


def same(ours, theirs, name):
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        if isinstance(value, str):
            assert ours[key] == value, f"{name} {key}"
        else:
            np.testing.assert_allclose(ours[key], value, rtol=2e-4, atol=2e-5, err_msg=f"{name} {key}")


@pytest.mark.parametrize("name", sorted(canned.CASES))
def test_values(name, tmp_path):
    ours, theirs = json.loads(json.dumps(canned.run(tf, name, str(tmp_path)))), RECORDED[name]
    assert ours["graphs"] == theirs["graphs"]
    for what in ("metrics", "prediction", "variables", "events"):
        same(ours[what], theirs[what], what)


def test_unknown_optimizer():
    with pytest.raises(ValueError, match="Unsupported optimizer name: Best"):
        model = tf.estimator.LinearRegressor([tf.feature_column.numeric_column("x")], optimizer="Best")
        model.train(tf.estimator.inputs.numpy_input_fn({"x": np.ones(4, "f")}, np.ones(4, "f"), shuffle=False), steps=1)


@pytest.mark.parametrize(("options", "message"), [
    ({"n_classes": 1}, "n_classes must be > 2"), ({"label_vocabulary": 3}, "label_vocabulary should be a list"),
    ({"loss_reduction": "none"}, "Invalid loss_reduction: none"),
])
def test_refused_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        tf.estimator.DNNClassifier([2], [tf.feature_column.numeric_column("x")], **options)


def test_labels_out_of_range(tmp_path):
    model = tf.estimator.LinearClassifier([tf.feature_column.numeric_column("x")], str(tmp_path))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Labels must <= n_classes - 1"):
        model.train(
            tf.estimator.inputs.numpy_input_fn({"x": np.ones(4, "f")}, np.full(4, 7), shuffle=False), steps=1
        )


def test_weights_move_to_another_vocabulary(tmp_path):
    """A warm start takes the weight of each word along, wherever it stands in the new list."""
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("a\nb\nc\n")
    new.write_text("c\nd\na\n")
    words = np.array([["a"], ["b"], ["c"]])
    numbers = np.array([[1.0], [2.0], [3.0]])
    inputs = tf.estimator.inputs.numpy_input_fn({"v": words}, numbers, num_epochs=None, shuffle=False)

    def model(path, folder, **options):
        column = tf.feature_column.categorical_column_with_vocabulary_file("v", str(path), vocabulary_size=3)
        return tf.estimator.LinearRegressor([column], str(tmp_path / folder), **options)

    first = model(old, "first").train(inputs, steps=5)
    weights = "linear/linear_model/v/weights"
    vocabulary = tf.estimator.VocabInfo(
        new_vocab=str(new), new_vocab_size=3, num_oov_buckets=0, old_vocab=str(old), old_vocab_size=3,
        backup_initializer=tf.zeros_initializer(),
    )
    settings = tf.estimator.WarmStartSettings(
        str(tmp_path / "first"), vars_to_warm_start=".*weights.*", var_name_to_vocab_info={weights: vocabulary}
    )
    seen = {}

    class Weights(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            seen["weights"] = session.run(f"{weights}/part_0/Read/ReadVariableOp:0")

    model(new, "second", warm_start_from=settings).train(inputs, steps=1, hooks=[Weights()])
    before = first.get_variable_value(weights)
    np.testing.assert_array_equal(seen["weights"], [before[2], [0.0], before[0]])
