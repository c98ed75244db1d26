"""What declarations say of what ops do, and what plans make of it: whatever the ops are called."""
import numpy as np
import pytest

import ossia as tf
from ossia_core.declare import language, opdef
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar, unchanged


def declared(signature, *facets, **attrs):
    """An op with a kernel that adds one to what it gets, in place if that is a variable."""
    definition = op(signature, T="type", **attrs)
    for facet, *inputs in facets:
        getattr(definition, facet)(*inputs)
    definition.shape(unchanged)

    @definition.kernel(alias=True)
    def kernel(x):
        if isinstance(x, np.ndarray | np.generic):
            return x + x.dtype.type(1)
        x.value += 1
        return x

    return definition


UPDATES = [
    declared(f"{name}(ref: Ref(T)) -> out: Ref(T)", ("updates", "ref")) for name in ("ApplyBump", "BumpStep", "Bump")
]
IN_ORDER = declared("ApplyInOrder(ref: Ref(T)) -> out: Ref(T)", ("changes", "ref"))
PURE = declared("ReadNothing(x: T) -> y: T")
DRAWN = declared("PureName(x: T) -> y: T", ("draws",))
CHECK = declared("NotACheck(x: T) -> y: T", ("checks",))
PASSED = declared("PassedOn(x: T) -> y: T", ("forwards",))

sizes_op = op("CountOfElements(x: T) -> count: int32", T="type")
sizes_op.needs_shape()
sizes_op.shape(scalar)


@sizes_op.kernel
def sizes(x):
    return np.int32(np.size(x))


@pytest.mark.parametrize("update", UPDATES, ids=lambda definition: definition.type)
def test_updates_come_behind_reads_whatever_their_names(update):
    variable = tf.Variable(5.0)
    bumped = update(variable._ref())
    doubled = variable * 2.0  # made later, and reads what was there before
    with tf.Session() as session:
        session.run(variable.initializer)
        assert session.run([bumped, doubled]) == [6, 10]
        assert session.run(variable) == 6


def test_changes_come_in_the_order_of_creation():
    variable = tf.Variable(5.0)
    changed = IN_ORDER(variable._ref())
    doubled = variable * 2.0
    with tf.Session() as session:
        session.run(variable.initializer)
        assert session.run([changed, doubled]) == [6, 12]


@pytest.mark.parametrize(
    ("definition", "foldable", "droppable", "effect"),
    [
        (PURE, True, True, False),
        (DRAWN, False, False, False),
        (CHECK, True, False, False),
        (UPDATES[0], False, False, False),
    ],
    ids=lambda value: getattr(value, "type", None),
)
def test_conclusions(definition, foldable, droppable, effect):
    assert (definition.foldable, definition.droppable, definition.has_effect) == (foldable, droppable, effect)


def test_what_is_handed_on_has_no_step():
    x = tf.placeholder(tf.float32, [2])
    with tf.Session() as session:
        # Without a step, the kernel, which would add one, does not run.
        assert session.run(PASSED(x) * 2.0, {x: [1.0, 2.0]}).tolist() == [2, 4]


def test_what_needs_only_shapes_does_not_run_what_it_counts():
    broken = tf.Variable([1.0, 2.0])  # not initialised
    with tf.Session() as session:
        assert session.run(sizes_op(broken)) == 2


def test_a_check_is_not_dropped():
    x = tf.placeholder(tf.float32, [2])
    with tf.control_dependencies([CHECK(tf.raw_ops.CheckNumerics(tensor=x, message="no"))]):
        y = tf.constant(1.0) + x
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="no : Tensor had NaN"):
        session.run(y, {x: [np.nan, 0.0]})


@pytest.mark.parametrize("handle", ["Ref(float)", "resource"])
def test_an_op_says_what_it_does_with_a_variable_or_a_handle(handle):
    definition = op(f"Silent{len(handle)}(state: {handle}, x: float)")
    with pytest.raises(ValueError, match=f"op {definition.type} takes a (variable|handle) as 'state' and does not say"):
        _ = definition.inputs
    definition.reads("state")
    assert [arg.name for arg in definition.inputs] == ["state", "x"]


def test_a_facet_names_an_input():
    definition = op("Misnamed(state: resource)")
    definition.updates("stat")
    with pytest.raises(ValueError, match="op Misnamed has no input 'stat'"):
        _ = definition.inputs


def test_primitives_have_roles():
    assert {kind: opdef.lookup(kind).role for kind in language.ROLES} == language.ROLES


def test_facets_may_come_in_any_order():
    first = declared("OneOrder(ref: Ref(T)) -> out: Ref(T)", ("reads", "ref"), ("checks",), ("makes",))
    second = declared("OtherOrder(ref: Ref(T)) -> out: Ref(T)", ("makes",), ("checks",), ("reads", "ref"))
    for name in ("foldable", "only_reads", "has_effect", "droppable", "repeatable"):
        assert getattr(first, name) == getattr(second, name)
