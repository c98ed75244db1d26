"""`tf.lite.TocoConverter` and `tf.lite.toco_convert`: the converter by its older names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_lite.convert.converter import TFLiteConverter


@public("lite.TocoConverter")
class TocoConverter:
    """The old name of `TFLiteConverter`."""

    @classmethod
    def from_session(cls, sess: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any]) -> TFLiteConverter:
        """As `TFLiteConverter.from_session`."""
        return TFLiteConverter.from_session(sess, input_tensors, output_tensors)

    @classmethod
    def from_frozen_graph(
        cls,
        graph_def_file: Any,
        input_arrays: Sequence[str],
        output_arrays: Sequence[str],
        input_shapes: Any = None,
    ) -> TFLiteConverter:
        """As `TFLiteConverter.from_frozen_graph`."""
        return TFLiteConverter.from_frozen_graph(graph_def_file, input_arrays, output_arrays, input_shapes)

    @classmethod
    def from_saved_model(
        cls,
        saved_model_dir: str,
        input_arrays: Any = None,
        input_shapes: Any = None,
        output_arrays: Any = None,
        tag_set: Any = None,
        signature_key: str | None = None,
    ) -> TFLiteConverter:
        """As `TFLiteConverter.from_saved_model`."""
        return TFLiteConverter.from_saved_model(
            saved_model_dir, input_arrays, input_shapes, output_arrays, tag_set, signature_key
        )

    @classmethod
    def from_keras_model_file(
        cls,
        model_file: str,
        input_arrays: Any = None,
        input_shapes: Any = None,
        output_arrays: Any = None,
    ) -> TFLiteConverter:
        """As `TFLiteConverter.from_keras_model_file`."""
        return TFLiteConverter.from_keras_model_file(model_file, input_arrays, input_shapes, output_arrays)


@public("lite.toco_convert")
def toco_convert(
    input_data: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any], *args: Any, **kwargs: Any
) -> bytes:
    """Converts a GraphDef without variables.

    Args:
        input_data: The GraphDef.
        input_tensors: Tensors that are fed.
        output_tensors: Tensors that are fetched.
        *args: Must be empty.
        **kwargs: Attributes of `TFLiteConverter`, such as `allow_custom_ops=True`.

    Returns:
        The content of a `.tflite` file.

    Raises:
        TypeError: An argument is not known.
        ConverterError: Ops cannot be converted.
    """
    if args:
        raise TypeError("toco_convert takes its settings by name.")
    converter = TFLiteConverter(input_data, input_tensors, output_tensors)
    for name, value in kwargs.items():
        if not hasattr(converter, name):
            raise TypeError(f"toco_convert got an unexpected argument '{name}'.")
        setattr(converter, name, value)
    return converter.convert()
