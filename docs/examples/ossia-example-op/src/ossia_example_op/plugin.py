"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_ops():
    return {"Hardswish": "ossia_example_op.hardswish"}


@hookimpl
def ossia_api():
    return {"nn.hardswish": "ossia_example_op.hardswish:hardswish"}


@hookimpl
def ossia_samples():
    return {"ops/Hardswish": "ossia_example_op.samples:HARDSWISH"}
