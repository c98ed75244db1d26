"""Samples of the ops on stacks and on TensorArrays, of all their versions: what is written is read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps
from ossia_core.names.shapes import TensorShape

_PAIR = np.array([1, 2], np.float32)
_ROWS = np.arange(6, dtype=np.float32).reshape(3, 2)


# -- stacks ---------------------------------------------------------------------------------------------------


class _Stack:
    """A stack in one of the two forms."""

    def __init__(self, by_handle: bool, limit: int = -1) -> None:
        import ossia as tf

        self.raw, self.suffix = tf.raw_ops, "V2" if by_handle else ""
        more = {"max_size": limit} if by_handle else {}
        self.handle = getattr(self.raw, f"Stack{self.suffix}")(elem_type=tf.float32, **more)

    def call(self, name: str, *after: Any, **inputs: Any) -> Any:
        import ossia as tf

        with tf.control_dependencies(after):
            return getattr(self.raw, f"Stack{name}{self.suffix}")(handle=self.handle, **inputs)


def _stacked(by_handle: bool) -> Steps:
    def stacked(given: Any) -> Any:
        import ossia as tf

        stack = _Stack(by_handle)
        first = stack.call("Push", elem=given(_PAIR))
        second = stack.call("Push", first, elem=given(np.float32(3)))
        top = stack.call("Pop", second, elem_type=tf.float32)
        below = stack.call("Pop", top, elem_type=tf.float32)
        yield [first, second, top, below, stack.call("Close", below)]

    return steps(stacked)


def _misused(by_handle: bool, *calls: str, limit: int = -1) -> Steps:
    def misused() -> Any:
        import ossia as tf

        stack = _Stack(by_handle, limit)
        done: list[Any] = []
        for name in calls:
            inputs: dict[str, Any] = {}
            if name == "Push":
                inputs["elem"] = tf.constant(_PAIR)
            elif name == "Pop":
                inputs["elem_type"] = tf.float32
            done.append(stack.call(name, *done[-1:], **inputs))
        yield done

    return steps(misused)


for _by_handle, _suffix in ((False, ""), (True, "V2")):
    lookup(f"StackPop{_suffix}").samples(
        both=_stacked(_by_handle),
        refused_empty=_misused(_by_handle, "Pop"),
        refused_emptied=_misused(_by_handle, "Push", "Pop", "Pop"),
    )
    lookup(f"StackPush{_suffix}").samples(refused_closed=_misused(_by_handle, "Close", "Push", "Pop"))
    lookup(f"StackClose{_suffix}").samples(refused_pop=_misused(_by_handle, "Push", "Close", "Pop"))
lookup("StackV2").samples(
    full=_misused(True, "Push", "Push", "Pop", limit=2),
    refused_overflow=_misused(True, "Push", "Push", "Push", "Pop", limit=2),
)


# -- arrays ---------------------------------------------------------------------------------------------------


class _Array:
    """A TensorArray of one version, and the ops on it by name: `Write(...)` goes on with the flow it returns."""

    def __init__(self, version: str, size: Any = 3, dtype: str = "float", **options: Any) -> None:
        import ossia as tf

        self.raw, self.version, self.dtype = tf.raw_ops, version, dtype
        made = getattr(self.raw, f"TensorArray{version}")(size=size, dtype=dtype, **options)
        self.handle: Any
        self.flow: Any
        self.handle, self.flow = made if version == "V3" else (made, tf.constant(0.0))

    def on(self, handle: Any, flow: Any) -> _Array:
        other = _Array.__new__(_Array)
        other.raw, other.version, other.dtype, other.handle, other.flow = (
            self.raw,
            self.version,
            self.dtype,
            handle,
            flow,
        )
        return other

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def build(**inputs: Any) -> Any:
            if name in ("Read", "Gather", "Concat", "Pack"):
                inputs.setdefault("dtype", self.dtype)
            version = "" if name in ("Pack", "Unpack") else self.version
            if name != "Close":
                inputs["flow_in"] = self.flow
            result = getattr(self.raw, f"TensorArray{name}{version}")(handle=self.handle, **inputs)
            if name in ("Write", "Scatter", "Split", "Unpack"):
                self.flow = result
            return result

        return build


def _written(version: str, **options: Any) -> Steps:
    def written(given: Any) -> Any:
        array = _Array(version, given(np.int32(3)), **options)
        for index, value in ((2, _PAIR), (0, -_PAIR), (1, 3 * _PAIR)):
            array.Write(index=given(np.int32(index)), value=given(value))
        yield [array.Size(), array.Read(index=given(np.int32(2))), array.Read(index=given(np.int32(0)))]

    return steps(written)


def _scattered(version: str) -> Steps:
    def scattered(given: Any) -> Any:
        array = _Array(version)
        array.Scatter(indices=given(np.array([2, 0, 1], np.int32)), value=given(_ROWS))
        yield [array.Gather(indices=given(np.array([0, 2], np.int32))), array.Size()]

    return steps(scattered)


def _packed(given: Any) -> Any:
    array = _Array("")
    array.Unpack(value=given(_ROWS))
    yield [array.Pack(), array.Size()]


def _split(version: str) -> Steps:
    def split(given: Any) -> Any:
        array = _Array(version)
        array.Split(value=given(_ROWS), lengths=given(np.array([1, 0, 2])))
        yield array.Concat()

    return steps(split)


def _differentiated(version: str) -> Steps:
    """The array of gradients, which sums up what is written into it."""

    def differentiated(given: Any) -> Any:
        array = _Array(version)
        array.Scatter(indices=given(np.array([0, 1, 2], np.int32)), value=given(_ROWS))
        made = getattr(array.raw, f"TensorArrayGrad{version}")(handle=array.handle, flow_in=array.flow, source="grads")
        grads = array.on(*made) if version == "V3" else array.on(made, array.flow)
        grads.Write(index=given(np.int32(1)), value=given(_PAIR))
        grads.Write(index=given(np.int32(1)), value=given(10 * _PAIR))
        yield grads.Read(index=given(np.int32(1)))

    return steps(differentiated)


def _does(version: str, *calls: tuple[str, dict[str, Any]], fetch: Any = None, **options: Any) -> Steps:
    """Writes, reads and the like in turn; what the last of them returns is fetched."""

    def does() -> Any:
        import ossia as tf

        array = _Array(version, **options)
        result: Any = array.flow
        for name, inputs in calls:
            with tf.control_dependencies([part.op if hasattr(part, "op") else part for part in _parts(result)]):
                result = getattr(array, name)(**inputs)
        yield result

    return steps(does)


def _parts(result: Any) -> list:
    return list(result) if isinstance(result, tuple) else [result]


def _write(index: Any = 0, value: Any = _PAIR) -> tuple[str, dict[str, Any]]:
    return "Write", {"index": np.array(index, np.int32), "value": value}


def _read(index: Any = 0, **more: Any) -> tuple[str, dict[str, Any]]:
    return "Read", {"index": np.array(index, np.int32), **more}


def _scatter(indices: Any, value: Any) -> tuple[str, dict[str, Any]]:
    return "Scatter", {"indices": np.array(indices, np.int32), "value": value}


def _gather(indices: Any, **more: Any) -> tuple[str, dict[str, Any]]:
    return "Gather", {"indices": np.array(indices, np.int32), **more}


def _cut(value: Any, lengths: Any) -> tuple[str, dict[str, Any]]:
    return "Split", {"value": value, "lengths": np.array(lengths, np.int64)}


_SHAPED = {"element_shape": TensorShape([2])}
for _version in ("", "V2", "V3"):
    _do = lambda *calls, version=_version, **options: _does(version, *calls, **options)
    lookup(f"TensorArrayRead{_version}").samples(
        written=_written(_version),
        shaped=_written(_version, **_SHAPED),
        kept=_written(_version, clear_after_read=False),
        refused_unwritten=_do(_write(), _read(1)),
        # Of the second version two equal reads are one to the original.
        **({} if _version == "V2" else {"refused_twice": _do(_write(), _read(), _read())}),
        refused_index=_do(_write(), _read(3)),
        refused_negative=_do(_write(), _read(-1)),
        refused_dtype=_do(_write(), _read(dtype="int32")),
        refused_vector=_do(_write(), _read([0])),
        zero_element=_do(_read(1), **_SHAPED),
    )
    lookup(f"TensorArrayWrite{_version}").samples(
        grows=_do(_write(7), _read(7), dynamic_size=True),
        other_shape=_do(_write(), _write(1, _ROWS), _read(1)),
        refused_index=_do(_write(3)),
        refused_negative=_do(_write(-1), dynamic_size=True),
        refused_twice=_do(_write(), _write()),
        refused_dtype=_do(_write(0, np.int32(1))),
        refused_shape=_do(_write(0, _ROWS), **_SHAPED),
        refused_after_read=_do(_write(), _read(), _write()),
        refused_vector=_do(_write([0])),
    )
    lookup(f"TensorArrayScatter{_version}").samples(
        all=_scattered(_version),
        none=_do(_scatter([], _ROWS[:0]), ("Size", {})),
        refused_index=_do(_scatter([0, 5], _ROWS[:2])),
        refused_count=_do(_scatter([0, 1], _ROWS)),
        refused_scalar=_do(_scatter([0], np.float32(1))),
        refused_matrix=_do(_scatter([[0, 1]], _ROWS[:2])),
        refused_repeated=_do(_scatter([0, 0], _ROWS[:2])),
        refused_dtype=_do(_scatter([0], np.array([1]))),
    )
    lookup(f"TensorArrayGather{_version}").samples(
        none=_do(_scatter([0, 1, 2], _ROWS), _gather([], **_SHAPED)),
        refused_no_shape=_do(_scatter([0, 1, 2], _ROWS), _gather([]), **_SHAPED),
        refused_none=_do(_scatter([0, 1, 2], _ROWS), _gather([])),
        refused_index=_do(_scatter([0, 1, 2], _ROWS), _gather([0, 3])),
        refused_unwritten=_do(_scatter([0, 1], _ROWS[:2]), _gather([0, 2])),
        refused_unlike=_do(_write(), _write(1, _ROWS), _gather([0, 1])),
        refused_shape=_do(_scatter([0, 1, 2], _ROWS), _gather([0], element_shape=TensorShape([3]))),
        refused_dtype=_do(_scatter([0, 1, 2], _ROWS), _gather([0], dtype="int32")),
    )
    lookup(f"TensorArrayConcat{_version}").samples(
        split=_split(_version),
        unwritten=_do(_cut(_ROWS, [3, 0, 0]), ("Concat", {})),
        refused_scalar=_do(_write(0, np.float32(1)), ("Concat", {}), size=1),
        refused_unlike=_do(_write(0, _ROWS), _write(1, np.ones((1, 3), np.float32)), ("Concat", {}), size=2),
        refused_unwritten=_do(_write(0, _ROWS), ("Concat", {}), size=2),
        refused_dtype=_do(_write(0, _ROWS), ("Concat", {"dtype": "int32"}), size=1),
    )
    lookup(f"TensorArraySplit{_version}").samples(
        refused_sum=_do(_cut(_ROWS, [1, 1, 2])),
        refused_count=_do(_cut(_ROWS, [1, 2])),
        refused_negative=_do(_cut(_ROWS, [-1, 2, 2])),
        refused_scalar=_do(_cut(np.float32(1), [1, 0, 0])),
        refused_matrix=_do(_cut(_ROWS, [[1, 1, 1]])),
        refused_shape=_do(_cut(np.ones((3, 3), np.float32), [1, 1, 1]), element_shape=TensorShape([1, 2])),
    )
    lookup(f"TensorArrayGrad{_version}").samples(sum=_differentiated(_version))
    lookup(f"TensorArrayClose{_version}").samples(
        refused_write=_do(_write(), ("Close", {}), _write(1)), twice=_do(_write(), ("Close", {}))
    )
    lookup(f"TensorArraySize{_version}").samples(
        none=_do(("Size", {}), size=0),
        grown=_do(_write(4), ("Size", {}), dynamic_size=True),
        refused_negative=_do(("Size", {}), size=-1),
    )
    lookup(f"TensorArray{_version}").samples(refused_vector=_do(("Size", {}), size=[1, 2]))
lookup("TensorArrayPack").samples(
    unpacked=steps(_packed),
    refused_unwritten=_does("", _write(), ("Pack", {})),
    refused_unlike=_does("", _write(), _write(1, _ROWS), ("Pack", {}), size=2),
)
lookup("TensorArrayUnpack").samples(
    refused_count=_does("", ("Unpack", {"value": _ROWS[:2]})),
    refused_scalar=_does("", ("Unpack", {"value": np.float32(1)})),
    refused_dtype=_does("", ("Unpack", {"value": np.array([1, 2, 3])})),
)


def _with_shape(prepended: Any) -> Steps:
    def with_shape(given: Any) -> Any:
        import ossia as tf

        array = _Array("V3", element_shape=TensorShape([2]))
        array.Write(index=np.int32(0), value=given(_PAIR))
        grads = array.on(
            *tf.raw_ops.TensorArrayGradWithShape(
                handle=array.handle,
                flow_in=array.flow,
                shape_to_prepend=given(np.array(prepended, np.int32)),
                source="grads",
            )
        )
        grads.Write(index=np.int32(0), value=given(np.ones((4, 2), np.float32)))
        yield [grads.Read(index=np.int32(0)), grads.Size()]

    return steps(with_shape)


lookup("TensorArrayGradWithShape").samples(batch=_with_shape([4]), refused_other=_with_shape([3]))
for _version in ("", "V2", "V3"):
    lookup(f"TensorArray{_version}").samples(written=lookup(f"TensorArrayRead{_version}").sample_table["written"])
lookup("Stack").samples(both=lookup("StackPop").sample_table["both"])
