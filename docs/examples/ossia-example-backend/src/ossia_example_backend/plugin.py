"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_backends():
    return {"blocks": "ossia_example_backend.blocks:Blocks"}
