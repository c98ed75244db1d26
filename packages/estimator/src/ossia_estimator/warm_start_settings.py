"""`tf.estimator.WarmStartSettings`: which weights of another model a new one begins with."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ossia_checkpoint.warm_start import warm_start
from ossia_core import files
from ossia_core.names import logging
from ossia_core.plugins.api_table import public


class _WarmStartSettings(NamedTuple):
    ckpt_to_initialize_from: str
    vars_to_warm_start: Any
    var_name_to_vocab_info: Mapping[str, Any]
    var_name_to_prev_var_name: Mapping[str, str]


@public("estimator.WarmStartSettings", "compat.v2.estimator.WarmStartSettings")
class WarmStartSettings(_WarmStartSettings):
    """Which variables of a new model begin with the values of another, as the arguments of `tf.train.warm_start`.

    Args:
        ckpt_to_initialize_from: A directory, whose newest checkpoint is read, or a checkpoint's prefix.
        vars_to_warm_start: Which variables: an expression for names, a list of them, or None.
        var_name_to_vocab_info: How vocabularies have changed, by the name of a variable.
        var_name_to_prev_var_name: Names in the checkpoint, where they differ.

    Raises:
        ValueError: No checkpoint is given.
    """

    __slots__ = ()

    def __new__(
        cls, ckpt_to_initialize_from: str, vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Mapping[str, Any] | None = None,
        var_name_to_prev_var_name: Mapping[str, str] | None = None,
    ) -> WarmStartSettings:
        """Describes the source; see the class."""
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(
            cls, ckpt_to_initialize_from, vars_to_warm_start, var_name_to_vocab_info or {},
            var_name_to_prev_var_name or {},
        )


def settings_from(given: Any) -> WarmStartSettings | None:
    """The settings for the argument `warm_start_from` of estimators.

    Raises:
        ValueError: It is neither None, a path nor settings.
    """
    if given is None or isinstance(given, WarmStartSettings):
        return given
    if not isinstance(given, (str, bytes)):
        raise ValueError(f"warm_start_from must be a string or a WarmStartSettings, instead got {type(given)}")
    path = given.decode() if isinstance(given, bytes) else given
    if files.file_system(path).exists(f"{path}/variables/variables.index"):
        path = f"{path}/variables/variables"  # of a SavedModel
    return WarmStartSettings(path)


def apply_settings(settings: WarmStartSettings) -> None:
    """Makes the variables of the default graph begin as the settings say."""
    logging.info("Warm-starting with WarmStartSettings: %s", settings)
    warm_start(*settings)
