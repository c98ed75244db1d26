"""The suite of the test kit, over the engines: that of one process, and Ray."""

from ossia_testkit.suites.test_engines import TestEngines as Suite


class TestEngines(Suite):
    packages = ("ossia_distribute",)
