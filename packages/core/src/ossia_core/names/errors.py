"""The errors of a run: one class per status code, each knowing the operation and the user's line that made it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

from ossia_core.plugins.api_table import public, public_value

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16

for _code in [name for name in vars() if name.isupper()]:
    public_value(f"errors.{_code}", name=_code)


def dims_text(dims: Any) -> str:
    """A shape or a row of indices as messages of the original write it: `[2,3]`, sizes that are not known as `?`;
    `<unknown>` for None, a shape of unknown rank."""
    if dims is None:
        return "<unknown>"
    items = dims.tolist() if hasattr(dims, "tolist") else [getattr(d, "tolist", lambda d=d: d)() for d in dims]
    return str(items).replace(" ", "").replace("None", "?")


@public("OpError", "errors.OpError")
class OpError(Exception):
    """What a run raises when an operation fails; its subclasses say why.

    Its text is the message, followed, if the operation is known, by the lines of the program that made it. What a run
    raises names the operation in its message, as `[[node NAME (defined at FILE:LINE) ]]`.
    """

    _code = UNKNOWN  # of the class; errors of another code are made by saying so

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int | None = None) -> None:
        """Makes an error.

        Args:
            node_def: the NodeDef of the operation that failed, or `None`.
            op: the operation that failed, or `None`.
            message: what went wrong.
            error_code: the status code, one of `tf.errors.*`; that of the class by default.
        """
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = self._code if error_code is None else error_code
        self._origin = ""
        self._of_run = False

    @property
    def message(self) -> str:
        """What went wrong, and in which operation of a run."""
        return self._message

    @property
    def op(self) -> Any:
        """The operation that failed, `None` if unknown (operations that a run adds are)."""
        return self._op

    @property
    def node_def(self) -> Any:
        """The NodeDef of the operation that failed, `None` if unknown."""
        return self._op.node_def if self._node_def is None and self._op is not None else self._node_def

    @property
    def error_code(self) -> int:
        """The status code."""
        return self._error_code

    def attach(self, op: Any, caller: Any = None) -> OpError:
        """Names the operation that failed, unless one is named already; returns the error itself.

        Args:
            op: the operation.
            caller: the operation of the program's graph that stands for `op`, an operation of a function's body: the
                error then has no operation, as none of the program's graph failed.
        """
        if self._op is None and not self._origin and not self._of_run and op is not None:
            if caller is not None:
                self._message += f"\n\t [[{{{{node {op.name}}}}}]]"
                self._origin = _origin(op) or _origin(caller)
            else:
                self._op = op
                frames = list(_frames(op))
                where = f" (defined at {frames[-1][0]}:{frames[-1][1]}) " if frames else ""
                self._message += f"\n\t [[node {op.name}{where}]]"
        return self

    def of_run(self) -> OpError:
        """Says that no operation failed but the run as a whole, as at its deadline; returns the error itself."""
        self._of_run = True
        return self

    def from_task(self, task: str) -> None:
        """Says in which task of a cluster the operation failed, or that the run came to its deadline there."""
        if self._of_run:
            self._message = "Operation timed out." if isinstance(self, DeadlineExceededError) else self._message
        elif not self._message.startswith("From /job:"):
            self._message = f"From {task}:\n{self._message}"

    def __str__(self) -> str:
        if self._op is not None and not self._origin:
            self._origin = _origin(self._op)
        return self._message + self._origin

    def __reduce__(self) -> tuple[Any, ...]:
        # An operation holds its whole graph, so the text about it travels instead.
        str(self)
        return _restore, (type(self), self._message, self._error_code, self._origin)


def _restore(cls: type[OpError], message: str, error_code: int, origin: str) -> OpError:
    error = cls.__new__(cls)
    OpError.__init__(error, None, None, message, error_code)
    error._origin = origin
    return error


def _origin(op: Any) -> str:
    """The text that tells where the program made an operation, and those that it stands for (as gradients do)."""
    text = ""
    seen: set[int] = set()
    while op is not None and id(op) not in seen:
        seen.add(id(op))
        lines = [
            f'  File "{file}", line {line}, in {function}\n    {code}' for file, line, function, code in _frames(op)
        ]
        if lines:
            stands_for = f"\n...which was originally created as op {op.name!r}, defined at:\n"
            text += stands_for if text else f"\n\nOriginal stack trace for {op.name!r}:\n"
            text += "\n".join(line.rstrip() for line in lines) + "\n"
        op = getattr(op, "_original_op", None)
    return text


def _frames(op: Any) -> Iterator[tuple[str, int, str, str]]:
    """The frames of an operation's traceback that are the program's own; all if none is."""
    frames = [tuple(frame)[:4] for frame in getattr(op, "traceback", None) or ()]
    roots = tuple(
        os.path.join(path, "")
        for name, module in list(sys.modules.items())
        if "." not in name and (name == "ossia" or name.startswith("ossia_"))
        for path in getattr(module, "__path__", None) or ()
    )
    own = [frame for frame in frames if not str(frame[0]).startswith(roots)]
    for file, line, function, code in own or frames:
        yield str(file), line, function, (code or "").strip()


@public("errors.CancelledError")
class CancelledError(OpError):
    """The run or the operation was cancelled, as waiting queue operations are when their queue closes."""

    _code = CANCELLED


@public("errors.UnknownError")
class UnknownError(OpError):
    """A failure of no known kind."""


@public("errors.InvalidArgumentError")
class InvalidArgumentError(OpError):
    """A value, a shape or an attribute is wrong for the operation, whatever the state of the system."""

    _code = INVALID_ARGUMENT


@public("errors.DeadlineExceededError")
class DeadlineExceededError(OpError):
    """The time allowed ran out before the operation ended."""

    _code = DEADLINE_EXCEEDED


@public("errors.NotFoundError")
class NotFoundError(OpError):
    """Something asked for, such as a file or a tensor in a checkpoint, does not exist."""

    _code = NOT_FOUND


@public("errors.AlreadyExistsError")
class AlreadyExistsError(OpError):
    """Something to be created exists already."""

    _code = ALREADY_EXISTS


@public("errors.PermissionDeniedError")
class PermissionDeniedError(OpError):
    """The program may not do this, such as reading a file."""

    _code = PERMISSION_DENIED


@public("errors.UnauthenticatedError")
class UnauthenticatedError(OpError):
    """The request carries no valid credentials."""

    _code = UNAUTHENTICATED


@public("errors.ResourceExhaustedError")
class ResourceExhaustedError(OpError):
    """Memory, disk space or another quota is used up."""

    _code = RESOURCE_EXHAUSTED


@public("errors.FailedPreconditionError")
class FailedPreconditionError(OpError):
    """The system is in the wrong state for the operation, such as reading a variable before its initialisation."""

    _code = FAILED_PRECONDITION


@public("errors.AbortedError")
class AbortedError(OpError):
    """The operation was given up, usually because another one interfered; repeating it may help."""

    _code = ABORTED


@public("errors.OutOfRangeError")
class OutOfRangeError(OpError):
    """The operation went past the end, such as reading after the last record."""

    _code = OUT_OF_RANGE


@public("errors.UnimplementedError")
class UnimplementedError(OpError):
    """The operation is not available, or not in this form."""

    _code = UNIMPLEMENTED


@public("errors.InternalError")
class InternalError(OpError):
    """The system broke one of its own rules: a defect."""

    _code = INTERNAL


@public("errors.UnavailableError")
class UnavailableError(OpError):
    """A service cannot be reached at present."""

    _code = UNAVAILABLE


@public("errors.DataLossError")
class DataLossError(OpError):
    """Data is lost or damaged and cannot be recovered, such as a truncated file."""

    _code = DATA_LOSS


class OperatorNotAllowedInGraphError(TypeError):
    """Python asks for a value that is known only when the graph runs."""


class InaccessibleTensorError(ValueError):
    """A tensor inside of a loop, a branch or a function is asked for from outside."""


_CLASSES: dict[int, type[OpError]] = {cls._code: cls for cls in OpError.__subclasses__()}


@public("errors.exception_type_from_error_code")
def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """Returns the error class of a status code.

    Raises:
        KeyError: if there is none, as for `OK`.
    """
    return _CLASSES[error_code]


@public("errors.error_code_from_exception_type")
def error_code_from_exception_type(cls: type) -> int:
    """Returns the status code of an error class, `UNKNOWN` for other classes."""
    return cls._code if issubclass(cls, OpError) else UNKNOWN


class _Status:
    """A status code with its message, which code outside of Ossia may set."""

    def __init__(self) -> None:
        self.code, self.message = OK, ""


@public("errors.raise_exception_on_not_ok_status")
class raise_exception_on_not_ok_status:
    """A context manager that gives a status, and raises the error of its code at the end unless that is OK."""

    def __enter__(self) -> _Status:
        self.status = _Status()
        return self.status

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if self.status.code != OK and kind is None:
            raise _CLASSES[self.status.code](None, None, self.status.message)
