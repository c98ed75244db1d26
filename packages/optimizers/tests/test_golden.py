"""What this package's ops and classes build and compute, compared with TensorFlow 1.15."""

from ossia_testkit.golden import golden_tests

test_update_ops = golden_tests(__file__, "update_op_cases.py")
test_loss_scales = golden_tests(__file__, "loss_scale_cases.py")
test_sdca = golden_tests(__file__, "sdca_cases.py")
test_averages = golden_tests(__file__, "average_cases.py")
test_optimizers = golden_tests(__file__, "optimizer_cases.py")
test_averages_in_programs = golden_tests(__file__, "average_more_cases.py")
test_programs = golden_tests(__file__, "program_cases.py")
test_loss_scales_in_programs = golden_tests(__file__, "loss_scale_more_cases.py")
test_losses_given_as_functions = golden_tests(__file__, "function_loss_cases.py")
test_odd_arguments = golden_tests(__file__, "outside_cases.py")
