"""Turns the samples that stand with an op into small graphs: inputs as constants, or fed through placeholders.

A sample's inputs are values. A reference input becomes a variable that holds the value, a resource input a resource
variable; an input that is a function is called to build what it stands for (a queue, a table).
"""
from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_testkit import recording

if TYPE_CHECKING:
    from ossia_core.opdef import OpDef

FLAVOURS = ("known", "partial", "unknown")


def package_ops(*packages: str) -> Iterator[OpDef]:
    """The ops that import packages (`"ossia_ops"`) declare, by type."""
    from ossia_core import opdef, plugins

    for op_type, module in sorted(plugins.op_table().items()):
        if module.split(".")[0] in packages:
            yield opdef.lookup(op_type)


def package_samples(*packages: str) -> dict[str, tuple[OpDef, Any]]:
    """All samples of the ops of some packages, by `"Type-reason"`."""
    return {f"{definition.type}-{reason}": (definition, sample)
            for definition in package_ops(*packages) for reason, sample in definition.sample_table.items()}


def call_parts(definition: OpDef, sample: Any) -> tuple[list, dict[str, Any]]:
    """The inputs, in order, and the attributes of a sample."""
    from ossia_core.opdef import Sample

    if isinstance(sample, Sample):
        inputs, attrs = list(sample.inputs), dict(sample.attrs)
    else:
        inputs, attrs = list(sample) if isinstance(sample, tuple) else [sample], {}
    for arg in definition.inputs[len(inputs):]:
        inputs.append(attrs.pop(arg.name))
    return inputs, attrs


class SampleGraph:
    """The graph of one sample, built in the current default graph.

    op: the operation under test. inputs: the flat list of its input tensors that came from plain values.
    feeds: placeholder -> value. init: operations to run first.
    state: variables behind reference and resource inputs, read after the run.
    """

    def __init__(self, definition: OpDef, sample: Any, flavour: str) -> None:
        import ossia as tf

        self.tf, self.flavour = tf, flavour
        self.inputs: list = []
        self.feeds: dict = {}
        self.init: list = []
        self.state: list = []
        values, attrs = call_parts(definition, sample)
        args = []
        dtypes = self.input_dtypes(definition, values, attrs) if flavour != "known" else None
        for position, (arg, value) in enumerate(zip(definition.inputs, values, strict=True)):
            kinds = dtypes[position] if dtypes else None
            if arg.is_list and not callable(value):
                args.append([self.tensor(arg, item, kinds and kinds[i]) for i, item in enumerate(value)])
            else:
                args.append(self.tensor(arg, value, kinds and kinds[0]))
        result = definition(*args, name="op", **attrs)
        self.op = tf.get_default_graph().get_operation_by_name("op")
        if flavour == "known":
            self.inputs = [t for t in self.op.inputs if t.op.type == "Const"]
        self.result = result

    @staticmethod
    def input_dtypes(definition: OpDef, values: list, attrs: dict[str, Any]) -> list[list]:
        """The dtypes that the inputs get when they are plain constants."""
        import ossia as tf

        with tf.Graph().as_default():
            known = SampleGraph(definition, _rebuilt(values, attrs), "known")
            flat = [t.dtype for t in known.op.inputs]
        grouped = []
        for arg, value in zip(definition.inputs, values, strict=True):
            count = len(value) if arg.is_list and not callable(value) else 1
            grouped.append(flat[:count])
            flat = flat[count:]
        return grouped

    def tensor(self, arg: Any, value: Any, dtype: Any) -> Any:
        """What to give the op for one input value."""
        tf = self.tf
        if callable(value):
            return value()
        if arg.is_ref:
            variable = tf.Variable(value, dtype=dtype.base_dtype if dtype is not None else None, use_resource=False,
                                   trainable=False)
            self.init.append(variable.initializer)
            self.state.append(variable.read_value())
            return variable._ref()
        if arg.type is not None and arg.type.name == "resource":
            variable = tf.Variable(value, use_resource=True, trainable=False)
            self.init.append(variable.initializer)
            self.state.append(variable.read_value())
            return variable.handle
        if self.flavour == "known":
            return value
        array = np.asarray(value, object if dtype == tf.string else dtype.as_numpy_dtype)
        if self.flavour == "partial" and (array.ndim == 0 or (dtype.is_integer and array.ndim == 1)):
            tensor = tf.constant(array, dtype)
        else:
            shape = [None, *array.shape[1:]] if self.flavour == "partial" else None
            tensor = tf.placeholder(dtype, shape)
            self.feeds[tensor] = array
        self.inputs.append(tensor)
        return tensor

    def outputs(self) -> list:
        """The outputs that can be fetched."""
        return [t for t in self.op.outputs if t.dtype.base_dtype.name not in ("resource", "variant")]


def _rebuilt(values: list, attrs: dict[str, Any]) -> Any:
    from ossia_core.opdef import sample

    return sample(*values, **attrs)


@contextlib.contextmanager
def sample_graph(definition: OpDef, sample: Any, flavour: str = "known") -> Iterator[SampleGraph]:
    """The graph of a sample as the default graph, with a fixed seed."""
    import ossia as tf

    with tf.Graph().as_default() as graph:
        graph.seed = 1234
        yield SampleGraph(definition, sample, flavour)


def transport(definition: OpDef, sample: Any, flavour: str) -> dict[str, Any]:
    """A sample's graph as JSON that any TensorFlow can import and run (see `transport_case`)."""
    with sample_graph(definition, sample, flavour) as built:
        proto = built.op.graph.as_graph_def()
        return {
            "graph": base64.b64encode(proto.SerializeToString(deterministic=True)).decode(),
            "feeds": {t.name: recording.array_record(value) for t, value in built.feeds.items()},
            "inputs": [t.name for t in built.inputs], "outputs": [t.name for t in built.outputs()],
            "init": [op.name for op in built.init], "state": [t.name for t in built.state],
        }


def digest(sent: dict[str, Any]) -> str:
    """Identifies a transported sample, to notice records that are out of date."""
    return hashlib.sha1(json.dumps(sent, sort_keys=True).encode()).hexdigest()[:12]
