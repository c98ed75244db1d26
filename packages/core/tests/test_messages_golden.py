"""What errors say, as recorded with TensorFlow 1.15."""
from ossia_testkit.golden import golden_tests

test_messages = golden_tests(__file__, "messages_cases.py")
