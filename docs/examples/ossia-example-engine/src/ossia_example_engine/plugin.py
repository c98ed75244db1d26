"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_engines():
    return {"sockets": "ossia_example_engine.sockets:sockets"}
