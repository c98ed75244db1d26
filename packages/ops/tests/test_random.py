"""Random ops, dropout and candidate samplers."""
import numpy as np

import ossia as tf
from ossia_testkit.golden import golden_tests

test_random = golden_tests(__file__, "random_cases.py")
test_dropout = golden_tests(__file__, "dropout_cases.py")
test_random_binomial = golden_tests(__file__, "random_binomial_cases.py")
test_random_truncated = golden_tests(__file__, "random_truncated_cases.py")
test_dropout_forms = golden_tests(__file__, "dropout_forms_cases.py")
test_random_generator = golden_tests(__file__, "random_generator_cases.py")
test_candidate_sampling = golden_tests(__file__, "candidate_sampling_cases.py")


def test_the_slope_of_gamma_values_of_large_shapes():
    """Series of the original go astray from shapes of some 1e4 on; the mean grows as fast as the shape."""
    alpha = np.array([2e4, 9e4, 1.1e5, 1e6, 1e9])
    with tf.Graph().as_default(), tf.Session() as session:
        at_mean, above = session.run([
            tf.raw_ops.RandomGammaGrad(alpha=alpha, sample=alpha),
            tf.raw_ops.RandomGammaGrad(alpha=alpha, sample=alpha + 2 * np.sqrt(alpha))])
    np.testing.assert_allclose(at_mean, 1, rtol=3e-5)
    # To the first order, a sample z standard deviations above the mean has the slope 1 + z / (2 sqrt(alpha)).
    np.testing.assert_allclose(above, 1 + 1 / np.sqrt(alpha), rtol=1e-4)
