"""Inputs for serving, and how trained models are exported."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

import ossia as tf
from ossia_contrib.learn.specs import ExportStrategy, InputFnOps
from ossia_core.plugins.api_table import public


@public(
    "contrib.learn.build_parsing_serving_input_fn", "contrib.learn.utils.build_parsing_serving_input_fn",
    "contrib.learn.utils.input_fn_utils.build_parsing_serving_input_fn",
)
def build_parsing_serving_input_fn(
    feature_spec: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """An input function for serving that takes serialized `Example`s.

    Args:
      feature_spec: what to parse, as for `tf.parse_example`.
      default_batch_size: how many, if it is known.
    """

    def input_fn() -> InputFnOps:
        serialized = tf.placeholder(tf.string, [default_batch_size], name="input_example_tensor")
        return InputFnOps(tf.parse_example(serialized, feature_spec), None, {"examples": serialized})

    return input_fn


@public(
    "contrib.learn.utils.build_default_serving_input_fn",
    "contrib.learn.utils.input_fn_utils.build_default_serving_input_fn",
)
def build_default_serving_input_fn(
    features: Mapping[str, Any], default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """An input function for serving that takes each feature as it is.

    Args:
      features: tensors to be like, by name.
      default_batch_size: how many, if it is known.
    """

    def input_fn() -> InputFnOps:
        made = {
            name: tf.placeholder(each.dtype, [default_batch_size, *each.shape[1:]], name=each.op.name)
            for name, each in features.items()
        }
        return InputFnOps(made, None, made)

    return input_fn


@public(
    "contrib.learn.make_export_strategy", "contrib.learn.utils.make_export_strategy",
    "contrib.learn.utils.saved_model_export_utils.make_export_strategy",
)
def make_export_strategy(
    serving_input_fn: Callable, default_output_alternative_key: str | None = None, assets_extra: Any = None,
    as_text: bool = False, exports_to_keep: int | None = 5, strip_default_attrs: bool | None = None,
) -> ExportStrategy:
    """How to export a SavedModel, keeping the last few.

    Args:
      serving_input_fn: makes the input for serving.
      default_output_alternative_key: which of several heads is the default.
      assets_extra: files to put into `assets.extra`.
      as_text: whether the graph is written as text.
      exports_to_keep: how many exports are kept; None for all.
      strip_default_attrs: whether attributes that have their defaults are left out.
    """

    def export_fn(
        estimator: Any, export_dir_base: str, checkpoint_path: str | None = None,
        strip_default_attrs: bool | None = False,
    ) -> Any:
        options: dict[str, Any] = {
            "assets_extra": assets_extra, "as_text": as_text, "checkpoint_path": checkpoint_path
        }
        if isinstance(estimator, tf.estimator.Estimator):
            if default_output_alternative_key is not None:
                raise ValueError(
                    "default_output_alternative_key is not supported in core Estimator. Given: "
                    f"{default_output_alternative_key}"
                )
            result = estimator.export_saved_model(export_dir_base, serving_input_fn, **options)
        else:
            result = estimator.export_savedmodel(
                export_dir_base, serving_input_fn, default_output_alternative_key=default_output_alternative_key,
                **options,
            )
        garbage_collect_exports(export_dir_base, exports_to_keep)
        return result

    return ExportStrategy("Servo", export_fn, strip_default_attrs)


@public("contrib.learn.utils.saved_model_export_utils.garbage_collect_exports")
def garbage_collect_exports(export_dir_base: str, exports_to_keep: int | None) -> None:
    """Deletes all but the last exports in a folder.

    Args:
      export_dir_base: the folder.
      exports_to_keep: how many are kept; None for all.
    """
    if exports_to_keep is None or not tf.gfile.IsDirectory(export_dir_base):
        return
    found = sorted(name.rstrip("/") for name in tf.gfile.ListDirectory(export_dir_base))
    exports = [name for name in found if re.fullmatch(r"\d+", name)]
    for name in exports[: len(exports) - exports_to_keep]:
        tf.gfile.DeleteRecursively(os.path.join(export_dir_base, name))
