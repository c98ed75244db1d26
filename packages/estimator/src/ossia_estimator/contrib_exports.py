"""Exports by the names of `tf.contrib.estimator`; estimators have methods for them."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_estimator.modes import ModeKeys


@public("contrib.estimator.export_all_saved_models")
def export_all_saved_models(
    estimator: Any, export_dir_base: str, input_receiver_fn_map: Mapping[str, Callable],
    assets_extra: Mapping[str, str] | None = None, as_text: bool = False, checkpoint_path: str | None = None,
) -> bytes:
    """Writes a SavedModel with a graph for each mode that has a function for its receiver.

    Args:
        estimator: The estimator.
        export_dir_base: Where to make the directory.
        input_receiver_fn_map: Functions that return receivers, by modes.
        assets_extra: Files to copy beside the model: their sources by their paths there.
        as_text: Whether to write the description as text.
        checkpoint_path: The checkpoint, by default the newest.

    Returns:
        The directory.

    Raises:
        ValueError: There is no checkpoint or no receiver.
    """
    return estimator.experimental_export_all_saved_models(
        export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path
    )


@public("contrib.estimator.export_saved_model_for_mode")
def export_saved_model_for_mode(
    estimator: Any, export_dir_base: str, input_receiver_fn: Callable, assets_extra: Mapping[str, str] | None = None,
    as_text: bool = False, checkpoint_path: str | None = None, mode: str = ModeKeys.PREDICT,
) -> bytes:
    """Writes a SavedModel with the graph for one mode.

    Args:
        estimator: As for `export_all_saved_models`, as are those that are not told here.
        export_dir_base: Where to make the directory.
        input_receiver_fn: Returns the receiver.
        assets_extra: Files to copy.
        as_text: Whether to write text.
        checkpoint_path: The checkpoint.
        mode: The mode.
    """
    return export_all_saved_models(
        estimator, export_dir_base, {mode: input_receiver_fn}, assets_extra, as_text, checkpoint_path
    )
