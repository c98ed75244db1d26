"""`tf.train.basic_train_loop`: the loop around a step, with a Supervisor."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.names import errors, logging
from ossia_core.plugins.api_table import public
from ossia_session.supervisor import Supervisor


@public("train.basic_train_loop")
def basic_train_loop(
    supervisor: Supervisor,
    train_step_fn: Callable[..., Any],
    args: Sequence[Any] | None = None,
    kwargs: dict[str, Any] | None = None,
    master: str = "",
) -> None:
    """Calls a function that makes a step until the supervisor should stop.

    Args:
        supervisor: The Supervisor, whose session it is.
        train_step_fn: Called with the session, then `args` and `kwargs`.
        args: Positional arguments.
        kwargs: Keyword arguments.
        master: The engine to run in; "" is this process.

    Raises:
        Exception: What the function or a thread of the supervisor raises; after an AbortedError the loop goes on in a
            session that starts from the last checkpoint.
    """
    while True:
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *(args or ()), **(kwargs or {}))
            return
        except errors.AbortedError as error:
            logging.info("The session was aborted (%s); the training goes on in a new one.", error.message)
