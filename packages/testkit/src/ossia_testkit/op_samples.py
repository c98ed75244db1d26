"""Turns the samples that stand with an op into small graphs: inputs as constants, or fed through placeholders.

A sample's inputs are values. A reference input becomes a variable that holds the value, a resource input a resource
variable; an input that is a function is called to build what it stands for (a queue, a table). A sample of several
steps is a generator that builds its graph by itself and yields what each run fetches.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import inspect
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_testkit import recording

if TYPE_CHECKING:
    from ossia_core.declare.opdef import OpDef
    from ossia_core.graph.graph import Graph

FLAVOURS = ("known", "partial", "unknown")


def package_ops(*packages: str, takes: Callable[[str, str], bool] | None = None) -> Iterator[OpDef]:
    """The ops that import packages (`"ossia_ops"`) declare, by type.

    Args:
        *packages: The packages; none for all ops.
        takes: Whether an op is wanted, from its type and the module that declares it.
    """
    from ossia_core.declare import opdef
    from ossia_core.plugins import manager as plugins

    for op_type, module in sorted(plugins.op_table().items()):
        if (not packages or module.split(".")[0] in packages) and (takes is None or takes(op_type, module)):
            yield opdef.lookup(op_type)


def package_samples(
    *packages: str, takes: Callable[[str, str], bool] | None = None
) -> dict[str, tuple[OpDef, Any]]:
    """All samples of the ops of some packages, by `"Type-reason"`; one that stands with several ops once.

    Args:
        *packages: As for `package_ops`.
        takes: As for `package_ops`.
    """
    table: dict[str, tuple[OpDef, Any]] = {}
    seen: set[int] = set()
    for definition in package_ops(*packages, takes=takes):
        for reason, sample in definition.sample_table.items():
            if not is_steps(sample) or id(sample) not in seen:
                seen.add(id(sample))
                table[f"{definition.type}-{reason}"] = (definition, sample)
    return table


def is_steps(sample: Any) -> bool:
    """Whether a sample runs several times (`ossia_core.declare.opdef.steps`)."""
    from ossia_core.declare.opdef import Steps

    return isinstance(sample, Steps)


def is_fed(definition: OpDef, sample: Any) -> bool:
    """Whether a sample has inputs that may be fed."""
    return bool(inspect.signature(sample.function).parameters if is_steps(sample) else definition.inputs)


def call_parts(definition: OpDef, sample: Any) -> tuple[list, dict[str, Any]]:
    """The inputs, in order, and the attributes of a sample."""
    from ossia_core.declare.opdef import Sample

    if isinstance(sample, Sample):
        inputs, attrs = list(sample.inputs), dict(sample.attrs)
    else:
        inputs, attrs = list(sample) if isinstance(sample, tuple) else [sample], {}
    for arg in definition.inputs[len(inputs) :]:
        inputs.append(attrs.pop(arg.name))
    return inputs, attrs


class SampleGraph:
    """The graph of one sample, built in the current default graph.

    graph: that graph. op: the operation under test, None for a sample of several steps.
    inputs: the flat list of the input tensors that came from plain values. feeds: placeholder -> value.
    init: operations to run first. state: variables behind reference and resource inputs, read after the run.
    runs: what is fetched, run by run, after `init`. files: the files of the sample's folder, None if it has none.
    restarts: whether `init` makes all state anew, so that a session can run the sample again as the first time.
    """

    def __init__(self, definition: OpDef, sample: Any, flavour: str) -> None:
        import ossia as tf

        self.tf, self.flavour, self.known_inputs = tf, flavour, definition.known_inputs
        self.inputs: list = []
        self.feeds: dict = {}
        self.init: list = []
        self.state: list = []
        self.graph = tf.get_default_graph()
        self.op: Any = None
        self.files: dict[str, str] | None = None
        self.restarts = not is_steps(sample)
        if is_steps(sample):
            if sample.files is not None:
                self.files = {name: base64.b64encode(data).decode() for name, data in sample.files.items()}
            fed = is_fed(definition, sample)
            made = list(sample.function(self.given) if fed else sample.function())
            self.runs = [self.fetches(item) for item in made]
            return
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
        self.op = self.graph.get_operation_by_name("op")
        if flavour == "known":
            self.inputs = [t for t in self.op.inputs if t.op.type == "Const"]
        self.result = result
        self.runs = [self.outputs() or [self.op], *([self.state] if self.state else [])]

    @staticmethod
    def input_dtypes(definition: OpDef, values: list, attrs: dict[str, Any]) -> list[list]:
        """The dtypes that the inputs get when they are plain constants."""
        with old_graph():
            try:
                known = SampleGraph(definition, _rebuilt(values, attrs), "known")
            except (ValueError, TypeError):  # it is to be refused: what the values are by themselves
                return [
                    [dtype_alone(arg, item, attrs) for item in (value if arg.is_list else [value])]
                    for arg, value in zip(definition.inputs, values, strict=True)
                ]
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
            self.restarts = False
            return value()
        if arg.is_ref:
            variable = tf.Variable(
                value, dtype=dtype.base_dtype if dtype is not None else None, use_resource=False, trainable=False
            )
            self.init.append(variable.initializer)
            self.state.append(variable.read_value())
            return variable._ref()
        if arg.type is not None and arg.type.name == "resource":
            variable = tf.Variable(value, use_resource=True, trainable=False)
            self.init.append(variable.initializer)
            self.state.append(variable.read_value())
            return variable.handle
        return value if self.flavour == "known" else self.fed(value, dtype, arg.name in self.known_inputs)

    def given(self, value: Any, dtype: Any = None) -> Any:
        """A value as the tensor that a sample of several steps works with."""
        constant = self.tf.constant(value, dtype)
        if self.flavour == "known":
            self.inputs.append(constant)
            return constant
        return self.fed(value, constant.dtype)

    def fed(self, value: Any, dtype: Any, known: bool = False) -> Any:
        """A value through a placeholder of partly known or unknown shape; of its own shape if it has to be `known`."""
        tf = self.tf
        array = np.asarray(value, object if dtype == tf.string else dtype.as_numpy_dtype)
        if self.flavour == "partial" and (array.ndim == 0 or (dtype.is_integer and array.ndim == 1)):
            tensor = tf.constant(array, dtype)
        else:
            shape: Any = [None, *array.shape[1:]] if self.flavour == "partial" else None
            shape = array.shape if known else shape
            tensor = tf.placeholder(dtype, shape)
            if known:
                tensor.set_shape(array.shape)  # in an old graph the shape of a scalar stands for any
            self.feeds[tensor] = array
        self.inputs.append(tensor)
        return tensor

    def outputs(self) -> list:
        """The outputs that can be fetched."""
        if self.op is None:
            return [item for run in self.runs for item in run if not isinstance(item, self.tf.Operation)]
        return [t for t in self.op.outputs if t.dtype.base_dtype.name not in ("resource", "variant")]

    def fetches(self, item: Any) -> list:
        """What a step yields as a flat list; of handles, the operation that makes them."""
        tf = self.tf
        if isinstance(item, (list, tuple)):
            return [part for entry in item for part in self.fetches(entry)]
        if isinstance(item, tf.Operation):
            return [item]
        tensor = tf.convert_to_tensor(item)
        handle = tensor.dtype.base_dtype.name in ("resource", "variant") or tensor.dtype == tf.string._as_ref
        return [tensor.op if handle else tensor]


def dtype_alone(arg: Any, value: Any, attrs: dict[str, Any]) -> Any:
    """The dtype of an input value, from its argument or attribute if they say it, else from the value itself."""
    import ossia as tf

    if arg.type is not None:
        return arg.type
    return tf.as_dtype(attrs[arg.type_attr]) if arg.type_attr in attrs else tf.constant(value).dtype


def _rebuilt(values: list, attrs: dict[str, Any]) -> Any:
    from ossia_core.declare.opdef import sample

    return sample(*values, **attrs)


@contextlib.contextmanager
def old_graph() -> Iterator[Graph]:
    """A new graph as the default graph, of a version so old that no op type was removed yet."""
    import ossia as tf

    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.GraphDef(versions={"producer": 1}), name="")
        yield graph


@contextlib.contextmanager
def sample_graph(definition: OpDef, sample: Any, flavour: str = "known") -> Iterator[SampleGraph]:
    """The graph of a sample as the default graph, an old one, with a fixed seed."""
    with old_graph() as graph:
        graph.seed = 1234
        yield SampleGraph(definition, sample, flavour)


def transport(definition: OpDef, sample: Any, flavour: str) -> dict[str, Any]:
    """A sample's graph as JSON that any TensorFlow can import and run (see `transport_case`)."""
    try:
        return _transport(definition, sample, flavour)
    except (ValueError, TypeError):
        # What is refused when it is built is sent as it looks with unknown shapes; then the constants are put in.
        with lenient(definition):
            return _transport(definition, sample, "unknown", flavour)


@contextlib.contextmanager
def lenient(definition: OpDef) -> Iterator[None]:
    """Inside, inputs that the op's shape rule refuses make outputs of unknown shape."""
    rule = definition.shape_fn

    def unknown_if_refused(*inputs: Any, **attrs: Any) -> Any:
        try:
            return rule(*inputs, **attrs)  # type: ignore[misc]
        except ValueError:
            return None if len(definition.outputs) < 2 else [None] * len(definition.outputs)

    definition.shape_fn = unknown_if_refused
    try:
        yield
    finally:
        definition.shape_fn = rule


def _transport(definition: OpDef, sample: Any, flavour: str, become: str = "") -> dict[str, Any]:
    from ossia_core.declare import opdef
    from ossia_core.graph.graph import PRODUCER_VERSION

    with sample_graph(definition, sample, flavour) as built:
        proto = built.graph.as_graph_def()
        inputs, feeds = [t.name for t in built.inputs], built.feeds
        if become not in ("", "unknown"):
            feeds = {t: value for t, value in feeds.items() if not settle(proto, t, value, become)}
        removed = [opdef.lookup(node.op).deprecation for node in proto.node if opdef.find(node.op)]
        proto.versions.producer = min((since - 1 for since, _ in filter(None, removed)), default=PRODUCER_VERSION)
        sent = {
            "graph": base64.b64encode(proto.SerializeToString(deterministic=True)).decode(),
            "feeds": {t.name: recording.array_record(value) for t, value in feeds.items()},
            "inputs": inputs,
        }
        if is_steps(sample):
            sent["runs"] = [[item.name for item in run] for run in built.runs]
            if built.files is not None:
                sent["files"] = built.files
            return sent
        return {
            **sent,
            "outputs": [t.name for t in built.outputs()],
            "init": [op.name for op in built.init],
            "state": [t.name for t in built.state],
        }


def settle(proto: Any, tensor: Any, value: np.ndarray, flavour: str) -> bool:
    """Give a placeholder in a GraphDef the shape of a flavour, or make it a constant; whether it became one."""
    import ossia as tf

    node = next(node for node in proto.node if node.name == tensor.op.name)
    constant = flavour == "known" or value.ndim == 0 or (tensor.dtype.is_integer and value.ndim == 1)
    if constant:
        node.op = "Const"
        del node.attr["shape"]
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value, tensor.dtype))
    else:
        node.attr["shape"].shape.CopyFrom(tf.TensorShape([None, *value.shape[1:]]).as_proto())
    return constant


def digest(sent: dict[str, Any]) -> str:
    """Identifies a transported sample, to notice records that are out of date."""
    return hashlib.sha1(json.dumps(sent, sort_keys=True).encode()).hexdigest()[:12]
