"""The decorators of `test_util` run what a program that builds graphs on a CPU can pass."""

import unittest

import ossia as tf
from ossia_tensorflow_paths.python.framework import test_util


def test_decorators_of_tests():
    @test_util.run_all_in_graph_and_eager_modes
    class Both(test_util.TensorFlowTestCase):
        def test_evaluates(self):
            self.assertEqual(self.evaluate(tf.constant(3)), 3)

    class Tests(test_util.TensorFlowTestCase):
        @test_util.run_deprecated_v1
        def test_a(self):
            self.assertEqual(1, 1)

        @test_util.run_in_graph_and_eager_modes(use_gpu=True)
        def test_b(self):
            self.assertAllClose(self.evaluate(tf.constant([1.0])), [1.0])

        @test_util.run_v1_only("b/1")
        def test_c(self):
            with self.cached_session(), test_util.use_gpu():
                self.assertEqual(tf.constant(1.0).op.device, "/device:CPU:0")

        @test_util.run_gpu_only
        def test_d(self):
            raise AssertionError

        @test_util.skip_if(lambda: True)
        def test_e(self):
            raise AssertionError

        @test_util.run_v2_only
        def test_f(self):
            raise AssertionError

    result = unittest.TestResult()
    for case in Both, Tests:
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert not result.errors + result.failures
    skipped = {test.id().rpartition(".")[2] for test, _ in result.skipped}
    assert skipped - {"test_session"} == {"test_d", "test_f"}
