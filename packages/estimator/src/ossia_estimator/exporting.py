"""SavedModels of estimators: their signatures, and directories that appear whole."""
from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from ossia_checkpoint.saved_model import constants
from ossia_checkpoint.saved_model.builder import SavedModelBuilder
from ossia_checkpoint.saved_model.signatures import is_valid_signature
from ossia_checkpoint.saver import Saver
from ossia_core import files, temporaries
from ossia_core.graph.collections import GraphKeys, add_to_collection, get_collection
from ossia_core.names import errors, logging
from ossia_core.session.session import Session
from ossia_estimator.export_outputs import EvalOutput, TrainOutput
from ossia_estimator.modes import ModeKeys
from ossia_session.scaffold import Scaffold

_TRIES = 10
_MARK = ".ossia-unfinished"
_KINDS = (
    ("Classify", constants.CLASSIFY_METHOD_NAME),
    ("Regress", constants.REGRESS_METHOD_NAME),
    ("Predict", constants.PREDICT_METHOD_NAME),
    ("Train", TrainOutput.method_name),
    ("Eval", EvalOutput.method_name),
)
_TAGS = {ModeKeys.TRAIN: constants.TRAINING, ModeKeys.EVAL: "eval", ModeKeys.PREDICT: constants.SERVING}


def signatures(
    receiver: Any, export_outputs: Mapping[str | None, Any], serving: bool = True
) -> dict[str, Any]:
    """The SignatureDefs of a model by name, for each receiver and each output; logs which there are.

    Args:
        receiver: A ServingInputReceiver.
        export_outputs: ExportOutputs by name.
        serving: Whether to leave out what servers do not take.
    """
    alternatives = getattr(receiver, "receiver_tensors_alternatives", None)
    receivers = {None: receiver.receiver_tensors, **(alternatives or {})}
    found: dict[str, Any] = {}
    excluded: dict[str, str] = {}
    for prefix, tensors in receivers.items():
        for key, output in export_outputs.items():
            name = key or constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
            name = name if prefix is None else f"{prefix}:{name}"
            try:
                signature = output.as_signature_def(tensors)
            except ValueError as error:
                excluded[name] = str(error)
            else:
                if not serving or is_valid_signature(signature):
                    found[name] = signature
    for kind, method in _KINDS:
        names = [name for name, signature in found.items() if signature.method_name == method]
        logging.info("Signatures INCLUDED in export for %s: %s", kind, names or None)
    if excluded:
        logging.info("Signatures EXCLUDED from export because they cannot be be served via TensorFlow Serving APIs:")
        for name, message in excluded.items():
            logging.info("'%s' : %s", name, message)
    if not found:
        logging.warning("Export includes no signatures!")
    elif constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY not in found:
        logging.warning("Export includes no default signature!")
    return found


def add_graph(
    saved_model: SavedModelBuilder, mode: str, spec: Any, receiver: Any, checkpoint_path: str, config: Any,
    strip_default_attrs: bool, with_variables: bool = True,
) -> None:
    """Restores the model in the default graph, and adds the graph to a SavedModel.

    Args:
        saved_model: What writes it.
        mode: What the graph is for, a mode of ModeKeys.
        spec: The EstimatorSpec.
        receiver: A ServingInputReceiver, or a SupervisedInputReceiver.
        checkpoint_path: The checkpoint.
        config: The ConfigProto of the session.
        strip_default_attrs: Whether to leave out attributes that have their default value.
        with_variables: Whether to add the variables too, as for the first graph.

    Raises:
        ValueError: There are no outputs, or the checkpoint lacks a variable.
    """
    named = signatures(receiver, _outputs(mode, spec), serving=mode == ModeKeys.PREDICT)
    with Session(config=config) as session:
        local_init_op = spec.scaffold.local_init_op or Scaffold.default_local_init_op()
        saver = spec.scaffold.saver or Saver(sharded=True)
        try:
            saver.restore(session, checkpoint_path)
        except errors.NotFoundError as error:
            raise ValueError(
                f"Could not load all requested variables from the checkpoint {checkpoint_path}: the model for export "
                f"has to have the variables of training. {error}"
            ) from error
        if spec.train_op is not None:
            add_to_collection(constants.TRAIN_OP_KEY, spec.train_op)
        options = dict(
            tags=[_TAGS[mode]], signature_def_map=named, assets_collection=get_collection(GraphKeys.ASSET_FILEPATHS),
            main_op=local_init_op, saver=saver, strip_default_attrs=strip_default_attrs,
        )
        if with_variables:
            saved_model.add_meta_graph_and_variables(session, **options)
        else:
            saved_model.add_meta_graph(**options)


def _outputs(mode: str, spec: Any) -> Mapping[str | None, Any]:
    if mode == ModeKeys.TRAIN:
        return {"train": TrainOutput(spec.loss, spec.predictions, spec.eval_metric_ops)}
    if mode == ModeKeys.EVAL:
        return {"eval": EvalOutput(spec.loss, spec.predictions, spec.eval_metric_ops)}
    if spec.export_outputs is None:
        raise ValueError("export_outputs must be defined to export a model.")
    return spec.export_outputs


def write_saved_model(
    base: Any, add: Callable[[SavedModelBuilder], None], assets_extra: Mapping[str, str] | None, as_text: bool
) -> bytes:
    """Writes a SavedModel under another name, and renames it when it is whole.

    Args:
        base: Where to make the directory.
        add: Adds graphs to the builder.
        assets_extra: Files to copy beside the model: their sources by their paths there.
        as_text: Whether to write text.

    Returns:
        The directory, whose name is the time in seconds.
    """
    base = base.decode() if isinstance(base, bytes) else os.fspath(base)
    target = unused_directory(base)
    # The name has the form that the original's directories have while they are written.
    temporary = os.path.join(base, f"temp-{os.path.basename(target).encode()!r}")
    system = files.file_system(base)
    _remove_abandoned(base)
    system.make_directories(base)
    # A process that dies leaves both; the mark, which it no longer locks, tells the next one.
    mark = temporary + _MARK
    with system.open(mark, "wb") as stream:
        stream.write(b"An export that is being written by Ossia. After it this file may be removed.\n")
    descriptor = temporaries.lock(mark)
    try:
        _write(temporary, add, assets_extra, as_text)
        system.rename(temporary, target)
    finally:
        system.remove(mark)
        if descriptor is not None:
            os.close(descriptor)
    return target.encode()


def _write(
    temporary: str, add: Callable[[SavedModelBuilder], None], assets_extra: Mapping[str, str] | None, as_text: bool
) -> None:
    saved_model = SavedModelBuilder(temporary)
    add(saved_model)
    saved_model.save(as_text)
    system = files.file_system(temporary)
    for path, source in (assets_extra or {}).items():
        copied = os.path.join(temporary, "assets.extra", path)
        system.make_directories(os.path.dirname(copied))
        with files.file_system(source).open(source, "rb") as stream, system.open(copied, "wb") as out:
            out.write(stream.read())


def _remove_abandoned(base: str) -> None:
    """Removes exports that dead processes left unfinished."""
    system = files.file_system(base)
    with contextlib.suppress(errors.OpError):
        for name in system.list_directory(base):
            mark = os.path.join(base, name)
            if not name.endswith(_MARK) or not name.startswith("temp-"):
                continue
            with temporaries.abandoned(mark) as free:
                if free:
                    _remove_tree(mark.removesuffix(_MARK))
                    system.remove(mark)


def _remove_tree(folder: str) -> None:
    system = files.file_system(folder)
    if not system.exists(folder):
        return
    for name in system.list_directory(folder):
        path = os.path.join(folder, name)
        if system.is_directory(path) and not system.is_link(path):
            _remove_tree(path)
        else:
            system.remove(path)
    system.remove_directory(folder)


def unused_directory(base: str) -> str:
    """A path for a new export, named by the time; waits a second where that is taken."""
    for _ in range(_TRIES):
        path = os.path.join(base, str(int(time.time())))
        if not files.file_system(base).exists(path):
            return path
        time.sleep(1)
        logging.warning("Directory %s already exists; trying again.", path)
    raise RuntimeError(f"Failed to find an unused name for an export in {base} after {_TRIES} attempts.")
