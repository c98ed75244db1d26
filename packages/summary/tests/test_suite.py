"""Every kind of summaries goes through the checks of the test kit."""

from ossia_testkit.suites.test_summary_kinds import TestSummaryKinds as Suite


class TestSummaryKinds(Suite):
    packages = ("ossia_summary",)
