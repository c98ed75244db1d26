"""Runs a program as `python` does, with `tensorflow` served by Ossia.

A program is what the command line names: a script, a folder or zip file with a `__main__.py`, a notebook, `-m MODULE`,
`-c TEXT`, or `-` for standard input.
"""

from __future__ import annotations

import builtins
import importlib.machinery
import io
import os
import runpy
import sys
from collections.abc import Callable
from types import CodeType, ModuleType

from ossia_command import children, lookups, notebook, old_numpy, python2
from ossia_tensorflow_paths import finder


def run(arguments: list[str], *, strict: bool = False) -> int:
    """Runs a program in this process as its main program.

    Args:
        arguments: What to run, as `python` takes it, and behind it the program's own arguments.
        strict: Leave NumPy as it is, without the names and the printing that programs of TensorFlow 1 expect.

    Returns:
        The exit status: 0; 1 after an exception (its traceback is printed, from the program's first frame on); 2 if the
        program cannot be opened; 130 after an interrupt.

    Raises:
        SystemExit: The program raised it.
    """
    what, rest = arguments[0], arguments[1:]
    if what in ("-m", "-c") and not rest:
        print(f"ossia run: argument expected for the {what} option", file=sys.stderr)
        return 2
    try:
        program = _program(what, rest)
    except OSError as error:
        print(f"ossia run: can't open {what!r}: {error.strerror}", file=sys.stderr)
        return 2
    except notebook.NotebookError as error:
        print(f"ossia run: {error}", file=sys.stderr)
        return 2
    finder.install()
    finder.install_in_children()
    children.install(strict=strict)
    lookups.install()
    if not strict:
        old_numpy.install()
    try:
        program()
    except SystemExit:
        raise
    except BaseException as error:
        _print_traceback(error)
        if isinstance(error, SyntaxError):
            python2.explain(error)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _program(what: str, rest: list[str]) -> Callable[[], object]:
    """A call that runs the program, with `sys.argv` and `sys.path` set for it.

    Raises:
        OSError: The program cannot be read.
        NotebookError: A notebook cannot be read as one.
    """
    if what == "-m":
        name, *own = rest
        _set_arguments([name, *own], os.getcwd())
        return lambda: runpy.run_module(name, run_name="__main__", alter_sys=True)
    if what == "-c":
        text, *own = rest
        _set_arguments(["-c", *own], "")
        return lambda: _execute([(text.encode(), "<string>")])
    if what == "-":
        source = sys.stdin.buffer.read()
        _set_arguments(["-", *rest], "")
        return lambda: _execute([(source, "<stdin>")])
    path = os.path.abspath(what)
    if os.path.isdir(path) or path.endswith((".zip", ".pyz")):
        os.stat(path)
        _set_arguments([what, *rest], None)
        return lambda: runpy.run_path(what, run_name="__main__")
    with io.open_code(path) as file:
        source = file.read()
    _set_arguments([what, *rest], os.path.dirname(os.path.realpath(path)))
    if path.endswith(".ipynb"):
        cells = notebook.cells(source, path)
        return lambda: _execute(cells, file=path)
    return lambda: _execute([(source, path)], file=path)


def _set_arguments(arguments: list[str], folder: str | None) -> None:
    """Sets `sys.argv`, and the first entry of `sys.path` to the folder where the program finds its neighbours."""
    sys.argv = arguments
    if not getattr(sys.flags, "safe_path", False):
        if folder is None:
            del sys.path[0]  # the program puts itself there
        else:
            sys.path[0] = folder


def _execute(parts: list[tuple[bytes, str]], file: str | None = None) -> None:
    """Runs sources one after the other as one `__main__`; each part comes with the name that tracebacks give it."""
    names = vars(_main_module(file))
    for source, name in parts:
        code: CodeType = compile(source, name, "exec", dont_inherit=True)
        exec(code, names)


def _main_module(file: str | None) -> ModuleType:
    """A fresh `__main__`, in the place of the command's own."""
    module = ModuleType("__main__")
    if file is not None:
        module.__file__ = file
        module.__loader__ = importlib.machinery.SourceFileLoader("__main__", file)
    module.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = module
    return module


def _print_traceback(error: BaseException) -> None:
    """Prints what Python would have printed: without the frames between the command and the program."""
    ours = {__file__, runpy.__file__, "<frozen runpy>"}
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename not in ours:
        trace = trace.tb_next
    while trace is not None and trace.tb_frame.f_code.co_filename in ours:
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)
