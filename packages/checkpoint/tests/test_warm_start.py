"""Models that begin with the weights of another: the original's graphs, values and errors."""

from pathlib import Path

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "warm_start_cases.py")


@pytest.fixture(autouse=True)
def beside_the_checkpoints(monkeypatch):
    """Cases name the golden checkpoints relative to their folder; the current one is restored afterwards."""
    monkeypatch.chdir(Path(__file__).parent / "golden")


def test_what_is_loaded_is_logged(tmp_path, caplog):
    with tf.Graph().as_default(), tf.Session() as session:
        for name in ("a/w", "a/b"):
            tf.get_variable(name, [1])
        session.run(tf.global_variables_initializer())
        prefix = tf.train.Saver().save(session, str(tmp_path / "model"))
        with caplog.at_level("INFO", logger="tensorflow"):
            tf.train.warm_start(prefix, "a/w")
    assert [record.getMessage() for record in caplog.records] == [
        f"Warm-starting from: {prefix}", "Warm-starting variables only in TRAINABLE_VARIABLES.",
        "Warm-started 1 variables.",
    ]
