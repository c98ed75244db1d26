"""The ops that write and read checkpoint files inside a graph."""

from __future__ import annotations

import contextlib
import os
from operator import itemgetter
from typing import Any

import numpy as np

from ossia_checkpoint import formats, shards
from ossia_checkpoint.formats import TensorReader
from ossia_checkpoint.reader import open_checkpoint
from ossia_checkpoint.slices import parse_shape_and_slice
from ossia_core import files
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import SCALAR, constant, merge, with_rank
from ossia_core.names import errors, shapes
from ossia_core.names.dtypes import DType, engine_name


def _text(array: Any) -> str:
    return np.asarray(array).item().decode()


def _texts(array: np.ndarray) -> list[str]:
    return [item.decode() for item in array.reshape(-1).tolist()]


def _same_length(first: list, **others: list) -> None:
    for name, items in others.items():
        if len(items) != len(first):
            raise errors.InvalidArgumentError(
                None, None, f"tensor_names has {len(first)} elements, {name} has {len(items)}"
            )


def _checked_box(spec: str, array: np.ndarray) -> tuple[tuple[int, ...], Any]:
    shape, box, own = parse_shape_and_slice(spec)
    if own != array.shape:
        raise errors.InvalidArgumentError(
            None,
            None,
            "Slice in shape_and_slice specification does not match the shape of the tensor to  save: "
            f"{spec[:200]}, tensor: {list(array.shape)}",
        )
    return shape, box


def _save(
    format_name: str, prefix: str, names: list[str], specs: list[str], data: list[np.ndarray], types: list[DType],
    *, make_folder: bool = False,
) -> None:
    _same_length(names, shape_and_slices=specs, tensors=data)
    folder = os.path.dirname(prefix)
    if shards.checkpoint_of(folder) is not None:
        shards.claim(folder)
    elif make_folder and folder and not files.file_system(folder).is_directory(folder):
        with contextlib.suppress(errors.AlreadyExistsError):
            files.file_system(folder).make_directory(folder)
    with formats.named(format_name).writer(prefix) as writer:
        for name, spec, array, dtype in zip(names, specs, data, types):
            if spec:
                shape, box = _checked_box(spec, array)
                writer.add_slice(name, shape, box, array, dtype)
            else:
                writer.add(name, array, dtype)


save_v2_op = op(
    "SaveV2(prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes)",
    dtypes="list(type) >= 1",
    stateful=True,
)


def _saved_shapes(prefix: Any, names: Any, specs: Any, tensors: list[Any]) -> tuple:
    with_rank(prefix, 0)
    for texts in (names, specs):
        size = with_rank(texts, 1).as_list()[0]
        if size not in (None, len(tensors)):
            raise ValueError(f"Dimension must be {len(tensors)} but is {size}")
    return ()


@save_v2_op.shape
def _(prefix, tensor_names, shape_and_slices, tensors):
    return _saved_shapes(prefix, tensor_names, shape_and_slices, tensors)


@save_v2_op.kernel(blocking=True)
def _(prefix, tensor_names, shape_and_slices, tensors, *, dtypes):
    _vectors(tensor_names=tensor_names, shape_and_slices=shape_and_slices)
    names, specs = _texts(tensor_names), _texts(shape_and_slices)
    _save("V2", _text(prefix), names, specs, tensors, dtypes, make_folder=True)
    return ()


save_in_format_op = op(
    "SaveInFormat(prefix: string, tensor_names: string, shape_and_slices: string, tensors: dtypes)",
    dtypes="list(type) >= 1",
    format="string",
    stateful=True,
)
"""`SaveV2` for a checkpoint format that a plugin brings, which `format` names."""


@save_in_format_op.shape
def _(prefix, tensor_names, shape_and_slices, tensors):
    return _saved_shapes(prefix, tensor_names, shape_and_slices, tensors)


@save_in_format_op.kernel(blocking=True)
def _(prefix, tensor_names, shape_and_slices, tensors, *, dtypes, format):
    _vectors(tensor_names=tensor_names, shape_and_slices=shape_and_slices)
    names, specs = _texts(tensor_names), _texts(shape_and_slices)
    _save(_known(format), _text(prefix), names, specs, tensors, dtypes, make_folder=True)
    return ()


def _known(format_name: bytes | str) -> str:
    name = format_name.decode() if isinstance(format_name, bytes) else format_name
    try:
        formats.named(name)
    except ValueError as error:  # the graph was made where the format is installed
        raise errors.UnimplementedError(None, None, str(error)) from None
    return name


restore_v2_op = op(
    "RestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> tensors: dtypes",
    dtypes="list(type) >= 1",
    stateful=True,
)


def _restored_shape(spec: str) -> shapes.TensorShape:
    return shapes.as_shape(parse_shape_and_slice(spec)[2]) if spec else shapes.unknown_shape()


@restore_v2_op.shape
def _(prefix, tensor_names, shape_and_slices, *, dtypes):
    with_rank(prefix, 0)
    merge(with_rank(tensor_names, 1), with_rank(shape_and_slices, 1))
    specs = constant(shape_and_slices)
    if specs is not None and len(specs) != len(dtypes):
        raise ValueError("The number of shape_and_slice doesn't match tensor outputs.")
    if specs is None:
        return [shapes.unknown_shape()] * len(dtypes)
    try:
        return [_restored_shape(spec.decode()) for spec in specs]
    except errors.InvalidArgumentError as error:
        raise ValueError(error.message) from None


@restore_v2_op.kernel(blocking=True)
def _(prefix, tensor_names, shape_and_slices, *, dtypes):
    names, specs = _texts(tensor_names), _texts(shape_and_slices)
    _same_length(names, shape_and_slices=specs, dtypes=dtypes)
    with open_checkpoint(_text(prefix)) as reader:
        _check_entries(reader, names, dtypes)
        return [_get(reader, name, spec) for name, spec in zip(names, specs)]


def _check_entries(reader: TensorReader, names: list[str], dtypes: list[DType]) -> None:
    """Refuse what is not there before what is there in another dtype, whichever is asked for first."""
    found = [(name, dtype, reader.entry(name).dtype) for name, dtype in sorted(zip(names, dtypes), key=itemgetter(0))]
    wrong = [
        f"tensor_name = {name}; expected dtype {engine_name(dtype)} does not equal original dtype {engine_name(there)}"
        for name, dtype, there in found
        if there is not dtype
    ]
    if wrong:
        raise errors.InvalidArgumentError(None, None, "\n".join(wrong))


def _get(reader: TensorReader, name: str, spec: str) -> np.ndarray:
    if not spec:
        return reader.read(name)
    entry = reader.entry(name)
    shape, box, _ = parse_shape_and_slice(spec)
    if shape != entry.shape:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"tensor_name = {name}; shape in shape_and_slice spec {_brackets(shape)} does not match the shape stored "
            f"in checkpoint: {_brackets(entry.shape)}",
        )
    return reader.read_slice(name, box)


def _brackets(shape: tuple[int, ...]) -> str:
    return f"[{','.join(map(str, shape))}]"


def _vectors(**inputs: Any) -> None:
    for name, value in inputs.items():
        if np.ndim(value) != 1:
            raise errors.InvalidArgumentError(
                None, None, f"Input {name} should be an 1-D tensor, got {np.shape(value)}"
            )


merge_v2_checkpoints_op = op(
    "MergeV2Checkpoints(checkpoint_prefixes: string, destination_prefix: string)",
    delete_old_dirs="bool = true",
    stateful=True,
)


@merge_v2_checkpoints_op.shape
def _(checkpoint_prefixes, destination_prefix):
    with_rank(checkpoint_prefixes, 1)
    with_rank(destination_prefix, 0)
    return ()


@merge_v2_checkpoints_op.kernel(blocking=True)
def _(checkpoint_prefixes, destination_prefix, *, delete_old_dirs):
    _vectors(checkpoint_prefixes=checkpoint_prefixes)
    _merge("V2", _texts(checkpoint_prefixes), _text(destination_prefix), delete_old_dirs)
    return ()


def _merge(format_name: str, prefixes: list[str], destination: str, delete_old_dirs: bool) -> None:
    formats.named(format_name).merge(prefixes, destination)
    if delete_old_dirs:
        for folder in {os.path.dirname(prefix) for prefix in prefixes} - {os.path.dirname(destination), ""}:
            shards.release(folder)


merge_in_format_op = op(
    "MergeInFormat(checkpoint_prefixes: string, destination_prefix: string)",
    delete_old_dirs="bool = true",
    format="string",
    stateful=True,
)
"""`MergeV2Checkpoints` for what `SaveInFormat` has saved."""


@merge_in_format_op.shape
def _(checkpoint_prefixes, destination_prefix):
    with_rank(checkpoint_prefixes, 1)
    with_rank(destination_prefix, 0)
    return ()


@merge_in_format_op.kernel(blocking=True)
def _(checkpoint_prefixes, destination_prefix, *, delete_old_dirs, format):
    _vectors(checkpoint_prefixes=checkpoint_prefixes)
    _merge(_known(format), _texts(checkpoint_prefixes), _text(destination_prefix), delete_old_dirs)
    return ()


def _of_scalars(*inputs: Any) -> Any:
    for tensor in inputs:
        with_rank(tensor, 0)
    return SCALAR


sharded_filename_op = op("ShardedFilename(basename: string, shard: int32, num_shards: int32) -> filename: string")
sharded_filename_op.shape(_of_scalars)


@sharded_filename_op.kernel
def _(basename, shard, num_shards):
    for what, part in (("basename", basename), ("shard", shard), ("num_shards", num_shards)):
        if np.ndim(part):
            raise errors.InvalidArgumentError(
                None, None, f"{what} must be a scalar, got shape {errors.dims_text(np.shape(part))}"
            )
    return np.array(b"%s-%05d-of-%05d" % (basename.item(), shard.item(), num_shards.item()), object)


sharded_filename_op.samples(plain=(np.array(b"a/b", object), np.int32(3), np.int32(10)))

sharded_filespec_op = op("ShardedFilespec(basename: string, num_shards: int32) -> filename: string")
sharded_filespec_op.shape(_of_scalars)


@sharded_filespec_op.kernel
def _(basename, num_shards):
    if basename.ndim:
        raise errors.InvalidArgumentError(
            None, None, f"basename must be a scalar, got shape {errors.dims_text(basename.shape)}"
        )
    return np.array(b"%s-?????-of-%05d" % (basename.item(), num_shards.item()), object)


sharded_filespec_op.samples(plain=(np.array(b"a/b", object), np.int32(10)))

save_op = op("Save(filename: string, tensor_names: string, data: T)", T="list(type) >= 1", stateful=True)


@save_op.shape
def _(filename, tensor_names, data):
    with_rank(filename, 0)
    if with_rank(tensor_names, 1).as_list()[0] not in (None, len(data)):
        raise ValueError(f"Dimension must be {len(data)} but is {tensor_names.shape.as_list()[0]}")
    return ()


@save_op.kernel(blocking=True)
def _(filename, tensor_names, data, *, T):
    _save("V1", _text(filename), _texts(tensor_names), [""] * len(data), data, T)
    return ()


save_slices_op = op(
    "SaveSlices(filename: string, tensor_names: string, shapes_and_slices: string, data: T)",
    T="list(type) >= 1",
    stateful=True,
)


@save_slices_op.shape
def _(filename, tensor_names, shapes_and_slices, data):
    return _saved_shapes(filename, tensor_names, shapes_and_slices, data)


@save_slices_op.kernel(blocking=True)
def _(filename, tensor_names, shapes_and_slices, data, *, T):
    _save("V1", _text(filename), _texts(tensor_names), _texts(shapes_and_slices), data, T)
    return ()


restore_op = op(
    "Restore(file_pattern: string, tensor_name: string) -> tensor: dt",
    dt="type",
    preferred_shard="int = -1",
    stateful=True,
)


@restore_op.shape
def _(file_pattern, tensor_name):
    with_rank(file_pattern, 0)
    with_rank(tensor_name, 0)
    return shapes.unknown_shape()


@restore_op.kernel(blocking=True)
def _(file_pattern, tensor_name, *, dt):
    return _restore_v1(_text(file_pattern), _text(tensor_name), "", dt)


def _restore_v1(pattern: str, name: str, spec: str, dtype: DType) -> np.ndarray:
    with formats.named("V1").reader(pattern) as reader:
        stored = reader.entry(name).dtype
        if stored is not dtype:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Expected to restore a tensor of type {engine_name(dtype)}, got a tensor of type "
                f"{engine_name(stored)} instead: tensor_name = {name}",
            )
        return _get(reader, name, spec)


restore_slice_op = op(
    "RestoreSlice(file_pattern: string, tensor_name: string, shape_and_slice: string) -> tensor: dt",
    dt="type",
    preferred_shard="int = -1",
    stateful=True,
)


@restore_slice_op.shape
def _(file_pattern, tensor_name, shape_and_slice):
    for text in (file_pattern, tensor_name, shape_and_slice):
        with_rank(text, 0)
    spec = constant(shape_and_slice)
    try:
        return shapes.unknown_shape() if spec is None else _restored_shape(spec.item().decode())
    except errors.InvalidArgumentError as error:
        raise ValueError(error.message) from None


@restore_slice_op.kernel(blocking=True)
def _(file_pattern, tensor_name, shape_and_slice, *, dt):
    return _restore_v1(_text(file_pattern), _text(tensor_name), _text(shape_and_slice), dt)
