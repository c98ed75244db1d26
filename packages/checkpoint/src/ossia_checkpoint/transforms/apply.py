"""`TransformGraph`: a GraphDef changed by a list of named transforms with parameters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ossia_core.names import errors

_WORD = r"[\w.:/*-]+"
_TOKEN = re.compile(rf'\s*(?:(?P<word>{_WORD})|"(?P<text>[^"]*)"|(?P<sign>[(),=]))')

_MISSING = frozenset((
    "freeze_requantization_ranges", "fuse_remote_graph", "hoist_fake_quants", "place_remote_graph_arguments",
    "quantize_nodes", "sparsify_gather",
))


class Task(NamedTuple):
    """What a transform is given beside the graph.

    inputs: Names of the nodes that are fed.
    outputs: Names of the nodes that are fetched.
    parameters: All values of each parameter.
    """

    inputs: Sequence[str]
    outputs: Sequence[str]
    parameters: dict[str, list[str]]

    def one(self, name: str, default: str | None = None) -> str:
        """The value of a parameter.

        Raises:
          InvalidArgumentError: it is given more than once, or is missing and has no default.
        """
        values = self.parameters.get(name, [] if default is None else [default])
        if len(values) != 1:
            raise invalid(f"There must be exactly one parameter '{name}', but there are {len(values)}")
        return values[0]

    def number(self, name: str, default: int | None = None) -> int:
        """The value of a parameter that is a whole number; InvalidArgumentError for others."""
        text = self.one(name, None if default is None else str(default))
        try:
            return int(text)
        except ValueError:
            raise invalid(f"The parameter '{name}' must be a number, but is '{text}'") from None


def invalid(message: str) -> errors.InvalidArgumentError:
    """The error of a transform that is asked for wrongly."""
    return errors.InvalidArgumentError(None, None, message)


def transform_graph(
    input_graph_def: Any, inputs: Sequence[str], outputs: Sequence[str], transforms: str | Sequence[str]
) -> Any:
    """A GraphDef changed by transforms, one after the other.

    Args:
      input_graph_def: the GraphDef, which stays as it is.
      inputs: names of the nodes that will be fed.
      outputs: names of the nodes that will be fetched.
      transforms: the transforms, each `name` or `name(parameter=value, ...)`: a list of them, or one text with spaces
        between.

    Returns:
      A new GraphDef.

    Raises:
      InvalidArgumentError: an unknown transform, a parameter that is missing or wrong, a graph that it does not suit.
    """
    from ossia_checkpoint.transforms import batch_norms, constants, fusions, nodes, older, weights

    known: dict[str, Callable[[Any, Task], Any]] = {
        **nodes.TRANSFORMS, **constants.TRANSFORMS, **batch_norms.TRANSFORMS, **weights.TRANSFORMS,
        **fusions.TRANSFORMS, **older.TRANSFORMS,
    }
    text = transforms if isinstance(transforms, str) else " ".join(transforms)
    graph = type(input_graph_def).FromString(input_graph_def.SerializeToString())
    for name, parameters in parsed(text):
        if name in _MISSING:
            raise NotImplementedError(f"the graph transform '{name}'")
        if name not in known:
            raise invalid(f"Transform '{name}' not recognized.")
        graph = known[name](graph, Task(_plain(inputs), _plain(outputs), parameters))
    return graph


TransformGraph = transform_graph  # as programs import it from tensorflow.tools.graph_transforms


def _plain(names: Sequence[str]) -> list[str]:
    return [name.partition(":")[0] for name in names]


def parsed(text: str) -> list[tuple[str, dict[str, list[str]]]]:
    """The transforms that a text names, with their parameters.

    Raises:
      InvalidArgumentError: the text is written wrongly.
    """
    tokens = _tokens(text)
    found: list[tuple[str, dict[str, list[str]]]] = []
    i = 0
    while i < len(tokens):
        kind, name = tokens[i]
        if kind != "word":
            raise invalid(f"Looking for a transform name, but found {name!r} in '{text}'")
        parameters: dict[str, list[str]] = {}
        i += 1
        if i < len(tokens) and tokens[i] == ("sign", "("):
            i += 1
            while i < len(tokens) and tokens[i] != ("sign", ")"):
                if tokens[i] == ("sign", ","):
                    i += 1
                    continue
                if i + 2 >= len(tokens) or tokens[i + 1] != ("sign", "="):
                    found_instead = tokens[i + 1][1] if i + 1 < len(tokens) else ""
                    raise invalid(f"Looking for =, but found {found_instead} in '{text}'")
                parameters.setdefault(tokens[i][1], []).append(tokens[i + 2][1])
                i += 3
            if i == len(tokens):
                raise invalid(f"Looking for ), but the text ends: '{text}'")
            i += 1
        found.append((name, parameters))
    return found


def _tokens(text: str) -> list[tuple[str, str]]:
    found, position, text = [], 0, text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise invalid(f"Cannot read '{text[position:]}' as transforms")
        found.append((match.lastgroup, match[match.lastgroup]))
        position = match.end()
    return found
