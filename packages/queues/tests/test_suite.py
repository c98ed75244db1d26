"""Every queue goes through the checks of the test kit."""

from ossia_testkit.suites.test_queues import TestQueues as Suite


class TestQueues(Suite):
    packages = ("ossia_queues",)
