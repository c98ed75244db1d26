"""LSTM and GRU as one op each, beside the original."""

from ossia_testkit.golden import golden_tests

test_recurrent_blocks = golden_tests(__file__, "recurrent_blocks_cases.py")
