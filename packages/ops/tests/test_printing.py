"""`Print`, `print` and `strings.format` beside the original's, and where they write."""
import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "printing_cases.py")


def test_writes_to_the_streams_of_python(capsys):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.5, 2.0])
        session.run(tf.print("x:", x))
        import sys
        session.run(tf.print("out:", x, output_stream=sys.stdout))
        session.run(tf.Print(x, [x], "message: "))
    captured = capsys.readouterr()
    assert captured.out == "out: [1.5 2]\n"
    assert captured.err == "x: [1.5 2]\nmessage: [1.5 2]\n"


def test_first_n_counts_per_session():
    with tf.Graph().as_default():
        x = tf.placeholder_with_default(np.float32(1.0), [])
        y = tf.Print(x, [x], first_n=1)
        for _ in range(2):
            with tf.Session() as session:
                assert [session.run(y) for _ in range(3)] == [1.0] * 3


def test_files_that_cannot_be_written(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session, pytest.raises(tf.errors.OpError):
        session.run(tf.print("x", output_stream=f"file://{tmp_path}/no/such/folder"))
