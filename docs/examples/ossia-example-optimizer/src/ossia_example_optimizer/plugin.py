"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_optimizers():
    return {"LionOptimizer": "ossia_example_optimizer.lion:LionOptimizer"}


@hookimpl
def ossia_samples():
    return {"optimizers/LionOptimizer": "ossia_example_optimizer.samples:LION"}
