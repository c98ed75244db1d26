"""The files of this machine go through the checks of the test kit."""

from ossia_testkit.suites.test_filesystems import TestFilesystems as Suite


class TestFilesystems(Suite):
    packages = ("ossia_core",)
