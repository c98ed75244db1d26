"""Every hook goes through the checks of the test kit."""

from ossia_testkit.suites.test_session_hooks import TestSessionHooks as Suite


class TestSessionHooks(Suite):
    packages = ("ossia_session",)
