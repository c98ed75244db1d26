"""Heads, canned estimators and the linear optimizer of `tf.contrib` agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_heads = golden_tests(__file__, "heads_cases.py")
test_canned = golden_tests(__file__, "canned_cases.py")
test_logistic = golden_tests(__file__, "logistic_cases.py")
test_linear_optimizer = golden_tests(__file__, "linear_optimizer_cases.py")
