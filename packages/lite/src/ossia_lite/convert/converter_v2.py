"""`tf.compat.v2.lite.TFLiteConverter`: the converter by its later interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_lite.convert.converter import TFLiteConverter
from ossia_lite.convert.settings import TargetSpec


@public("compat.v2.lite.TFLiteConverter")
class TFLiteConverterV2:
    """Converts a SavedModel to a `.tflite` model; made by `from_saved_model`.

    Attributes:
        allow_custom_ops, optimizations, representative_dataset, target_spec, inference_input_type,
            inference_output_type: As those of
            `tf.lite.TFLiteConverter`.

    Args:
        funcs: Concrete functions; not implemented.
        trackable_obj: Not used.

    Raises:
        NotImplementedError: Always, as there are no concrete functions here.
    """

    _converter: TFLiteConverter

    def __init__(self, funcs: Any, trackable_obj: Any = None) -> None:
        raise NotImplementedError("tf.compat.v2.lite.TFLiteConverter of concrete functions.")

    @classmethod
    def from_saved_model(
        cls, saved_model_dir: str, signature_keys: Sequence[str] | None = None, tags: Any = None
    ) -> TFLiteConverterV2:
        """A converter of a graph of a SavedModel.

        Args:
            saved_model_dir: Its directory.
            signature_keys: One signature; `["serving_default"]` by default.
            tags: The tags of the graph; `{"serve"}` by default.

        Raises:
            ValueError: There are several signatures, or there is none of this name.
            OSError: There is no SavedModel, or it cannot be parsed.
        """
        if signature_keys is not None and len(signature_keys) != 1:
            raise ValueError("Only support a single signature key.")
        made = cls.__new__(cls)
        made._converter = TFLiteConverter.from_saved_model(
            saved_model_dir, tag_set=tags, signature_key=signature_keys[0] if signature_keys else None
        )
        made.allow_custom_ops = False
        made.optimizations = []
        made.representative_dataset = None
        made.target_spec = TargetSpec()
        made.inference_input_type = made.inference_output_type = None
        return made

    allow_custom_ops: bool
    optimizations: Sequence[Any]
    representative_dataset: Any
    target_spec: TargetSpec
    inference_input_type: Any
    inference_output_type: Any

    @classmethod
    def from_concrete_functions(cls, funcs: Any) -> TFLiteConverterV2:
        """Not implemented.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tf.compat.v2.lite.TFLiteConverter.from_concrete_functions")

    @classmethod
    def from_keras_model(cls, model: Any) -> TFLiteConverterV2:
        """Not implemented.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tf.compat.v2.lite.TFLiteConverter.from_keras_model")

    def convert(self) -> bytes:
        """Converts.

        Returns:
            The content of a `.tflite` file.

        Raises:
            ValueError: The shape of an input is not known, except for its first size.
            ConverterError: Ops cannot be converted; the message names all of them.
        """
        for name in (
            "allow_custom_ops",
            "optimizations",
            "representative_dataset",
            "target_spec",
            "inference_input_type",
            "inference_output_type",
        ):
            setattr(self._converter, name, getattr(self, name))
        return self._converter.convert()
