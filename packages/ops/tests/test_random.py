"""Random ops, dropout and candidate samplers."""
from ossia_testkit.golden import golden_tests

test_random = golden_tests(__file__, "random_cases.py")
test_dropout = golden_tests(__file__, "dropout_cases.py")
test_random_binomial = golden_tests(__file__, "random_binomial_cases.py")
test_random_truncated = golden_tests(__file__, "random_truncated_cases.py")
test_dropout_forms = golden_tests(__file__, "dropout_forms_cases.py")
test_random_generator = golden_tests(__file__, "random_generator_cases.py")
test_candidate_sampling = golden_tests(__file__, "candidate_sampling_cases.py")
