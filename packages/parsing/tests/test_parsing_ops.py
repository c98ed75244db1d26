"""Codecs, Example parsing and sparse serialisation, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_codecs = golden_tests(__file__, "codec_cases.py")
test_examples = golden_tests(__file__, "example_cases.py")
test_sparse = golden_tests(__file__, "sparse_cases.py")
test_proto_fields = golden_tests(__file__, "proto_cases.py")
