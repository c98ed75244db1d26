"""Recurrent networks agree with TensorFlow 1.15.5: graphs, values, gradients."""
from ossia_testkit.golden import golden_tests

test_rnn = golden_tests(__file__, "rnn_cases.py")
