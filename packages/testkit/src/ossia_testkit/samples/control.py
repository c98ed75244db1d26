"""Samples of the ops of control flow: loops and branches of their primitives, locks, handles of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, sample, steps

_X = np.array([1, -2], np.float32)
_COUNTS = np.array([1, -2], np.int64)  # not differentiable: the loop's structure is not known


def _raw(name: str, **inputs: Any) -> Any:
    import ossia as tf

    return getattr(tf.raw_ops, name)(**inputs)


def _story(build: Callable[..., Any]) -> Steps:
    """One run of what `build` makes of inputs to be fed."""
    return steps(lambda given: iter([build(given)]))


# -- branches -------------------------------------------------------------------------------------------------


def _branched(pred: Any) -> Any:
    def branched(given: Any) -> Any:
        import ossia as tf

        no, yes = _raw("Switch", data=given(_X), pred=given(np.array(pred)))
        merged = _raw("Merge", inputs=[tf.negative(no), yes * yes])
        return list(merged)

    return _story(branched)


def _one_side(pred: Any, side: int) -> Steps:
    return _story(lambda given: _raw("Switch", data=given(_X), pred=given(np.array(pred)))[side])


def _dead_merge(given: Any) -> Any:
    no, _ = _raw("Switch", data=given(_X), pred=given(np.array(True)))
    return list(_raw("Merge", inputs=[no]))


lookup("Switch").samples(
    yes=_one_side(True, 1),
    no=_one_side(False, 0),
    refused_dead=_one_side(True, 0),
    refused_vector=_one_side([True, False], 0),
)
lookup("Merge").samples(
    yes=_branched(True),
    no=_branched(False),
    refused_dead=_story(_dead_merge),
    one=([_X],),
    shapes=_story(
        lambda given: list(
            _raw(
                "Merge",
                inputs=[
                    _raw("Switch", data=given(np.ones((2, 3), np.float32)), pred=given(np.array(True)))[1],
                    _raw("Switch", data=given(np.ones((2, 4), np.float32)), pred=given(np.array(True)))[0],
                ],
            )
        )
    ),
)


def _ref(value: Any = _X) -> Any:
    import ossia as tf

    variable = tf.raw_ops.VariableV2(shape=np.shape(value), dtype=np.asarray(value).dtype)
    return variable, tf.raw_ops.Assign(ref=variable, value=tf.constant(value)).op


def _ref_branched(pred: bool) -> Steps:
    def branched() -> Any:
        import ossia as tf

        variable, initial = _ref()
        yield initial
        no, yes = _raw("RefSwitch", data=variable, pred=tf.constant(pred))
        merged, index = _raw("RefMerge", inputs=[tf.raw_ops.AssignAdd(ref=no, value=tf.constant(_X)), yes])
        yield [merged, index]
        yield tf.identity(variable)

    return steps(branched)


def _ref_selected(index: Any) -> Steps:
    def selected() -> Any:
        import ossia as tf

        (one, first), (two, second) = _ref(), _ref(-_X)
        yield [first, second]
        chosen = _raw("RefSelect", index=tf.constant(index), inputs=[one, two])
        yield tf.raw_ops.AssignAdd(ref=chosen, value=tf.constant(_X))
        yield [tf.identity(one), tf.identity(two)]

    return steps(selected)


lookup("RefSwitch").samples(yes=_ref_branched(True), no=_ref_branched(False))
lookup("RefMerge").samples(yes=lookup("RefSwitch").sample_table["yes"])
lookup("RefSelect").samples(
    first=_ref_selected(0), second=_ref_selected(1), refused_index=_ref_selected(2), refused_negative=_ref_selected(-1)
)
lookup("RefIdentity").samples(plain=(_X,))


# -- loops ----------------------------------------------------------------------------------------------------


def _looped(limit: int) -> Steps:
    """Squares while a counter is below a limit."""

    def looped(given: Any) -> Any:
        import ossia as tf

        frame = {"frame_name": "frame"}
        # A hostile counter or limit would keep the loop going for as long as it liked.
        count = _raw("Enter", data=tf.constant(0), **frame)
        value = _raw("Enter", data=given(_COUNTS), **frame)
        bound = _raw("Enter", data=tf.constant(limit), is_constant=True, **frame)
        count_merge, value_merge = _raw("Merge", inputs=[count, count]), _raw("Merge", inputs=[value, value])
        more = _raw("LoopCond", input=tf.less(count_merge[0], bound))
        count_out, count_in = _raw("Switch", data=count_merge[0], pred=more)
        value_out, value_in = _raw("Switch", data=value_merge[0], pred=more)
        with tf.control_dependencies([count_in]):
            one = tf.constant(1)
        count_merge[0].op._update_input(1, _raw("NextIteration", data=count_in + one))
        value_merge[0].op._update_input(1, _raw("NextIteration", data=value_in * value_in))
        return [_raw("Exit", data=count_out), _raw("Exit", data=value_out)]

    return _story(looped)


def _ref_next() -> Any:
    import ossia as tf

    # Its shape is unknown, as that of what comes around a loop is once the graph is imported.
    variable = tf.raw_ops.VariableV2(shape=tf.TensorShape(None), dtype=tf.int32)
    yield tf.raw_ops.Assign(ref=variable, value=tf.constant(0)).op
    entered = _raw("RefEnter", data=variable, frame_name="frame")
    merged, _ = _raw("RefMerge", inputs=[entered, entered])
    more = _raw("LoopCond", input=tf.less(merged, _raw("Enter", data=3, frame_name="frame", is_constant=True)))
    done, again = _raw("RefSwitch", data=merged, pred=more)
    with tf.control_dependencies([again]):
        one = tf.constant(1)
    merged.op._update_input(1, _raw("RefNextIteration", data=tf.raw_ops.AssignAdd(ref=again, value=one)))
    yield _raw("RefExit", data=done)
    yield tf.identity(variable)


lookup("Enter").samples(three=_looped(3), none=_looped(0))
for _name in ("Exit", "NextIteration", "LoopCond"):
    lookup(_name).samples(three=lookup("Enter").sample_table["three"])
lookup("RefEnter").samples(loop=steps(_ref_next))
for _name in ("RefExit", "RefNextIteration"):
    lookup(_name).samples(loop=lookup("RefEnter").sample_table["loop"])
lookup("LoopCond").samples(alone=(np.array(True),))


# -- order ----------------------------------------------------------------------------------------------------


def _ordered(given: Any) -> Any:
    import ossia as tf

    first = tf.identity(given(_X))
    with tf.control_dependencies([first]):
        nothing, trigger = _raw("NoOp"), _raw("ControlTrigger")
    with tf.control_dependencies([nothing, trigger]):
        yield tf.identity(first)
    yield [nothing, trigger]


lookup("NoOp").samples(ordered=steps(_ordered))
lookup("ControlTrigger").samples(ordered=lookup("NoOp").sample_table["ordered"])


def _locked() -> Any:
    import ossia as tf

    mutex = _raw("MutexV2", shared_name="lock")
    for _ in range(2):
        lock = _raw("MutexLock", mutex=mutex)
        with tf.control_dependencies([lock]):
            inside = tf.constant(1.0)
        with tf.control_dependencies([inside]):
            yield [_raw("ConsumeMutexLock", mutex_lock=lock), inside]


lookup("MutexLock").samples(twice=steps(_locked), refused_kind=(_X,))
for _name in ("MutexV2", "ConsumeMutexLock"):
    lookup(_name).samples(twice=lookup("MutexLock").sample_table["twice"])


# -- values that a session keeps ------------------------------------------------------------------------------

lookup("GetSessionHandle").samples(kept=steps(lambda given: iter([_raw("GetSessionHandle", value=given(_X)).op])))
lookup("GetSessionHandleV2").samples(kept=steps(lambda given: iter([_raw("GetSessionHandleV2", value=given(_X)).op])))
for _name, _more in (("GetSessionTensor", {"dtype": "float"}), ("DeleteSessionTensor", {})):
    lookup(_name).samples(
        refused_unknown=sample(np.array(b"no such handle", object), **_more),
        refused_vector=sample(np.array([b"a", b"b"], object), **_more),
        refused_empty=sample(np.array(b"", object), **_more),
    )


# -- what is fed ----------------------------------------------------------------------------------------------


def _unfed(**attrs: Any) -> Steps:
    return steps(lambda: iter([_raw("Placeholder", **attrs)]))


lookup("Placeholder").samples(
    fed=steps(lambda given: iter([lookup("Identity")(given(_X))])),
    refused_unfed=_unfed(dtype="float"),
    refused_shape=_unfed(dtype="float", shape=[2]),
)
lookup("PlaceholderV2").samples(refused_unfed=steps(lambda: iter([_raw("PlaceholderV2", dtype="float", shape=[2])])))
lookup("Snapshot").samples(plain=(_X,), empty=(np.zeros((0, 2), np.int64),))
