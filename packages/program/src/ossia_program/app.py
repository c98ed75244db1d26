"""`tf.app.run`: runs a program's `main` with its flags parsed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from ossia_core.plugins.api_table import public
from ossia_program import flags


@public("app.run")
def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Parses the flags, calls `main` with the other arguments, and exits with what it returns.

    Unknown flags are no error; they are among the arguments of `main`.

    Args:
        main: takes the list of arguments, the program's name first; the function `main` of the program by default.
        argv: the command line, `sys.argv` by default.
    """
    flags.define_standard_flags()
    from absl import app

    def parse(args: list[str]) -> list[str]:
        return flags.FLAGS(args, known_only=True)

    app.run(main or sys.modules["__main__"].main, argv, flags_parser=parse)  # type: ignore[attr-defined]
    raise AssertionError("absl.app.run has returned.")
