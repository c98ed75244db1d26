"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_plan_rewrites():
    return {"exact_sums": "ossia_example_plan_rewrite.exact_sums:exact_sums"}


@hookimpl
def ossia_samples():
    return {"plan_rewrites/exact_sums": "ossia_example_plan_rewrite.samples:EXACT_SUMS"}
