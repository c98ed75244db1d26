"""Samples of the ops that save and restore: what is written into a folder is read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps

_A, _B, _C = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([b"text", b""], object), np.array([7, -7])
_NAMES = [b"a", b"deep/b", b"c"]
_FILES = {"garbage.index": b"\0" * 60, "garbage.data-00000-of-00001": b"", "garbage": b"no table at all", "empty": b""}


def _story(build: Callable[..., Any]) -> Steps:
    return steps(build, files=_FILES)


def _raw(name: str, **inputs: Any) -> Any:
    import ossia as tf

    return getattr(tf.raw_ops, name)(**inputs)


def _save(
    given: Any, prefix: bytes = b"model", names: Any = _NAMES, specs: Any = (b"", b"", b""), tensors: Any = (_A, _B, _C)
) -> Any:
    return _raw(
        "SaveV2",
        prefix=given(prefix),
        tensor_names=given(np.array(names, object)),
        shape_and_slices=given(np.array(specs, object)),
        tensors=[given(value) for value in tensors],
    )


def _restore(
    given: Any,
    names: Any = _NAMES,
    dtypes: Any = ("float", "string", "int64"),
    specs: Any = None,
    prefix: bytes = b"model",
) -> Any:
    specs = [b""] * len(names) if specs is None else specs
    return list(
        _raw(
            "RestoreV2",
            prefix=given(prefix),
            tensor_names=given(np.array(names, object)),
            shape_and_slices=given(np.array(specs, object)),
            dtypes=list(dtypes),
        )
    )


def _saved(**options: Any) -> Steps:
    def saved(given: Any) -> Any:
        yield _save(given, **options)

    return _story(saved)


def _restored(**options: Any) -> Steps:
    def restored(given: Any) -> Any:
        yield _save(given)
        yield _restore(given, **options)

    return _story(restored)


def _in_slices(given: Any) -> Any:
    yield _save(given, names=[b"a", b"a"], specs=[b"2 6 0,2:0,3", b"2 6 0,2:3,3"], tensors=[_A, _A + 10])
    yield _restore(given, [b"a"], ["float"])
    yield _restore(given, [b"a"], ["float"], [b"2 6 1,1:2,3"])
    yield _restore(given, [b"a"], ["float"], [b"2 6 -:0,1"])


def _kinds(given: Any) -> Any:
    values = [
        np.array(value, kind)
        for kind, value in (
            ("f2", [1.5, np.nan]),
            ("f8", [np.inf, 1e300]),
            ("i1", [-128]),
            ("u1", [255]),
            ("i2", [-(2**15)]),
            ("i4", []),
            ("c8", [1 + 2j]),
            ("?", [True, False]),
            ("u2", 3),
        )
    ]
    names = [b"v%d" % i for i in range(len(values))]
    yield _save(given, names=names, specs=[b""] * len(values), tensors=values)
    yield _restore(given, names, ["half", "double", "int8", "uint8", "int16", "int32", "complex64", "bool", "uint16"])


lookup("SaveV2").samples(
    folder=_saved(prefix=b"new/model"),
    refused_lengths=_saved(specs=[b""]),
    refused_names=_saved(names=[b"a"]),
    refused_matrix=_saved(names=[_NAMES]),
    refused_spec=_saved(specs=[b"2 3 0,2", b"", b""]),
    refused_slice=_saved(specs=[b"2 3 0,2:0,4", b"", b""]),
    refused_shape=_saved(specs=[b"2 6 0,2:0,2", b"", b""]),
    refused_twice=_saved(names=[b"a", b"b", b"a"]),
    refused_prefix=_saved(prefix=[b"model"]),
)
lookup("RestoreV2").samples(
    all=_restored(),
    kinds=_story(_kinds),
    slices=_story(_in_slices),
    refused_name=_restored(names=[b"none"], dtypes=["float"]),
    refused_dtype=_restored(names=[b"a"], dtypes=["int32"]),
    refused_count=_restored(names=[b"a"]),
    refused_lengths=_restored(names=[b"a"], dtypes=["float"], specs=[b"", b""]),
    refused_spec=_restored(names=[b"a"], dtypes=["float"], specs=[b"x"]),
    refused_shape=_restored(names=[b"a"], dtypes=["float"], specs=[b"2 4 -:-"]),
    refused_slice=_restored(names=[b"a"], dtypes=["float"], specs=[b"2 3 1,5:-"]),
    refused_missing=_restored(prefix=b"none"),
    refused_garbage=_restored(prefix=b"garbage"),
    refused_prefix=_restored(prefix=[b"model"]),
)


def _saved_in(format_name: str, **wrong: Any) -> Steps:
    def saved(given: Any) -> Any:
        inputs = {"prefix": b"new/model", "tensor_names": _NAMES, "shape_and_slices": [b"", b"", b""], **wrong}
        texts = {name: given(np.array(value, object)) for name, value in inputs.items()}
        yield _raw("SaveInFormat", **texts, tensors=[given(_A), given(_B), given(_C)], format=format_name)
        yield _restore(given, prefix=b"new/model")

    return _story(saved)


lookup("SaveInFormat").samples(
    newer=_saved_in("V2"),
    older=_saved_in("V1"),
    refused_format=_saved_in("none"),
    refused_lengths=_saved_in("V2", shape_and_slices=[b""]),
    refused_matrix=_saved_in("V2", tensor_names=[_NAMES]),
)


def _merged_in(format_name: str, prefixes: Any = (b"part/one", b"part/two")) -> Steps:
    def merged(given: Any) -> Any:
        for part, name in ((b"part/one", b"a"), (b"part/two", b"b")):
            yield _save(given, part, [name], [b""], [np.float32(len(part))])
        yield _raw(
            "MergeInFormat",
            checkpoint_prefixes=given(np.array(prefixes, object)),
            destination_prefix=given(b"whole"),
            format=format_name,
        )
        yield _restore(given, [b"a", b"b"], ["float"] * 2, prefix=b"whole")

    return _story(merged)


lookup("MergeInFormat").samples(
    two=_merged_in("V2"),
    refused_format=_merged_in("none"),
    refused_missing=_merged_in("V2", [b"part/one", b"part/no"]),
)


def _merged(prefixes: Any, names: Any = ((b"a", b"b"), (b"c",)), **options: Any) -> Steps:
    def merged(given: Any) -> Any:
        for part, found in zip((b"part/one", b"part/two"), names, strict=True):
            yield _save(
                given, part, found, [b""] * len(found), [np.float32(len(name) + i) for i, name in enumerate(found)]
            )
        yield _raw(
            "MergeV2Checkpoints",
            checkpoint_prefixes=given(np.array(prefixes, object)),
            destination_prefix=given(b"whole"),
            **options,
        )
        yield _restore(given, [b"a", b"b", b"c"], ["float"] * 3, prefix=b"whole")

    return _story(merged)


_PARTS = [b"part/one", b"part/two"]
lookup("MergeV2Checkpoints").samples(
    two=_merged(_PARTS),
    kept=_merged(_PARTS, delete_old_dirs=False),
    refused_missing=_merged([b"part/one", b"part/no"]),
    refused_twice=_merged(_PARTS, ((b"a", b"b"), (b"a", b"c"))),
    refused_none=_merged(np.zeros(0, object)),
    refused_matrix=_merged([_PARTS]),
    refused_garbage=_merged([b"part/one", b"garbage"]),
)


# -- files of one table ---------------------------------------------------------------------------------------


def _save_v1(
    given: Any, specs: Any = None, names: Any = (b"a", b"c"), tensors: Any = (_A, _C), path: Any = b"old"
) -> Any:
    inputs = {
        "filename": given(path),
        "tensor_names": given(np.array(names, object)),
        "data": [given(value) for value in tensors],
    }
    return (
        _raw("Save", **inputs)
        if specs is None
        else _raw("SaveSlices", shapes_and_slices=given(np.array(specs, object)), **inputs)
    )


def _restored_v1(
    name: Any = b"a", dtype: str = "float", pattern: Any = b"old", spec: Any = None, **options: Any
) -> Steps:
    def restored(given: Any) -> Any:
        yield _save_v1(given, **options)
        inputs = {"file_pattern": given(pattern), "tensor_name": given(name), "dt": dtype}
        yield _raw("Restore", **inputs) if spec is None else _raw("RestoreSlice", shape_and_slice=given(spec), **inputs)

    return _story(restored)


def _halves(given: Any) -> Any:
    for path, spec, value in ((b"old-0", b"2 6 0,2:0,3", _A), (b"old-1", b"2 6 0,2:3,3", -_A)):
        yield _save_v1(given, [spec], [b"a"], [value], path)
    yield _raw("Restore", file_pattern=given(b"old-?"), tensor_name=given(b"a"), dt="float")
    yield _raw(
        "RestoreSlice",
        file_pattern=given(b"old-*"),
        tensor_name=given(b"a"),
        shape_and_slice=given(b"2 6 1,1:2,3"),
        dt="float",
    )


def _saved_v1(**options: Any) -> Steps:
    def saved(given: Any) -> Any:
        yield _save_v1(given, **options)

    return _story(saved)


lookup("Save").samples(
    refused_names=_saved_v1(names=[b"a"]),
    refused_matrix=_saved_v1(names=[[b"a", b"c"]]),
    refused_path=_saved_v1(path=[b"old"]),
    refused_folder=_saved_v1(path=b"no/such/folder/old"),
)
lookup("SaveSlices").samples(
    refused_specs=_saved_v1(specs=[b""]),
    refused_spec=_saved_v1(specs=[b"2 3 x", b""]),
    refused_slice=_saved_v1(specs=[b"2 3 0,2:0,4", b""]),
    refused_shape=_saved_v1(specs=[b"2 6 0,2:0,2", b""]),
)
lookup("Restore").samples(
    floats=_restored_v1(),
    numbers=_restored_v1(b"c", "int64"),
    refused_name=_restored_v1(b"none"),
    refused_dtype=_restored_v1(dtype="int32"),
    refused_missing=_restored_v1(pattern=b"none"),
    refused_garbage=_restored_v1(pattern=b"garbage"),
    refused_empty=_restored_v1(pattern=b"empty"),
    refused_pattern=_restored_v1(pattern=[b"old"]),
    refused_names=_restored_v1(name=[b"a"]),
)
lookup("RestoreSlice").samples(
    halves=_story(_halves),
    part=_restored_v1(spec=b"2 3 1,1:0,2"),
    whole=_restored_v1(spec=b""),
    refused_spec=_restored_v1(spec=b"2 3 1"),
    refused_shape=_restored_v1(spec=b"2 4 -:-"),
    refused_slice=_restored_v1(spec=b"2 3 1,5:-"),
)


# -- matrices with other rows and columns -------------------------------------------------------------------------

_MATRIX = np.arange(12, dtype=np.float32).reshape(4, 3) + 1


def _remapped(
    rows: Any,
    columns: Any = (),
    initial: Any = (),
    shape: tuple[int, int] | None = None,
    name: Any = b"m",
    **options: Any,
) -> Steps:
    def remapped(given: Any) -> Any:
        yield _save(
            given,
            names=[b"m", b"p", b"p", b"v", b"i"],
            specs=[b"", b"4 3 0,2:-", b"4 3 2,2:-", b"", b""],
            tensors=[_MATRIX, _MATRIX[:2] * 10, _MATRIX[2:] * 10, _MATRIX[0], np.array([[1]])],
        )
        num_rows, num_cols = shape or (len(rows), len(columns) or 3)
        yield _raw(
            "LoadAndRemapMatrix",
            ckpt_path=given(options.get("prefix", b"model")),
            old_tensor_name=given(name),
            row_remapping=given(np.array(rows, np.int64)),
            col_remapping=given(np.array(columns, np.int64)),
            initializing_values=given(np.array(initial, np.float32)),
            num_rows=num_rows,
            num_cols=num_cols,
            max_rows_in_memory=options.get("limit", -1),
        )

    return _story(remapped)


lookup("LoadAndRemapMatrix").samples(
    rows=_remapped([3, 0]),
    new_row=_remapped([3, -1], initial=[7, 8, 9]),
    columns=_remapped([3, 0], [2, 0]),
    new_column=_remapped([3, -1], [2, -1, 0], [1, 2, 3, 4]),
    parts=_remapped([3, 0, 2], name=b"p", limit=1),
    nothing=_remapped([], shape=(0, 3)),
    all_new=_remapped([-1, -1], initial=[[0, 1, 2], [3, 4, 5]]),
    negative=_remapped([-2, 0], initial=[1, 2, 3]),
    path_in_vector=_remapped([1], prefix=[b"model"]),
    refused_few=_remapped([3, -1], initial=[7, 8]),
    refused_many=_remapped([3, -1], initial=[7, 8, 9, 10]),
    refused_rows_twice=_remapped([1, 1]),
    refused_columns_twice=_remapped([0], [1, 1, 0]),
    refused_row=_remapped([4, 0]),
    refused_columns=_remapped([0], shape=(1, 2)),
    refused_row_count=_remapped([0, 1], shape=(3, 3)),
    refused_column_count=_remapped([0, 1], [0, 1], shape=(2, 3)),
    refused_vector=_remapped([0], name=b"v"),
    refused_integers=_remapped([0], name=b"i"),
    refused_name=_remapped([0], name=b"none"),
    refused_missing=_remapped([0], prefix=b"none"),
    refused_folder=_remapped([0], prefix=b"no/such/folder/none"),
    refused_garbage=_remapped([0], prefix=b"garbage"),
    refused_names=_remapped([0], name=[b"m"]),
)
