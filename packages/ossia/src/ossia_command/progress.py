"""What `ossia run --progress` adds to a program: a line that shows how far training is."""

from __future__ import annotations


def show() -> None:
    """Gives each monitored session of this process a ProgressHook."""
    from ossia_session import monitored
    from ossia_session.hooks.progress import ProgressHook

    monitored.HOOKS_OF_ALL.append(lambda hooks: ProgressHook(hooks=hooks))
