"""Calls that are refused leave what they leave in the original, and feeds come back as they do there."""
from ossia_testkit.golden import golden_tests

test_refused_calls = golden_tests(__file__, "refused_calls_cases.py")
test_feeds = golden_tests(__file__, "feeds_cases.py")
