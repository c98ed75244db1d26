"""`tf_stack` and `traceable_stack`: where a program is, and objects that know where they were put on a stack."""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

TB_FILENAME, TB_LINENO, TB_FUNCNAME, TB_CODEDICT = range(4)


class Frame(NamedTuple):
    """A place in a program."""

    filename: str
    lineno: int
    name: str
    globals: dict[str, Any]
    func_start_lineno: int


_in_force = threading.local()  # of each thread, the transforms of stacks


class StackTraceTransform:
    """What stacks are changed by in a block; the innermost of a kind counts. Override one of the methods."""

    def __enter__(self) -> StackTraceTransform:
        _transforms().append(self)
        return self

    def __exit__(self, *exc: object) -> None:
        _transforms().pop()

    def reset(self) -> None:
        """For transforms that keep what they have found."""

    def get_effective_source_map(self) -> Mapping[tuple[str, int], tuple[str, int, str]]:
        """File and line -> the file, line and function that are shown in their place."""
        return {}

    def get_filtered_filenames(self) -> Collection[str]:
        """The files whose frames are left out."""
        return ()


class StackTraceMapper(StackTraceTransform):
    """A transform that puts other places in the place of some, as generated code needs it."""


class StackTraceFilter(StackTraceTransform):
    """A transform that leaves out files."""


class CurrentModuleFilter(StackTraceFilter):
    """Leaves out the frames of the file that makes it."""

    def __init__(self) -> None:
        self._file = sys._getframe(1).f_code.co_filename

    def get_filtered_filenames(self) -> Collection[str]:
        """The file."""
        return (self._file,)


def _transforms() -> list[StackTraceTransform]:
    return _in_force.__dict__.setdefault("transforms", [])


def _innermost(kind: type[StackTraceTransform]) -> StackTraceTransform:
    return next((each for each in reversed(_transforms()) if isinstance(each, kind)), _UNCHANGED)


_UNCHANGED = StackTraceTransform()


def extract_stack(limit: int = -1) -> list[Frame]:
    """The frames of the caller and of its callers, outermost first; `limit` of them if it is not negative."""
    moved = _innermost(StackTraceMapper).get_effective_source_map()
    left_out = _innermost(StackTraceFilter).get_filtered_filenames()
    found: list[Frame] = []
    frame: Any = sys._getframe(1)
    while frame is not None and (limit < 0 or len(found) < limit):
        code = frame.f_code
        file, line = code.co_filename, frame.f_lineno
        file, line, name = moved.get((file, line), (file, line, code.co_name))
        if file not in left_out:
            found.append(Frame(file, line, name, frame.f_globals, code.co_firstlineno))
        frame = frame.f_back
    return found[::-1]


def convert_stack(stack: list[Frame], include_func_start_lineno: bool = False) -> tuple[tuple[Any, ...], ...]:
    """Frames as tuples of file, line, function and source line, with the function's first line if it is asked for."""
    rows = []
    for frame in stack:
        linecache.checkcache(frame.filename)
        line = linecache.getline(frame.filename, frame.lineno, frame.globals).strip() or None
        row = (frame.filename, frame.lineno, frame.name, line)
        rows.append((*row, frame.func_start_lineno) if include_func_start_lineno else row)
    return tuple(rows)


class TraceableObject:
    """An object, and the place that put it where it is."""

    SUCCESS, HEURISTIC_USED, FAILURE = range(3)

    def __init__(self, obj: Any, filename: str | None = None, lineno: int | None = None) -> None:
        self.obj = obj
        self.filename = filename
        self.lineno = lineno

    def set_filename_and_line_from_caller(self, offset: int = 0) -> int:
        """Notes the place of the caller, or of one `offset` calls further out.

        Returns:
            SUCCESS; HEURISTIC_USED if there are not as many calls, and the outermost is noted.
        """
        frame: Any = sys._getframe(1)
        for _ in range(offset):
            if frame.f_back is None:
                self.filename, self.lineno = frame.f_code.co_filename, frame.f_lineno
                return self.HEURISTIC_USED
            frame = frame.f_back
        self.filename, self.lineno = frame.f_code.co_filename, frame.f_lineno
        return self.SUCCESS

    def copy_metadata(self) -> TraceableObject:
        """The place without the object."""
        return type(self)(None, self.filename, self.lineno)


class TraceableStack:
    """A stack of TraceableObjects."""

    def __init__(self, existing_stack: list[TraceableObject] | None = None) -> None:
        self._stack = existing_stack[:] if existing_stack else []

    def push_obj(self, obj: Any, offset: int = 0) -> int:
        """Puts an object on top, and notes the caller as its place."""
        traceable = TraceableObject(obj)
        self._stack.append(traceable)
        return traceable.set_filename_and_line_from_caller(offset + 1)

    def pop_obj(self) -> Any:
        """Takes away the object on top."""
        return self._stack.pop().obj

    def peek_top_obj(self) -> Any:
        """The object on top."""
        return self._stack[-1].obj

    def peek_objs(self) -> Iterator[Any]:
        """The objects, the one on top first."""
        return (traceable.obj for traceable in reversed(self._stack))

    def peek_traceable_objs(self) -> Iterator[TraceableObject]:
        """The objects with their places, the one on top first."""
        return reversed(self._stack)

    def __len__(self) -> int:
        return len(self._stack)

    def copy(self) -> TraceableStack:
        """A stack of the same objects."""
        return TraceableStack(self._stack)
