"""Every optimizer goes through the checks of the test kit."""

from ossia_testkit.suites.test_optimizers import TestOptimizers as Suite


class TestOptimizers(Suite):
    packages = ("ossia_optimizers",)
