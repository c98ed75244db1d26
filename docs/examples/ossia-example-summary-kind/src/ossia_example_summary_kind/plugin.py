"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_summary_kinds():
    return {"spread": "ossia_example_summary_kind.spread:spread"}


@hookimpl
def ossia_samples():
    return {"summary_kinds/spread": "ossia_example_summary_kind.samples:SPREAD"}
