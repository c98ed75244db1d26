"""What tests of savers take from `saver`, `checkpoint_management`, `checkpoint_utils` and `warm_starting_util`."""

from __future__ import annotations

import os
from typing import Any

import ossia as tf
from ossia_checkpoint import meta_graph, reader, saveables, saver_builder, state, warm_start

checkpoint_exists_internal = state.checkpoint_exists
meta_graph_filename = state.meta_graph_filename
update_checkpoint_state_internal = state.write_state
wait_for_new_checkpoint = state.wait_for_new_checkpoint
saveable_objects_for_op = saveables.saveables_of_one
validate_and_slice_inputs = saveables.saveable_objects
_init_from_checkpoint = tf.train.init_from_checkpoint
_get_grouped_variables = warm_start.grouped_variables
_import_meta_graph_with_return_elements = meta_graph.import_meta_graph_with_elements


class BaseSaverBuilder(saver_builder.SaverBuilder):
    """Builds the nodes of a saver, and holds the classes of what it saves."""

    SaveSpec = saveables.SaveSpec
    SaveableObject = saveables.SaveableObject
    VariableSaveable = saveables.ReferenceVariableSaveable
    ResourceVariableSaveable = saveables.ResourceVariableSaveable

    def restore_ops(self, filename_tensor: Any, saveables: Any) -> list[Any]:
        """Tensors with the values, restored by one op for each object."""
        return [value for saveable in saveables for value in super(BaseSaverBuilder, self).restore_ops(
            filename_tensor, [saveable])]


class BulkSaverBuilder(BaseSaverBuilder):
    """The builder that restores all tensors by one op."""

    restore_ops = saver_builder.SaverBuilder.restore_ops


def op_list_to_dict(op_list: Any, convert_variable_to_tensor: bool = True) -> dict[str, Any]:
    """What to save by name; resource variables as the tensors that read them, unless that is not asked for."""
    found = saveables.names_to_saveables(op_list)
    if not convert_variable_to_tensor:
        return found
    return {name: value._as_graph_element() if hasattr(value, "handle") else value for name, value in found.items()}


def _GetCheckpointFilename(save_dir: str, latest_filename: str | None) -> str:
    """The path of the file that names a directory's checkpoints."""
    return os.path.join(save_dir, "checkpoint" if latest_filename is None else latest_filename)


def _get_checkpoint_filename(ckpt_dir_or_file: str) -> str | None:
    """The prefix itself, or that of a directory's newest checkpoint."""
    return reader.checkpoint_filename(ckpt_dir_or_file)


def _collect_partitioned_variable(name: str, all_vars: dict[str, Any]) -> list[Any] | None:
    """The parts of a variable among all variables by name, None if there are none."""
    parts: list[Any] = []
    while (part := f"{name}/part_{len(parts)}") in all_vars:
        parts.append(all_vars[part])
    return parts or None


def _prefix_to_checkpoint_path(prefix: str, format_version: int) -> str:
    """The file that is there if a checkpoint of that format is."""
    return f"{prefix}.index" if format_version == saver_builder.V2 else prefix


def _infer_var_name(var: Any) -> str:
    """The full name of a variable, or of the list of its parts."""
    return next(iter(op_list_to_dict(var if isinstance(var, (list, tuple)) else [var])))


def _get_var_info(var: Any, prev_tensor_name: str | None = None) -> tuple[str, Any]:
    """The name under which a checkpoint holds a variable, and the variable, or the list of its parts."""
    if hasattr(var, "_get_variable_list"):
        var = var._get_variable_list()
    return prev_tensor_name or _infer_var_name(var), var


def _warm_start_var_with_vocab(
    var: Any, current_vocab_path: str, current_vocab_size: int, prev_ckpt: str, prev_vocab_path: str,
    previous_vocab_size: int = -1, current_oov_buckets: int = 0, prev_tensor_name: str | None = None,
    initializer: Any = None, axis: int = 0,
) -> None:
    """Makes a variable, whole or in parts, take the values of those words that a checkpoint has.

    Raises:
        ValueError: A path or the size of the vocabulary is missing, or the variable has another size.
    """
    if not (current_vocab_path and current_vocab_size and prev_ckpt and prev_vocab_path):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path}."
        )
    info = tf.train.VocabInfo(
        current_vocab_path, current_vocab_size, current_oov_buckets, prev_vocab_path, previous_vocab_size, initializer,
        axis,
    )
    if isinstance(var, (list, tuple)):
        variables = list(var)
    else:
        variables = var._get_variable_list() if hasattr(var, "_get_variable_list") else [var]
    warm_start.warm_start_words(variables, prev_tensor_name or _infer_var_name(variables), prev_ckpt, info)
