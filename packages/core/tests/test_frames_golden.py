"""Nodes of control flow put together by hand, against records of TensorFlow 1.15."""
from ossia_testkit.golden import golden_tests

test_frames = golden_tests(__file__, "frames_cases.py")
