"""Models that begin with the weights of another: `tf.train.warm_start`, also where a vocabulary has changed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ossia_checkpoint.initializers import init_from_checkpoint
from ossia_checkpoint.reader import checkpoint_filename
from ossia_checkpoint.saveables import names_to_saveables
from ossia_core.declare import opdef
from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign
from ossia_core.variables.variable import Variable

_LOG = logging.getLogger("tensorflow")


class _VocabInfo(NamedTuple):
    new_vocab: str
    new_vocab_size: int
    num_oov_buckets: int
    old_vocab: str
    old_vocab_size: int = -1
    backup_initializer: Callable[..., Tensor] | None = None
    axis: int = 0


@public("train.VocabInfo", "estimator.VocabInfo", "compat.v2.estimator.VocabInfo")
class VocabInfo(_VocabInfo):
    """How the vocabulary of a variable has changed since a checkpoint was written.

    Args:
        new_vocab: Path of the new vocabulary file, one word a line.
        new_vocab_size: How many of its words the model uses.
        num_oov_buckets: How many buckets for other words follow them.
        old_vocab: Path of the vocabulary file of the checkpoint.
        old_vocab_size: How many of its words the checkpoint has; -1 for all.
        backup_initializer: Makes the values for new words and for buckets; None for zeros.
        axis: The dimension of the variable that stands for words: 0 or 1.

    Raises:
        ValueError: `axis` is another.
    """

    __slots__ = ()

    def __new__(
        cls,
        new_vocab: str,
        new_vocab_size: int,
        num_oov_buckets: int,
        old_vocab: str,
        old_vocab_size: int = -1,
        backup_initializer: Callable[..., Tensor] | None = None,
        axis: int = 0,
    ) -> VocabInfo:
        """Describes a change; see the class."""
        if axis not in (0, 1):
            raise ValueError(f"The only supported values for the axis argument are 0 and 1.  Provided axis: {axis}")
        return super().__new__(
            cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size, backup_initializer, axis
        )


@public("train.warm_start")
def warm_start(
    ckpt_to_initialize_from: str,
    vars_to_warm_start: Any = ".*",
    var_name_to_vocab_info: Mapping[str, VocabInfo] | None = None,
    var_name_to_prev_var_name: Mapping[str, str] | None = None,
) -> None:
    """Replaces the initializers of variables, so that they load the values of another model.

    Args:
        ckpt_to_initialize_from: A directory, whose newest checkpoint is read, or a checkpoint's prefix.
        vars_to_warm_start: Which variables: a regular expression for the beginnings of names of trainable variables; a
            list of such expressions for all global variables; a list of variables; or None, for those in
            `var_name_to_vocab_info` alone.
        var_name_to_vocab_info: How vocabularies have changed, by the full name of a variable.
        var_name_to_prev_var_name: Names in the checkpoint, by the full name of a variable, where they differ.

    Raises:
        ValueError: A name in the dictionaries is of no variable that is loaded, `vars_to_warm_start` is something else,
            or a variable does not fit its vocabulary; and as `tf.train.init_from_checkpoint`.
    """
    vocabularies, previous = dict(var_name_to_vocab_info or {}), dict(var_name_to_prev_var_name or {})
    _LOG.info("Warm-starting from: %s", ckpt_to_initialize_from)
    grouped = grouped_variables(vars_to_warm_start)
    count = 0
    plain: dict[str, Any] = {}
    used: set[str] = set()
    for name, variables in grouped.items():
        source = previous.get(name) or name
        if name in previous:
            used.add(name)
        if name in vocabularies:
            used.add(name)
            count += 1
            warm_start_words(variables, source, ckpt_to_initialize_from, vocabularies[name])
        elif vars_to_warm_start:
            _LOG.debug("Warm-starting variable: %s; prev_var_name: %s", name, previous.get(name) or "Unchanged")
            count += 1
            plain[source] = variables[0] if len(variables) == 1 else variables
    init_from_checkpoint(ckpt_to_initialize_from, plain)
    _LOG.info("Warm-started %d variables.", count)
    for what, names in (("prev_var_name", previous), ("vocab_info", vocabularies)):
        unused = set(names) - used.intersection(grouped)
        if unused:
            raise ValueError(
                f"You provided the following variables in var_name_to_{what} that were not used: {unused}.  Perhaps "
                f"you misspelled them?  Here is the list of viable variable names: {list(grouped)}"
            )


def grouped_variables(wanted: Any) -> dict[str, list[Any]]:
    """The variables, or the parts of them, by full name."""
    graph = get_default_graph()
    if wanted is None or isinstance(wanted, str):
        _LOG.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        found = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=wanted)
    elif not isinstance(wanted, list):
        raise ValueError(f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(wanted)}")
    elif all(isinstance(item, str) for item in wanted):
        found = [v for scope in wanted for v in graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)]
    elif all(isinstance(item, Variable) for item in wanted):
        found = wanted
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are "
            f"{[type(item) for item in wanted]}"
        )
    grouped: dict[str, list[Any]] = {}
    for variable in found:
        grouped.setdefault(next(iter(names_to_saveables([variable]))), []).append(variable)
    return grouped


def warm_start_words(variables: list[Any], source: str, checkpoint: str, info: VocabInfo) -> None:
    """Makes the parts of a variable take the values of those words that the checkpoint has."""
    prefix = checkpoint_filename(checkpoint)
    if not (info.new_vocab and info.new_vocab_size and checkpoint and info.old_vocab):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path]."
        )
    for variable in variables:
        rows, columns = variable.shape.as_list()[0], variable.shape.as_list()[1]
        slices = variable._save_slice_info
        first = slices.var_offset[0] if slices else 0
        if info.axis == 0:
            value = _matrix_of_rows(prefix, source, info, rows, columns, first)
        else:
            value = _matrix_of_columns(prefix, source, info, rows, columns, first)
        variable._initializer_op = assign(variable, value)


def _remapping(info: VocabInfo, first: int, count: int) -> Any:
    return opdef.lookup("GenerateVocabRemapping")(
        info.new_vocab,
        info.old_vocab,
        new_vocab_offset=first,
        num_new_vocab=count,
        old_vocab_size=info.old_vocab_size,
    )


def _backup(info: VocabInfo, shape: list[Any]) -> Tensor:
    return builder("zeros")(shape) if info.backup_initializer is None else info.backup_initializer(shape)


def _matrix_of_rows(prefix: Any, source: str, info: VocabInfo, rows: int, columns: int, first: int) -> Tensor:
    """Rows from `first` on, of which those beyond the vocabulary are buckets."""
    every = info.new_vocab_size + info.num_oov_buckets
    if first + rows > every:
        raise ValueError(
            f"Trying to initialize {rows} additional rows after {first} rows have already been initialized, which "
            f"would exceed expected total row count of new_row_vocab_size ({info.new_vocab_size}) + "
            f"num_row_oov_buckets ({info.num_oov_buckets}) = {every}."
        )
    loaded = min(rows, max(0, info.new_vocab_size - first))
    if not loaded:
        return _backup(info, [rows, columns])
    remapping, present = _remapping(info, first, loaded)
    missing = loaded * columns - present * columns
    value = _loaded(prefix, source, remapping, [], _backup(info, [missing, 1]), loaded, columns)
    return _joined(value, _backup(info, [rows - loaded, columns]), 0) if loaded < rows else value


def _matrix_of_columns(prefix: Any, source: str, info: VocabInfo, rows: int, columns: int, first: int) -> Tensor:
    """Rows from `first` on, whose columns are words, and then buckets."""
    if columns != info.new_vocab_size + info.num_oov_buckets:
        raise ValueError(
            f"Trying to initialize {columns} columns, but new_col_vocab_size ({info.new_vocab_size}) + "
            f"num_col_oov_buckets ({info.num_oov_buckets}) is another number."
        )
    kept = builder("range")(first, first + rows, dtype=dtypes.int64)
    remapping, present = _remapping(info, 0, info.new_vocab_size)
    missing = rows * info.new_vocab_size - rows * present
    value = _loaded(prefix, source, kept, remapping, _backup(info, [missing, 1]), rows, info.new_vocab_size)
    return _joined(value, _backup(info, [rows, info.num_oov_buckets]), 1) if info.num_oov_buckets else value


def _loaded(prefix: Any, source: str, rows: Any, columns: Any, initial: Tensor, height: int, width: int) -> Tensor:
    return opdef.lookup("LoadAndRemapMatrix")(
        prefix, source, rows, columns, initial, num_rows=height, num_cols=width, max_rows_in_memory=-1
    )


def _joined(value: Tensor, more: Tensor, axis: int) -> Tensor:
    return opdef.lookup("ConcatV2")([value, more], axis, name="concat")
