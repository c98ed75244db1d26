"""Regular expressions over strings: whether they match, and matches replaced."""
from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged, with_rank
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_text.regex_machine import Machine
from ossia_text.regex_parser import PatternError

_TEXT = np.array([b"one 1", b"", "zwölf 12".encode()], object)


@lru_cache(128)
def _machine(pattern: bytes) -> Machine:
    try:
        return Machine(pattern)
    except PatternError as error:
        shown = pattern[:200].decode(errors="replace")
        raise InvalidArgumentError(None, None, f"Invalid pattern: {shown}, error: {error}") from None


def _scalar(what: str, value: Any) -> bytes:
    if np.ndim(value):
        raise InvalidArgumentError(None, None, f"{what} must be scalar, but received {dims_text(np.shape(value))}")
    return np.asarray(value, object).item()


def _matches(input: np.ndarray, pattern: bytes) -> np.ndarray:
    return _machine(pattern).full_matches(input.reshape(-1).tolist()).reshape(input.shape)


def _replaced(input: np.ndarray, pattern: bytes, rewrite: bytes, everywhere: bool) -> np.ndarray:
    machine = _machine(pattern)
    out = np.empty(input.shape, object)
    flat = out.reshape(-1)
    for i, text in enumerate(input.reshape(-1)):
        flat[i] = machine.replace(text, rewrite, everywhere)
    return out


regex_full_match_op = op("RegexFullMatch(input: string, pattern: string) -> output: bool")


@regex_full_match_op.shape
def _(input, pattern):
    with_rank(pattern, 0)
    return input.shape


@regex_full_match_op.kernel
def _(input, pattern):
    return _matches(input, _scalar("Pattern", pattern))


regex_full_match_op.samples(plain=(_TEXT, np.array(rb"\w+ \d", object)))

static_regex_full_match_op = op("StaticRegexFullMatch(input: string) -> output: bool", pattern="string")
static_regex_full_match_op.shape(unchanged)


@static_regex_full_match_op.kernel
def _(input, *, pattern):
    return _matches(input, pattern)


static_regex_full_match_op.samples(plain=sample(_TEXT, pattern=r"\pL+ \d*"))

regex_replace_op = op(
    "RegexReplace(input: string, pattern: string, rewrite: string) -> output: string", replace_global="bool = true"
)


@regex_replace_op.shape
def _(input, pattern, rewrite):
    with_rank(pattern, 0)
    with_rank(rewrite, 0)
    return input.shape


@regex_replace_op.kernel
def _(input, pattern, rewrite, *, replace_global):
    return _replaced(input, _scalar("Pattern", pattern), _scalar("Rewrite", rewrite), replace_global)


regex_replace_op.not_differentiable()
regex_replace_op.samples(
    groups=(_TEXT, np.array(rb"(\w)(\d?)", object), np.array(rb"<\2\1>", object)),
    first=sample(_TEXT, np.array(rb"[a-z]", object), np.array(b"", object), replace_global=False),
)

static_regex_replace_op = op(
    "StaticRegexReplace(input: string) -> output: string", pattern="string", rewrite="string",
    replace_global="bool = true"
)
static_regex_replace_op.shape(unchanged)


@static_regex_replace_op.kernel
def _(input, *, pattern, rewrite, replace_global):
    return _replaced(input, pattern, rewrite, replace_global)


static_regex_replace_op.samples(
    groups=sample(_TEXT, pattern=r"(\w)(\d?)", rewrite=r"<\2\1>"),
    first=sample(_TEXT, pattern="[a-z]", rewrite="", replace_global=False),
)


@public("strings.regex_full_match", "compat.v2.strings.regex_full_match")
@dispatches
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether a regular expression matches the whole of each string.

    Args:
      input: strings of any shape.
      pattern: a pattern in RE2's syntax: a string, or a scalar tensor.
      name: name of the result.

    Returns:
      A bool tensor of the same shape.

    Raises:
      InvalidArgumentError: in a run, a pattern that is no regular expression.
    """
    if isinstance(pattern, (str, bytes)):
        return static_regex_full_match_op(input=input, pattern=pattern, name=name)
    return regex_full_match_op(input=input, pattern=pattern, name=name)


@public("regex_replace", "strings.regex_replace", "compat.v2.strings.regex_replace")
@dispatches
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""The strings with what a regular expression matches in them written anew.

    Args:
      input: strings of any shape.
      pattern: a pattern in RE2's syntax: a string, or a scalar tensor.
      rewrite: what stands for a match: a string, or a scalar tensor; `\0` to `\9` in it are the match and its groups.
      replace_global: whether all matches are replaced, or the first one of each string.
      name: name of the result.

    Returns:
      A string tensor of the same shape.

    Raises:
      InvalidArgumentError: in a run, a pattern that is no regular expression.
    """
    if isinstance(pattern, (str, bytes)) and isinstance(rewrite, (str, bytes)):
        return static_regex_replace_op(
            input=input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name
        )
    return regex_replace_op(
        input=input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name
    )
