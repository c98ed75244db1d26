"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_session_hooks():
    return {"EarlyStoppingHook": "ossia_example_session_hook.early_stopping:EarlyStoppingHook"}


@hookimpl
def ossia_samples():
    return {"session_hooks/EarlyStoppingHook": "ossia_example_session_hook.samples:EARLY_STOPPING"}
