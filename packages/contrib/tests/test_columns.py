"""Feature columns of old agree with TensorFlow 1.15.5: graphs, names, collections, values."""

from ossia_testkit.golden import golden_tests

test_columns = golden_tests(__file__, "columns_cases.py")
