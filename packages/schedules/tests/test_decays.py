"""Every decay, as the original builds and computes it."""

from ossia_testkit.golden import golden_tests

test_decays = golden_tests(__file__, "decay_cases.py")
test_decays_in_programs = golden_tests(__file__, "decay_more_cases.py")
test_steps = golden_tests(__file__, "decay_step_cases.py")
