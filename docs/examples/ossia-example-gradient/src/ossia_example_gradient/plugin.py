"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_gradients():
    return {"StraightThrough": "ossia_example_gradient.straight_through:straight_through"}


@hookimpl
def ossia_samples():
    return {"gradients/StraightThrough": "ossia_example_gradient.samples:STRAIGHT_THROUGH"}
