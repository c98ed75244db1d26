"""The ops that TensorFlow 1.15 registers for its own tests, in every process: tests of programs build graphs of them.

Most have a signature and nothing else: they are built, imported and exported, and a run refuses them, as the original's
does.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import scalar, with_rank
from ossia_core.names import errors
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_core.names.version import GRAPH_DEF_VERSION
from ossia_core.primitives.state import resource_name

_SIGNATURES: tuple[tuple[str, dict[str, str]], ...] = (
    ("A() -> out: float", {}),
    ("Attr()", {"a": "int"}),
    ("AttrBool()", {"a": "bool"}),
    ("AttrBoolList()", {"a": "list(bool)"}),
    ("AttrDefault()", {"a": "string = 'banana'"}),
    ("AttrEmptyListDefault()", {"a": "list(float) = []"}),
    ("AttrEnum()", {"a": "{'apples', 'oranges'}"}),
    ("AttrEnumList()", {"a": "list({'apples', 'oranges'})"}),
    ("AttrFloat()", {"a": "float"}),
    ("AttrListDefault()", {"a": "list(int) = [5, 15]"}),
    ("AttrListMin()", {"a": "list(int) >= 2"}),
    ("AttrListTypeDefault(a: N * T, b: N * T)", {"T": "type = DT_INT32", "N": "int >= 1"}),
    ("AttrMin()", {"a": "int >= 5"}),
    ("AttrPartialShape()", {"a": "shape"}),
    ("AttrPartialShapeList()", {"a": "list(shape)"}),
    ("AttrShape()", {"a": "shape"}),
    ("AttrShapeList()", {"a": "list(shape)"}),
    ("AttrTypeDefault(a: T)", {"T": "type = DT_INT32"}),
    ("B() -> out: float", {}),
    ("Binary(a: T, b: T) -> out: T", {"T": "type"}),
    ("ComplexStruct() -> a: n_a * int32, b: n_b * int64, c: t_c",
     {"n_a": "int >= 0", "n_b": "int >= 0", "t_c": "list(type) >= 0"}),
    ("CopyOp(a: T) -> b: T", {"T": "type"}),
    ("FiveFloatOutputs() -> a: float, b: float, c: float, d: float, e: float", {}),
    ("FloatInput(a: float)", {}),
    ("FloatOutput() -> a: float", {}),
    ("FloatOutputStringOutput() -> a: float, b: string", {}),
    ("Foo1(a: float, b: int32, c: int32) -> d: float, e: int32", {}),
    ("Foo2(a: float, b: string, c: string) -> d: float, e: int32", {}),
    ("Foo3(a: float, b: string, c: float) -> d: float, e: int32", {}),
    ("FuncAttr()", {"f": "func"}),
    ("FuncListAttr()", {"f": "list(func)"}),
    ("InPolymorphicTwice(a: N * T, b: M * T)", {"T": "type", "N": "int >= 0", "M": "int >= 0"}),
    ("Int64Output() -> out: int64", {}),
    ("IntAttr() -> out: int64", {"foo": "int = 1"}),
    ("IntInput(a: int32)", {}),
    ("IntInputFloatInput(a: int32, b: float)", {}),
    ("IntInputIntOutput(a: int32) -> b: int32", {}),
    ("IntOutput() -> a: int32", {}),
    ("IntOutputFloatOutput() -> a: int32, b: float", {}),
    ("ListInput(a: N * T)", {"N": "int >= 1", "T": "type"}),
    ("ListOutput() -> a: T", {"T": "list(type) >= 1"}),
    ("MixedStruct() -> a: n_a * int32, b: float", {"n_a": "int >= 0"}),
    ("NInPolymorphicTwice(a: N * T, b: N * T)", {"T": "type", "N": "int >= 0"}),
    ("NInTwice(a: N * int32, b: N * string)", {"N": "int >= 0"}),
    ("NInTwoTypeVariables(a: N * S, b: N * T)", {"S": "type", "T": "type", "N": "int >= 0"}),
    ("NIntsIn(a: N * int32)", {"N": "int >= 2"}),
    ("NIntsOut() -> a: N * int32", {"N": "int >= 2"}),
    ("NIntsOutDefault() -> a: N * int32", {"N": "int >= 2 = 3"}),
    ("NPolymorphicIn(a: N * T)", {"T": "type", "N": "int >= 2"}),
    ("NPolymorphicOut() -> a: N * T", {"T": "type", "N": "int >= 2"}),
    ("NPolymorphicOutDefault() -> a: N * T", {"T": "type = DT_BOOL", "N": "int >= 2 = 2"}),
    ("NPolymorphicRestrictIn(a: N * T)", {"T": "{string, bool}", "N": "int >= 2"}),
    ("NPolymorphicRestrictOut() -> a: N * T", {"T": "{string, bool}", "N": "int >= 2"}),
    ("None()", {}),
    ("OpWithDefaultAttr() -> a: int32", {"default_float": "float = 123.0"}),
    ("OpWithFutureDefaultAttr()", {}),
    ("OutT() -> a: T", {"T": "type"}),
    ("OutTypeList() -> out: T", {"T": "list(type) >= 0"}),
    ("OutTypeListRestrict() -> out: t", {"t": "list({string, bool}) >= 1"}),
    ("Polymorphic(a: T) -> out: T", {"T": "type"}),
    ("PolymorphicDefaultOut() -> out: T", {"T": "type = DT_STRING"}),
    ("PolymorphicOut() -> out: T", {"T": "type"}),
    ("RefIn(a: Ref(T))", {"T": "type"}),
    ("RefInputFloatInput(a: Ref(float), b: float)", {}),
    ("RefInputFloatInputIntOutput(a: Ref(float), b: float) -> c: int32", {}),
    ("RefInputIntInput(a: Ref(int32), b: int32)", {}),
    ("RefOut() -> a: Ref(T)", {"T": "type"}),
    ("RefOutput() -> a: Ref(int32)", {}),
    ("RefOutputFloatOutput() -> a: Ref(float), b: float", {}),
    ("ReservedAttr()", {"range": "int"}),
    ("ReservedInput(input: int32)", {}),
    ("Restrict(a: T) -> out: T", {"T": "{string, bool}"}),
    ("Simple(a: int32) -> out: float", {}),
    ("SimpleStruct() -> a: n_a * int32", {"n_a": "int >= 0"}),
    ("StringListAttr()", {"a": "list(string)", "b": "string"}),
    ("TestStringOutput(input: float) -> output1: float, output2: string", {}),
    ("TwoFloatInputs(a: float, b: float)", {}),
    ("TwoFloatInputsFloatOutput(a: float, b: float) -> c: float", {}),
    ("TwoFloatInputsIntOutput(a: float, b: float) -> c: int32", {}),
    ("TwoFloatOutputs() -> a: float, b: float", {}),
    ("TwoIntInputs(a: int32, b: int32)", {}),
    ("TwoIntOutputs() -> a: int32, b: int32", {}),
    ("TwoRefsIn(a: Ref(T), b: Ref(T))", {"T": "type"}),
    ("TypeList(a: T)", {"T": "list(type) >= 0"}),
    ("TypeListRestrict(a: T)", {"T": "list({string, bool}) >= 1"}),
    ("TypeListTwice(a: T, b: T)", {"T": "list(type) >= 0"}),
    ("Unary(a: T) -> b: T", {"T": "type"}),
    (
        "DefaultAttrs()",
        {
            "string_val": "string = 'abc'", "string_list_val": "list(string) = ['abc', '']",
            "int_val": "int = 123", "int_list_val": "list(int) = [1, 2, 3]",
            "float_val": "float = 10.0", "float_list_val": "list(float) = [10.0]",
            "bool_val": "bool = true", "bool_list_val": "list(bool) = [true, false]",
            "type_val": "type = DT_INT32", "type_list_val": "list(type) = [DT_INT32, DT_FLOAT]",
            "shape_val": "shape = [2,1]", "shape_list_val": "list(shape) = [[], [1]]",
            "tensor_val": "tensor = { dtype: DT_INT32 tensor_shape { } int_val: 1 }",
            "tensor_list_val": "list(tensor) = [{ dtype: DT_INT32 tensor_shape { } int_val: 1 }]",
        },
    ),
)


def _unknown(*inputs: Any, node: Any) -> Any:
    """Unknown shapes for all outputs."""
    outputs = node.definition.outputs
    if len(outputs) == 1 and not outputs[0].is_list:
        return UNKNOWN_SHAPE
    shapes = [[UNKNOWN_SHAPE] * _width(arg, node.attrs) if arg.is_list else UNKNOWN_SHAPE for arg in outputs]
    return shapes[0] if len(outputs) == 1 else shapes


def _width(arg: Any, attrs: dict[str, Any]) -> int:
    return int(attrs[arg.number_attr]) if arg.number_attr is not None else len(attrs[arg.type_list_attr])


for _signature, _attrs in _SIGNATURES:
    _definition = op(_signature, **_attrs)
    _definition.shape(_unknown)
    _references = re.findall(r"(\w+): Ref\(", _signature.split("->")[0])
    if _references:
        _definition.reads(*_references)

old_op = op("Old()")
old_op.shape(_unknown)
old_op.kernel(lambda: ())
old_op.removed(8, "For reasons")

requires_older_graph_version_op = op("RequiresOlderGraphVersion() -> version: int32", stateful=True)


@requires_older_graph_version_op.shape
def _(*, node):
    if node.graph.graph_def_versions.producer != GRAPH_DEF_VERSION - 1:
        raise ValueError("Wrong graph version for shape")
    return scalar()


graph_def_version_op = op("GraphDefVersion() -> version: int32", stateful=True)
graph_def_version_op.shape(scalar)


@graph_def_version_op.kernel_for
def _(node):
    version = np.int32(node.graph.graph_def_versions.producer)
    return lambda: version


test_attr_op = op("TestAttr() -> out: T", T="{float, double}")
test_attr_op.shape(_unknown)


@test_attr_op.kernel
def _(*, T):
    return T.as_numpy_dtype(1)


device_placement_op = op("DevicePlacementOp() -> device: string", stateful=True)
device_placement_op.shape(scalar)


@device_placement_op.kernel_for
def _(node, *, session):
    device = np.array(f"{session.device}/device:CPU:0".encode(), object)
    return lambda: device


# -- kernels that are chosen by label -----------------------------------------------------------------

kernel_label_op = op("KernelLabel() -> result: string")
kernel_label_op.shape(scalar)

kernel_label_required_op = op("KernelLabelRequired(input: int32) -> result: string")


@kernel_label_required_op.shape
def _(input):
    with_rank(input, 1)
    return scalar()


def _labelled(definition: OpDef, unlabelled: str | None) -> None:
    """Give an op kernels that say which one was chosen.

    Args:
      definition: The op.
      unlabelled: What the kernel without a label is called; None if there is none.
    """
    names = {b"": unlabelled, b"overload_1": "overload_1", b"overload_2": "overload_2"}

    @definition.kernel_for
    def _(node):
        name = names.get(node.attrs.get("_kernel", b""))
        if name is None:
            return None
        text = np.array(f"My label is: {name}".encode(), object)
        return lambda *inputs: text


_labelled(kernel_label_op, "default")
_labelled(kernel_label_required_op, None)


# -- resources that are made by a node of their own ------------------------------------------------------


class _Stub:
    """The handle of a resource: where it is, and whether it has been made."""

    def __init__(self, container: str, name: str) -> None:
        self.container, self.name, self.is_made = container, name, False


stub_resource_handle_op = op(
    "StubResourceHandleOp() -> resource: resource", stateful=True, container="string = ''", shared_name="string = ''"
)
stub_resource_handle_op.shape(scalar)


@stub_resource_handle_op.resource
def _(node, session):
    container, name = node.attrs["container"].decode() or "localhost", resource_name(node)
    return session.resource(container, name, "stub", lambda: _Stub(container, name))


resource_initialized_op = op("ResourceInitializedOp(resource: resource) -> initialized: bool", stateful=True)
resource_initialized_op.reads("resource")
resource_initialized_op.shape(scalar)


@resource_initialized_op.kernel
def _(resource):
    return np.bool_(resource.is_made)


resource_create_op = op("ResourceCreateOp(resource: resource)", stateful=True)
resource_create_op.changes("resource")
resource_create_op.shape(_unknown)


@resource_create_op.kernel
def _(resource):
    if resource.is_made:
        where = f"{resource.container}/{resource.name}"
        raise errors.AlreadyExistsError(None, None, f"Resource {where}/N10tensorflow12StubResourceE")
    resource.is_made = True


resource_using_op = op("ResourceUsingOp(resource: resource)", stateful=True)
resource_using_op.reads("resource")
resource_using_op.shape(_unknown)


@resource_using_op.kernel
def _(resource):
    if not resource.is_made:
        raise errors.NotFoundError(None, None, f"Could not find resource: {resource.container}/{resource.name}")
