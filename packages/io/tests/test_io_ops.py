"""Files, tensors as bytes and WAV, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_files = golden_tests(__file__, "file_cases.py")
test_wav = golden_tests(__file__, "wav_cases.py")
