"""Every schedule goes through the checks of the test kit."""

from ossia_testkit.suites.test_schedules import TestSchedules as Suite


class TestSchedules(Suite):
    packages = ("ossia_schedules",)
