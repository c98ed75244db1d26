"""Samples of the ops that stage values: each puts some and takes them again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps

_NAME = {"shared_name": "area"}


def _staged(given: Any) -> Any:
    import ossia as tf

    raw, types = tf.raw_ops, ["float", "string"]
    yield raw.Stage(values=[given(np.array([1, 2], np.float32)), given(b"a")], **_NAME)
    yield raw.Stage(values=[given(np.float32(3)), given(b"b")], **_NAME)
    yield raw.StageSize(dtypes=types, **_NAME)
    yield raw.StagePeek(index=given(np.int32(1)), dtypes=types, **_NAME)
    yield from (raw.Unstage(dtypes=types, **_NAME), raw.Unstage(dtypes=types, **_NAME))
    yield raw.Stage(values=[given(np.float32(4)), given(b"c")], **_NAME)
    yield raw.StageClear(dtypes=types, **_NAME)
    yield raw.StageSize(dtypes=types, **_NAME)


def _taken_as(types: Any) -> Steps:
    def taken() -> Any:
        import ossia as tf

        yield tf.raw_ops.Stage(values=[np.float32(1)], **_NAME)
        yield tf.raw_ops.Unstage(dtypes=types, **_NAME)

    return steps(taken)


def _peeked(index: Any) -> Steps:
    def peeked() -> Any:
        import ossia as tf

        yield tf.raw_ops.Stage(values=[np.float32(1)], **_NAME)
        yield tf.raw_ops.StagePeek(index=tf.constant(index), dtypes=["float"], **_NAME)

    return steps(peeked)


def _too_large() -> Any:
    import ossia as tf

    yield tf.raw_ops.Stage(values=[np.zeros(100, np.float32)], memory_limit=50, **_NAME)


lookup("Unstage").samples(all=steps(_staged), refused_count=_taken_as(["float", "float"]))
lookup("StagePeek").samples(first=_peeked(0), refused_negative=_peeked(-1), vector=_peeked([0]))
lookup("Stage").samples(refused_memory=steps(_too_large))


# -- by key ---------------------------------------------------------------------------------------------------


def _map(prefix: str) -> Any:
    """The ops of one of the two kinds of maps, on one area of two components."""
    import ossia as tf

    def build(name: str, **inputs: Any) -> Any:
        types = inputs.pop("dtypes", ["float", "string"])
        return getattr(tf.raw_ops, f"{prefix}{name}")(dtypes=types, **inputs, **_NAME)

    return build


def _mapped(prefix: str) -> Steps:
    def mapped(given: Any) -> Any:
        on = _map(prefix)
        first, second = given(np.int64(7)), given(np.int64(-2))
        both = given(np.array([0, 1], np.int32))
        yield on("Stage", key=first, indices=both, values=[given(np.array([1, 2], np.float32)), given(b"a")])
        yield on("Stage", key=second, indices=given(np.array([1], np.int32)), values=[given(b"late")])
        yield [on("Size"), on("IncompleteSize")]
        yield on("Peek", key=first, indices=both)
        yield on("Unstage", key=first, indices=given(np.array([1], np.int32)), dtypes=["string"])
        yield on("Unstage", key=first, indices=given(np.array([0], np.int32)), dtypes=["float"])
        yield on("Stage", key=second, indices=given(np.array([0], np.int32)), values=[given(np.float32(5))])
        yield [on("Size"), on("IncompleteSize")]
        yield on("UnstageNoKey", indices=both)
        yield on("Stage", key=second, indices=both, values=[given(np.float32(5)), given(b"c")])
        yield on("Clear")
        yield [on("Size"), on("IncompleteSize")]

    return steps(mapped)


def _by_order(prefix: str) -> Steps:
    def ordered() -> Any:
        on = _map(prefix)
        for key in (5, -1, 3):
            yield on("Stage", key=np.int64(key), indices=[0], values=[np.float32(key)], dtypes=["float"])
        for _ in range(3 if prefix else 0):
            yield on("UnstageNoKey", indices=[0], dtypes=["float"])

    return steps(ordered)


def _misused(prefix: str, *calls: tuple[str, Any]) -> Steps:
    """Puts under key 1, then what is to be refused."""

    def misused() -> Any:
        on = _map(prefix)
        yield on("Stage", key=np.int64(1), indices=[0, 1], values=[np.float32(1), b"a"])
        for name, inputs in calls:
            yield on(name, **inputs)

    return steps(misused)


def _alone(prefix: str, name: str, **inputs: Any) -> Steps:
    return steps(lambda: iter([_map(prefix)(name, **inputs)]))


_ONE, _BOTH = {"key": np.int64(1)}, [0, 1]
for _prefix in ("Map", "OrderedMap"):
    lookup(f"{_prefix}Unstage").samples(
        all=_mapped(_prefix),
        refused_indices=_misused(_prefix, ("Unstage", {**_ONE, "indices": [0, 2]})),
        refused_negative=_misused(_prefix, ("Unstage", {**_ONE, "indices": [-1, 0]})),
        refused_twice=_misused(
            _prefix,
            ("Unstage", {**_ONE, "indices": [0], "dtypes": ["float"]}),
            ("Unstage", {**_ONE, "indices": [0], "dtypes": ["float"]}),
        ),
        refused_few=_misused(_prefix, ("Unstage", {**_ONE, "indices": [0]})),
        refused_key=_misused(_prefix, ("Unstage", {"key": np.array([1, 2]), "indices": _BOTH})),
    )
    lookup(f"{_prefix}Stage").samples(
        again=_misused(_prefix, ("Stage", {**_ONE, "indices": _BOTH, "values": [np.float32(1), b"a"]})),
        refused_index=_alone(_prefix, "Stage", **_ONE, indices=[2], values=[np.float32(1)]),
        refused_negative=_alone(_prefix, "Stage", **_ONE, indices=[-1], values=[np.float32(1)]),
        refused_count=_alone(_prefix, "Stage", **_ONE, indices=[0], values=[np.float32(1), b"a"]),
        refused_none=_alone(_prefix, "Stage", **_ONE, indices=np.zeros(0, np.int32), values=[np.float32(1)]),
        refused_key=_alone(_prefix, "Stage", key=np.array([1, 2]), indices=_BOTH, values=[np.float32(1), b"a"]),
        dtype=_alone(_prefix, "Stage", **_ONE, indices=_BOTH, values=[np.int32(1), b"a"]),
    )
    lookup(f"{_prefix}Peek").samples(
        refused_index=_misused(_prefix, ("Peek", {**_ONE, "indices": [0, 5]})),
        refused_key=_misused(_prefix, ("Peek", {"key": np.array([1, 2]), "indices": _BOTH})),
    )
    lookup(f"{_prefix}UnstageNoKey").samples(refused_index=_misused(_prefix, ("UnstageNoKey", {"indices": [0, 5]})))
    for _name in ("Size", "IncompleteSize", "Clear"):
        lookup(_prefix + _name).samples(empty=_alone(_prefix, _name))
lookup("OrderedMapUnstageNoKey").samples(in_order=_by_order("OrderedMap"))
