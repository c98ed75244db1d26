"""Cells of `tf.contrib.rnn` agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_cells = golden_tests(__file__, "cells_cases.py")
