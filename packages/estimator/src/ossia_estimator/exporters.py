"""What exports models after evaluations: `tf.estimator.LatestExporter`, `BestExporter` and `FinalExporter`."""
from __future__ import annotations

import abc
import os
from collections.abc import Callable, Mapping
from typing import Any

from ossia_core import files
from ossia_core.names import errors, logging
from ossia_core.plugins.api_table import public
from ossia_estimator.evaluation import LOSS
from ossia_estimator.input_results import arguments


@public("estimator.Exporter", "compat.v2.estimator.Exporter")
class Exporter(abc.ABC):
    """Something that exports a model when it was evaluated."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The name of its directory below `export`."""
        raise NotImplementedError("name")

    @abc.abstractmethod
    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports a model, or leaves it.

        Args:
            estimator: The estimator.
            export_path: Where to export to.
            checkpoint_path: The checkpoint that was evaluated.
            eval_result: The metrics.
            is_the_final_export: Whether training has ended.

        Returns:
            The directory of the export; None if there was none.
        """
        raise NotImplementedError("export")


class _SavedModelExporter(Exporter):
    def __init__(
        self, name: str, receiver_fn: Callable | None, assets_extra: Mapping[str, str] | None, as_text: bool,
        exports_to_keep: int | None = None,
    ) -> None:
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        self._name = name
        self._receiver_fn = receiver_fn
        self._assets_extra = assets_extra
        self._as_text = as_text
        self._exports_to_keep = exports_to_keep

    @property
    def name(self) -> str:
        """The name of its directory below `export`."""
        return self._name

    def _export(self, estimator: Any, export_path: str, checkpoint_path: str) -> Any:
        made = estimator.export_saved_model(
            export_path, self._receiver_fn, assets_extra=self._assets_extra, as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )
        if self._exports_to_keep is not None:
            _remove_oldest(export_path, self._exports_to_keep)
        return made


def _remove_oldest(base: str, kept: int) -> None:
    system = files.file_system(base)
    numbers = sorted(int(name.rstrip("/")) for name in system.list_directory(base) if name.rstrip("/").isdigit())
    for number in numbers[:-kept]:
        try:
            _remove_tree(os.path.join(base, str(number)))
        except errors.OpError as error:
            logging.warning("An old export could not be removed: %s", error)


def _remove_tree(path: str) -> None:
    system = files.file_system(path)
    for name in system.list_directory(path):
        inner = os.path.join(path, name)
        if system.is_directory(inner) and not system.is_link(inner):
            _remove_tree(inner)
        else:
            system.remove(inner)
    system.remove_directory(path)


@public("estimator.FinalExporter", "compat.v2.estimator.FinalExporter")
class FinalExporter(_SavedModelExporter):
    """Exports the model when training has ended.

    Args:
        name: The name of its directory.
        serving_input_receiver_fn: As for `Estimator.export_saved_model`, as are the next.
        assets_extra: Files to copy.
        as_text: Whether to write text.
    """

    def __init__(
        self, name: str, serving_input_receiver_fn: Callable, assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports if it is the last time; see Exporter."""
        if not is_the_final_export:
            return None
        logging.info("Performing the final export in the end of training.")
        return self._export(estimator, export_path, checkpoint_path)


@public("estimator.LatestExporter", "compat.v2.estimator.LatestExporter")
class LatestExporter(_SavedModelExporter):
    """Exports the model after each evaluation, and keeps the newest exports.

    Args:
        name: The name of its directory.
        serving_input_receiver_fn: As for `Estimator.export_saved_model`, as are the next.
        assets_extra: Files to copy.
        as_text: Whether to write text.
        exports_to_keep: How many exports to keep; None for all.

    Raises:
        ValueError: `exports_to_keep` is not positive.
    """

    def __init__(
        self, name: str, serving_input_receiver_fn: Callable, assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False, exports_to_keep: int | None = 5,
    ) -> None:
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports; see Exporter."""
        return self._export(estimator, export_path, checkpoint_path)


def loss_smaller(best_eval_result: Mapping[str, Any], current_eval_result: Mapping[str, Any]) -> bool:
    """Whether the loss of an evaluation is below that of the best one."""
    for result in (best_eval_result, current_eval_result):
        if not result or LOSS not in result:
            raise ValueError(f"There is no loss in the result of an evaluation: {result}")
    return bool(best_eval_result[LOSS] > current_eval_result[LOSS])


@public("estimator.BestExporter", "compat.v2.estimator.BestExporter")
class BestExporter(_SavedModelExporter):
    """Exports the model when an evaluation is better than all before, those in event files included.

    Args:
        name: The name of its directory.
        serving_input_receiver_fn: As for `Estimator.export_saved_model`, as are `assets_extra` and `as_text`.
        event_file_pattern: Event files of earlier evaluations, from the model's directory; None reads none.
        compare_fn: Takes `best_eval_result` and `current_eval_result`, and says whether the current one is better.
        assets_extra: Files to copy.
        as_text: Whether to write text.
        exports_to_keep: How many exports to keep; None for all.

    Raises:
        ValueError: `exports_to_keep` is not positive, or `compare_fn` takes other arguments.
    """

    def __init__(
        self, name: str = "best_exporter", serving_input_receiver_fn: Callable | None = None,
        event_file_pattern: str | None = "eval/*.tfevents.*", compare_fn: Callable = loss_smaller,
        assets_extra: Mapping[str, str] | None = None, as_text: bool = False, exports_to_keep: int | None = 5,
    ) -> None:
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        names = arguments(compare_fn)
        for needed in ("best_eval_result", "current_eval_result"):
            if needed not in names:
                raise ValueError(f"compare_fn ({compare_fn}) must include {needed} argument.")
        unknown = set(names) - {"best_eval_result", "current_eval_result"}
        if unknown:
            raise ValueError(f"compare_fn ({compare_fn}) has following not expected args: {sorted(unknown)}")
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)
        self._compare_fn = compare_fn
        self._event_file_pattern = event_file_pattern
        self._model_dir: str | None = None
        self._best: Mapping[str, Any] | None = None

    def export(
        self, estimator: Any, export_path: str, checkpoint_path: str, eval_result: Mapping[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """Exports if the result is the best; see Exporter."""
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best = self._best_of(os.path.join(estimator.model_dir, self._event_file_pattern))
        if self._best is not None and not self._compare_fn(
            best_eval_result=self._best, current_eval_result=eval_result
        ):
            return None
        logging.info("Performing best model export.")
        self._best = eval_result
        return self._export(estimator, export_path, checkpoint_path)

    def _best_of(self, pattern: str) -> Mapping[str, Any] | None:
        from ossia_estimator.event_metrics import evaluations

        best = None
        for metrics in evaluations(pattern).values():
            if metrics and (
                best is None or self._compare_fn(best_eval_result=best, current_eval_result=metrics)
            ):
                best = metrics
        return best
