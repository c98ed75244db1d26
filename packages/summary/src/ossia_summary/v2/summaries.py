"""What writes summaries: one function for each kind."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, device, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op
from ossia_summary import writes
from ossia_summary.v2.recording import SUMMARIES, nothing, recorded, state
from ossia_summary.v2.writers import ResourceSummaryWriter

_BAD_COLOR = [255, 0, 0, 255]
_NOT_IN_SCOPES = re.compile(r"[^-/\w.]")


@public("compat.v2.summary.experimental.summary_scope")
@contextlib.contextmanager
def summary_scope(name: str, default_name: str = "summary", values: Any = None) -> Iterator[tuple[str, str]]:
    """A name scope for a summary.

    Args:
        name: The name of the summary.
        default_name: The name of the scope where that of the summary has nothing that a scope may.
        values: The tensors that it is made of.

    Yields:
        The tag of the summary, with the scopes around it, and the scope.
    """
    around = get_default_graph().get_name_scope()
    tag = f"{around}/{name}" if around else name
    with name_scope(_NOT_IN_SCOPES.sub("", name) or None, default_name, values) as scope:
        yield tag, scope


def _step(step: Any) -> Any:
    if step is None:
        get_or_create_global_step = builder("train.get_or_create_global_step")

        return get_or_create_global_step()
    return step if hasattr(step, "dtype") else convert_to_tensor(step, dtypes.int64)


def _done(op: Any) -> Any:
    """The constant True, after an operation."""
    with control_dependencies([op]):
        return builder("constant")(True)


@public("compat.v2.summary.write")
def write(tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None) -> Any:
    """Writes a tensor as a summary, to the writer of this block.

    Args:
        tag: The tag.
        tensor: The value, or a function that returns it.
        step: The step; by default that of `set_step`.
        metadata: A SummaryMetadata, or its bytes.
        name: Name of the scope.

    Returns:
        A bool tensor: whether it was written; False without a writer.

    Raises:
        ValueError: There is no step.
    """
    with name_scope(name, "write_summary") as scope:
        writer = state.writer
        if not isinstance(writer, ResourceSummaryWriter):
            return nothing()
        step = state.step if step is None else step
        if step is None:
            raise ValueError("No step set via 'step' argument or tf.summary.experimental.set_step()")
        serialized = b"" if metadata is None else getattr(metadata, "SerializeToString", lambda: metadata)()

        def record() -> Any:
            value = tensor() if callable(tensor) else builder("identity")(tensor)
            return _done(writes.write_summary_op(
                writer._resource, step, value, tag, serialized, name=scope
            ))

        with device("cpu:0"):
            made = recorded(True, record, "summary_cond")
        get_default_graph().add_to_collection(SUMMARIES, made)
        return made


@public("compat.v2.summary.experimental.write_raw_pb")
def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Any:
    """Writes summaries that are given as the bytes of Summary messages; see `write`."""
    with name_scope(name, "write_raw_pb") as scope:
        writer = state.writer
        if not isinstance(writer, ResourceSummaryWriter):
            return nothing()
        step = state.step if step is None else step
        if step is None:
            raise ValueError("No step set via 'step' argument or tf.summary.experimental.set_step()")

        def record() -> Any:
            return _done(writes.write_raw_proto_summary_op(
                writer._resource, step, builder("identity")(tensor), name=scope
            ))

        with device("cpu:0"):
            made = recorded(True, record, "summary_cond")
        get_default_graph().add_to_collection(SUMMARIES, made)
        return made


def summary_writer_function(name: str, tensor: Any, function: Callable[[str, str], Any], family: Any = None) -> Any:
    """Writes a summary of `tf.contrib.summary`, if there is a writer and it is time.

    Args:
        name: The name.
        tensor: What it is made of.
        function: Makes the operation, from the tag and the scope.
        family: What the tag begins with.
    """
    if not isinstance(state.writer, ResourceSummaryWriter):
        return no_op()
    from ossia_summary.scopes import summary_scope as tagged

    around = get_default_graph().get_name_scope()

    def record() -> Any:
        with name_scope(f"{around}/" if around else ""), tagged(name, family, values=[tensor]) as (tag, scope):
            return _done(function(tag, scope))

    with device("cpu:0"):
        made = recorded(False, record, "")
    get_default_graph().add_to_collection(SUMMARIES, made)
    return made


def _identity(tensor: Any) -> Any:
    return builder("identity")(tensor)


@public("contrib.summary.scalar")
def scalar(name: str, tensor: Any, family: Any = None, step: Any = None) -> Any:
    """Writes a number."""
    return summary_writer_function(name, tensor, lambda tag, scope: writes.write_scalar_summary_op(
        state.writer._resource, _step(step), tag, _identity(tensor), name=scope), family)


@public("contrib.summary.histogram")
def histogram(name: str, tensor: Any, family: Any = None, step: Any = None) -> Any:
    """Writes how values are spread."""
    return summary_writer_function(name, tensor, lambda tag, scope: writes.write_histogram_summary_op(
        state.writer._resource, _step(step), tag, _identity(tensor), name=scope), family)


@public("contrib.summary.image")
def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: Any = None, step: Any = None
) -> Any:
    """Writes images [n, height, width, channels]; `bad_color` stands for what is not finite."""
    def function(tag: str, scope: str) -> Any:
        colour = builder("constant")(_BAD_COLOR, dtype=dtypes.uint8) if bad_color is None else bad_color
        return writes.write_image_summary_op(
            state.writer._resource, _step(step), tag, _identity(tensor), colour, max_images=max_images, name=scope
        )

    return summary_writer_function(name, tensor, function, family)


@public("contrib.summary.audio")
def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: Any = None, step: Any = None
) -> Any:
    """Writes sounds [n, samples, channels]."""
    return summary_writer_function(name, tensor, lambda tag, scope: writes.write_audio_summary_op(
        state.writer._resource, _step(step), tag, _identity(tensor), sample_rate, max_outputs=max_outputs, name=scope
    ), family)


@public("contrib.summary.generic")
def generic(name: str, tensor: Any, metadata: Any = None, family: Any = None, step: Any = None) -> Any:
    """Writes a tensor with metadata of any kind."""
    def function(tag: str, scope: str) -> Any:
        described = metadata
        if not hasattr(metadata, "dtype"):
            described = builder("constant")(b"" if metadata is None else metadata.SerializeToString())
        return writes.write_summary_op(
            state.writer._resource, _step(step), _identity(tensor), tag, described, name=scope
        )

    return summary_writer_function(name, tensor, function, family)


@public("contrib.summary.graph")
def graph(param: Any, step: Any = None, name: str | None = None) -> Any:
    """Writes a graph, given as the bytes of a GraphDef in a string tensor.

    Raises:
        TypeError: `param` is a graph or GraphDef.
    """
    from ossia_core.graph.graph import Graph

    if isinstance(param, Graph) or hasattr(param, "node"):
        raise TypeError("graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was a Graph or GraphDef")
    writer = state.writer
    if not isinstance(writer, ResourceSummaryWriter):
        return no_op()
    with device("cpu:0"):
        value = _identity(param)
        return writes.write_graph_summary_op(writer._resource, _step(step), value, name=name)
