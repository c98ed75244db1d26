"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_schedules():
    return {"one_cycle_decay": "ossia_example_schedule.one_cycle:one_cycle_decay"}


@hookimpl
def ossia_samples():
    return {"schedules/one_cycle_decay": "ossia_example_schedule.samples:ONE_CYCLE"}
