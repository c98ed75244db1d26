"""The global step: the integer variable that counts training steps."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import constant
from ossia_core.graph.graph import Graph
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, logging
from ossia_core.plugins.api_table import public
from ossia_core.variables.options import VariableAggregation
from ossia_core.variables.scope import get_variable
from ossia_core.variables.variable import Variable

_READ_KEY = "global_step_read_op_cache"


@public("train.global_step")
def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The value of the global step in `sess`, as an int."""
    return int(sess.run(global_step_tensor))


@public("train.get_global_step")
def get_global_step(graph: Graph | None = None) -> Any:
    """The global step of `graph` (or the default graph): from its collection, or the tensor "global_step:0"; None if
    there is none."""
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(found) > 1:
        logging.error("Multiple tensors in global_step collection.")
        return None
    if found:
        step = found[0]
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(step)
    return step


def _zero(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
    return constant(0, dtype=dtype, shape=shape, name="zeros")


@public("train.create_global_step")
def create_global_step(graph: Graph | None = None) -> Any:
    """A new global step in `graph` (or the default graph).

    Raises:
      ValueError: the graph has one.
    """
    graph = graph or get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError('"global_step" already exists.')
    with graph.as_default(), graph.name_scope(None):
        return get_variable(
            GraphKeys.GLOBAL_STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=_zero,
            trainable=False,
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )


@public("train.get_or_create_global_step")
def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """The global step of `graph` (or the default graph), made if there is none."""
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


@public("train.assert_global_step")
def assert_global_step(global_step_tensor: Any) -> None:
    """Raise TypeError unless the argument is a variable or tensor that holds one integer."""
    if not isinstance(global_step_tensor, (Variable, Tensor)):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.')
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}')
    shape = global_step_tensor.shape
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')


def get_global_step_read(graph: Graph | None = None) -> Any:
    """The tensor that hooks read the global step through, if it was made; None else."""
    graph = graph or get_default_graph()
    found = graph.get_collection(_READ_KEY)
    if len(found) > 1:
        raise RuntimeError(f"There are multiple items in collection {_READ_KEY}. There should be only one.")
    return found[0] if found else None


def get_or_create_global_step_read(graph: Graph | None = None) -> Any:
    """A tensor of the global step that is read before anything that depends on it; None if the graph has no global
    step."""
    graph = graph or get_default_graph()
    found = get_global_step_read(graph)
    if found is not None:
        return found
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default(), graph.name_scope(None), graph.name_scope(step.op.name + "/"):
        # The value before initialisation, too, so that what is built on it can be run then.
        value = step.initialized_value() if isinstance(step, Variable) else step
        read = value + 0
        graph.add_to_collection(_READ_KEY, read)
    return read


def increment_global_step(increment: int, graph: Graph | None = None) -> Any:
    """An assignment that adds `increment` to the global step, after it was read."""
    graph = graph or get_default_graph()
    step = get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by tf.train.get_or_create_global_step before calling increment."
        )
    with (
        graph.as_default(),
        graph.name_scope(None),
        graph.name_scope(step.op.name + "/"),
        graph.control_dependencies([get_or_create_global_step_read()]),
    ):
        return builder("assign_add")(step, increment)
