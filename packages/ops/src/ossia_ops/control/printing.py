"""Values on the screen while a graph runs: `Print`, `print` and `strings.format`."""
from __future__ import annotations

import itertools
import pprint
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import SCALAR, unchanged
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor, is_tensor
from ossia_core.names import dtypes, errors, logging, nest
from ossia_core.names.tensor_text import pretty, summary
from ossia_core.plugins.api_table import public

print_op = op(
    "Print(input: T, data: U) -> output: T",
    T="type",
    U="list(type) >= 0",
    message="string = ''",
    first_n="int = -1",
    summarize="int32 = 3",
    stateful=True,
)
print_op.shape(unchanged)


@print_op.kernel_for(alias=True)
def _(node, *, session):
    message, first_n, limit = (
        node.attrs["message"].decode(errors="replace"),
        node.attrs["first_n"],
        node.attrs["summarize"],
    )
    calls = session.node_state(node.name, itertools.count) if first_n >= 0 else None

    def kernel(input: Any, data: list) -> Any:
        if calls is None or next(calls) < first_n:
            sys.stderr.write(message + "".join(f"[{summary(x, limit)}]" for x in data) + "\n")
        return input
    return kernel


@print_op.gradient
def _(node, grad):
    return [grad] + [None] * (len(node.inputs) - 1)


print_op.samples(
    plain=sample([1.0, 2.0], [[1, 2], [b"a"]], message="see: ", first_n=2, summarize=1), nothing=sample([1.0], [])
)


@public("Print")
def Print(
    input_: Any,
    data: Any,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`input_`, which when computed also writes `data` to the standard error stream.

    Args:
      input_: the tensor to pass on.
      data: list of tensors to write.
      message: text to write before them.
      first_n: how often to write at most; always if None.
      summarize: how many elements of each tensor to write; 3 if None, all if negative.
      name: name of the node.
    """
    return print_op(input_, data, message=message, first_n=first_n, summarize=summarize, name=name)


string_format_op = op(
    "StringFormat(inputs: T) -> output: string",
    T="list(type) >= 0",
    template="string = '%s'",
    placeholder="string = '%s'",
    summarize="int32 = 3",
)


@string_format_op.shape
def _(inputs, *, template, placeholder):
    places = template.count(placeholder) if placeholder else len(inputs)
    if places != len(inputs):
        raise ValueError(f"num placeholders in template and num inputs must match: {places} vs. {len(inputs)}")
    return SCALAR


@string_format_op.kernel
def _(inputs, *, template, placeholder, summarize):
    pieces = template.split(placeholder) if placeholder else [template]
    texts = [pretty(x, summarize).encode("latin-1", "replace") for x in inputs]
    if len(pieces) != len(texts) + 1:
        raise errors.InvalidArgumentError(
            None, None, f"{len(pieces) - 1} placeholder(s) in template does not match {len(texts)} inputs"
        )
    return np.array(b"".join(itertools.chain(*itertools.zip_longest(pieces, texts, fillvalue=b""))), object)


string_format_op.samples(
    two=sample([[1, 2], [b"a"]], template="x %s y %s", placeholder="%s"),
    none=sample([], template="text", placeholder="%s"),
)


@public("strings.format", "compat.v2.strings.format")
def string_format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """A string tensor: `template` with the values of tensors in place of its placeholders.

    Args:
      template: the text.
      inputs: a tensor, or a list or tuple of tensors, one per placeholder.
      placeholder: what stands for a value in the text.
      summarize: how many elements to show at the start and at the end of each dimension; all if negative.
      name: name of the node.

    Raises:
      ValueError: there are more or fewer placeholders than tensors.
    """
    if isinstance(inputs, (str, bytes)):
        raise TypeError(f"Expected list for 'inputs' argument to 'StringFormat' Op, not {inputs!r}.")
    inputs = inputs if isinstance(inputs, (list, tuple)) else [inputs]
    count = template.count(placeholder)
    if count != len(inputs):
        raise ValueError(f"{count} placeholder(s) in template does not match {len(inputs)} tensor(s) provided as input")
    return string_format_op(list(inputs), template=template, placeholder=placeholder, summarize=summarize, name=name)


print_v2_op = op("PrintV2(input: string)", output_stream="string = 'stderr'", end="string = '\\n'", stateful=True)


@print_v2_op.shape
def _(input):
    rank = input.shape.ndims
    if rank != 0:
        raise ValueError(f"input must be a scalar, but has rank: {-1 if rank is None else rank}")
    return ()


print_v2_op.needs_known("input")


@print_v2_op.kernel
def _(input, *, output_stream, end):
    stream = output_stream.decode(errors="replace")
    text = bytes(input[()])
    if stream not in ("stdout", "stderr", *_LOGS) and (not stream.startswith("file://") or stream == "file://"):
        shown = stream.removeprefix("file://")
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Unknown output stream: {shown}, Valid streams are: stdout stderr log(info) log(warning) log(error)",
        )
    if stream.startswith("file://"):
        with open(stream[7:], "ab") as file:
            file.write(text + end)
        return ()
    shown = text.decode(errors="replace")
    if stream in _LOGS:
        _LOGS[stream](shown)
    else:
        target = sys.stdout if stream == "stdout" else sys.stderr
        target.write(shown + end.decode(errors="replace"))
        target.flush()
    return ()


_LOGS: dict[str, Callable] = {"log(info)": logging.info, "log(warning)": logging.warning, "log(error)": logging.error}
print_v2_op.samples(plain=sample(b"text"), end=sample(b"text", output_stream="stdout", end="|"))


@public("print")
def print_v2(*inputs: Any, **kwargs: Any) -> Operation:
    """An operation that writes its inputs, with a separator between them, when it runs.

    Args:
      *inputs: texts, tensors, or nested structures of anything.
      output_stream: `sys.stderr` (the default), `sys.stdout`, a `tf.logging` function, or "file://" and a path, to
          which is appended.
      summarize: how many elements to show at the start and at the end of each dimension; all if negative.
      sep: what to write between inputs; a space by default.
      end: what to write at the end; a new line by default.
      name: name of the operation.

    Raises:
      ValueError: an unknown keyword or output stream.
    """
    stream, name = kwargs.pop("output_stream", sys.stderr), kwargs.pop("name", None)
    summarize, end = kwargs.pop("summarize", 3), kwargs.pop("end", "\n")
    sep = kwargs.pop("sep", " ")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    target = _stream_name(stream)
    if (
        len(inputs) == 1
        and isinstance(inputs[0], Tensor)
        and inputs[0].dtype is dtypes.string
        and inputs[0].shape.ndims == 0
    ):
        text = inputs[0]
    else:
        placeholder = _unused(_template(inputs, "", sep))
        tensors = [t for leaf in nest.flatten(list(inputs)) if is_tensor(leaf)
                   for t in (leaf.components() if isinstance(leaf, SparseTensor) else [leaf])]
        text = string_format(
            _template(inputs, placeholder, sep),
            tensors,
            placeholder,
            3 if summarize is None else summarize,
            name=None if name is None else name + "_format",
        )
    return print_v2_op(text, output_stream=target, end=end, name=name)


class _Placeholder:
    """Prints as the placeholder wherever the structure it stands in is printed."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _template(inputs: tuple, placeholder: str, sep: str) -> str:
    """The text of the inputs, with the placeholder where there is a tensor."""
    def shown(leaf: Any) -> Any:
        if isinstance(leaf, SparseTensor):
            return f"SparseTensor(indices={placeholder}, values={placeholder}, shape={placeholder})"
        return _Placeholder(placeholder) if is_tensor(leaf) else leaf

    return sep.join(
        item if isinstance(item, str) else pprint.pformat(nest.map_structure(shown, item)) for item in inputs
    )


def _unused(text: str) -> str:
    """A placeholder that the text does not hold: `{}`, followed by the digits that the original takes."""
    digits, placeholder = random.Random(5), "{}"
    while placeholder in text:
        placeholder += str(digits.randint(0, 9))
    return placeholder


def _stream_name(stream: Any) -> str:
    """What the attribute of the node says for a stream."""
    named = {
        sys.stdout: "stdout",
        sys.stderr: "stderr",
        logging.info: "log(info)",
        logging.warning: "log(warning)",
        logging.warn: "log(warning)",
        logging.error: "log(error)",
        logging.INFO: "log(info)",
        logging.WARN: "log(warning)",
        logging.ERROR: "log(error)",
    }
    if isinstance(stream, str) and stream.startswith("file://"):
        return stream
    try:
        return named[stream]
    except (KeyError, TypeError):
        raise ValueError(
            f"Unsupported output stream, logging level, or file.{stream}. Supported streams are sys.stdout, "
            "sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the form of "
            "'file://<filepath>'."
        ) from None
