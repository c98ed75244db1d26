"""Runs a script as `python script.py` does, with `tensorflow` served by Ossia."""

from __future__ import annotations

import builtins
import importlib.machinery
import io
import os
import sys
from types import CodeType, ModuleType

from ossia_tensorflow_paths import finder


def run(path: str, arguments: list[str]) -> int:
    """Runs a script in this process as its main program.

    Args:
        path: The script.
        arguments: Its command-line arguments.

    Returns:
        The exit status: 0, 1 after an exception (its traceback is printed, from the script's first frame on), 2 if the
        script cannot be opened.

    Raises:
        SystemExit: The script raised it.
    """
    try:
        with io.open_code(os.path.abspath(path)) as file:
            source = file.read()
    except OSError as error:
        print(f"ossia run: can't open {path!r}: {error.strerror}", file=sys.stderr)
        return 2
    finder.install()
    finder.install_in_children()
    sys.argv = [path, *arguments]
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.realpath(path))
    try:
        code = compile(source, os.path.abspath(path), "exec", dont_inherit=True)
        exec(code, vars(_main_module(code)))
    except SystemExit:
        raise
    except BaseException as error:
        _print_traceback(error, os.path.abspath(path))
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _main_module(code: CodeType) -> ModuleType:
    """A fresh `__main__`, in the place of the command's own."""
    module = ModuleType("__main__")
    module.__file__ = code.co_filename
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", code.co_filename)
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    return module


def _print_traceback(error: BaseException, path: str) -> None:
    """Prints what Python would have printed: without the frames between the command and the script."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)
