"""`tf.logging`: messages of the logger `tensorflow`, through Python's own logging."""

from __future__ import annotations

import logging
import sys
import threading
from collections import Counter
from typing import Any

from ossia_core.forks import renewed
from ossia_core.plugins.api_table import public, public_value

DEBUG = logging.DEBUG
INFO = logging.INFO
WARN = logging.WARNING
ERROR = logging.ERROR
FATAL = logging.CRITICAL
for _level in "DEBUG", "INFO", "WARN", "ERROR", "FATAL":
    public_value(f"logging.{_level}", name=_level)

_lock = renewed(threading.Lock())
_logger: logging.Logger | None = None
_calls: Counter[tuple[str, int]] = Counter()  # calls of log_every_n and log_first_n by the lines that make them


@public("get_logger")
def get_logger() -> logging.Logger:
    """Returns the logger that all messages go to, called `tensorflow`.

    The first call gives it a handler that writes `LEVEL:tensorflow:message` to standard error, unless the program has
    set up handlers; in an interactive interpreter, to standard output and from INFO on.
    """
    global _logger
    if _logger is None:
        with _lock:
            if _logger is None:
                logger = logging.getLogger("tensorflow")
                if not logger.handlers and not logging.getLogger().handlers:
                    _add_handler(logger)
                _logger = logger
    return _logger


def _add_handler(logger: logging.Logger) -> None:
    interactive = bool(getattr(sys, "ps1", None) or sys.flags.interactive)
    if interactive:
        logger.setLevel(INFO)
    handler = logging.StreamHandler(sys.stdout if interactive else sys.stderr)
    handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
    logger.addHandler(handler)


@public("logging.log")
def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message at a level; `args` are put into it as `%` does, keywords are those of `logging.Logger.log`."""
    get_logger().log(level, msg, *args, **_from_caller(kwargs))


@public("logging.debug")
def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message at level DEBUG."""
    get_logger().debug(msg, *args, **_from_caller(kwargs))


@public("logging.info")
def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message at level INFO."""
    get_logger().info(msg, *args, **_from_caller(kwargs))


@public("logging.warn", "logging.warning")
def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message at level WARN."""
    get_logger().warning(msg, *args, **_from_caller(kwargs))


warn = warning


@public("logging.error")
def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message at level ERROR."""
    get_logger().error(msg, *args, **_from_caller(kwargs))


@public("logging.fatal")
def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message at level FATAL; the program goes on."""
    get_logger().critical(msg, *args, **_from_caller(kwargs))


@public("logging.vlog")
def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs a message at a numeric level."""
    get_logger().log(level, msg, *args, **_from_caller(kwargs))


def _from_caller(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Keywords that make the record name the line that called the function of this module."""
    return {"stacklevel": 2, **kwargs}


@public("logging.TaskLevelStatusMessage")
def TaskLevelStatusMessage(msg: Any) -> None:
    """Logs a message about the task as a whole, at level ERROR."""
    get_logger().error(msg, stacklevel=2)


@public("logging.log_every_n")
def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs a message at the first, and then at every `n`-th call from the line that makes the call."""
    if _count_call() % n == 0:
        get_logger().log(level, msg, *args, stacklevel=2)


@public("logging.log_first_n")
def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Logs a message at the first `n` calls from the line that makes the call."""
    if _count_call() < n:
        get_logger().log(level, msg, *args, stacklevel=2)


def _count_call() -> int:
    """How often the line that called the caller has come here before."""
    frame = sys._getframe(2)
    line = frame.f_code.co_filename, frame.f_lineno
    with _lock:
        count = _calls[line]
        _calls[line] += 1
    return count


@public("logging.log_if")
def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Logs a message if a condition is true."""
    if condition:
        get_logger().log(level, msg, *args, stacklevel=2)


@public("logging.get_verbosity")
def get_verbosity() -> int:
    """Returns the level from which on messages are logged."""
    return get_logger().getEffectiveLevel()


@public("logging.set_verbosity")
def set_verbosity(v: int | str) -> None:
    """Sets the level from which on messages are logged, by number or name.

    Raises:
        ValueError: if no level has the name.
    """
    get_logger().setLevel(v)


@public("logging.flush")
def flush() -> None:
    """Writes out what the logger's handlers hold back."""
    for handler in get_logger().handlers:
        handler.flush()
