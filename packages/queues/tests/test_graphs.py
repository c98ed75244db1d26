"""Queues, accumulators, readers and pipelines, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_queues = golden_tests(__file__, "queue_cases.py")
test_pipelines = golden_tests(__file__, "pipeline_cases.py")
test_readers = golden_tests(__file__, "reader_cases.py")
