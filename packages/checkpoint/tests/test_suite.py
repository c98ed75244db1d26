"""Every format goes through the checks of the test kit."""

from ossia_testkit.suites.test_checkpoint_formats import TestCheckpointFormats as Suite


class TestCheckpointFormats(Suite):
    packages = ("ossia_checkpoint",)
