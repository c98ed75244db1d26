"""The suites: a table of checks for every kind of thing that can be registered, over everything that is.

`pytest --pyargs ossia_testkit` collects them. The tests of a package take the class of a suite with the packages that
it is about:

    class TestSchedules(ScheduleSuite):
        packages = ("ossia_schedules",)
"""
