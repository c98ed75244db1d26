"""Signatures: which tensors of a graph are the inputs and the outputs of one use of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ossia_checkpoint.saved_model import constants
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.graph import Graph
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes, structures
from ossia_core.plugins.api_table import public


@public("saved_model.build_tensor_info", "saved_model.utils.build_tensor_info")
def build_tensor_info(tensor: Any) -> Any:
    """Describes a tensor by its name, dtype and static shape.

    Args:
        tensor: A Tensor, SparseTensor, or another value made of tensors.

    Returns:
        A `TensorInfo` message.
    """
    from ossia_core.proto import TensorInfo

    made = TensorInfo()
    if isinstance(tensor, SparseTensor):
        made.coo_sparse.values_tensor_name = tensor.values.name
        made.coo_sparse.indices_tensor_name = tensor.indices.name
        made.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    elif isinstance(tensor, structures.CompositeTensor):
        return _composite_info(tensor)
    made.dtype = dtypes.as_dtype(tensor.dtype).as_datatype_enum
    made.tensor_shape.CopyFrom(tensor.shape.as_proto())
    if not isinstance(tensor, SparseTensor):
        made.name = tensor.name
    return made


def _composite_info(tensor: Any) -> Any:
    from ossia_core.names import nest
    from ossia_core.proto import TensorInfo

    made = TensorInfo(dtype=dtypes.as_dtype(tensor.dtype).as_datatype_enum)
    made.tensor_shape.CopyFrom(tensor.shape.as_proto())
    for component in nest.flatten(tensor, expand_composites=True):
        made.composite_tensor.components.add().CopyFrom(build_tensor_info(component))
    return made


@public("saved_model.get_tensor_from_tensor_info", "saved_model.utils.get_tensor_from_tensor_info")
def get_tensor_from_tensor_info(tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None) -> Any:
    """The tensor of a graph that a `TensorInfo` describes.

    Args:
        tensor_info: The message.
        graph: The graph, by default the default graph.
        import_scope: The name scope that the described graph was imported into.

    Returns:
        A Tensor, or a SparseTensor.

    Raises:
        KeyError: The graph has no such tensor.
        ValueError: The message names no tensor.
    """
    graph = graph or get_default_graph()

    def tensor(name: str) -> Any:
        return graph.get_tensor_by_name(f"{import_scope}/{name}" if import_scope else name)

    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return tensor(tensor_info.name)
    if encoding == "coo_sparse":
        parts = tensor_info.coo_sparse
        return SparseTensor(
            tensor(parts.indices_tensor_name), tensor(parts.values_tensor_name), tensor(parts.dense_shape_tensor_name)
        )
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")


@public("saved_model.build_signature_def", "saved_model.signature_def_utils.build_signature_def")
def build_signature_def(
    inputs: Mapping[str, Any] | None = None, outputs: Mapping[str, Any] | None = None, method_name: str | None = None
) -> Any:
    """Puts a signature together.

    Args:
        inputs: `TensorInfo` messages by name.
        outputs: `TensorInfo` messages by name.
        method_name: What servers take the signature for.

    Returns:
        A `SignatureDef` message.
    """
    from ossia_core.proto import SignatureDef

    made = SignatureDef()
    for name, info in (inputs or {}).items():
        made.inputs[name].CopyFrom(info)
    for name, info in (outputs or {}).items():
        made.outputs[name].CopyFrom(info)
    if method_name is not None:
        made.method_name = method_name
    return made


@public("saved_model.regression_signature_def", "saved_model.signature_def_utils.regression_signature_def")
def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """The signature of a regression: serialised Examples in, one number for each out.

    Args:
        examples: A tensor of strings.
        predictions: A tensor of float32.

    Raises:
        ValueError: An argument is None or of another dtype.
    """
    if examples is None:
        raise ValueError("Regression examples cannot be None.")
    if predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    example = _info(examples, dtypes.string, "Regression examples must be a string Tensor.")
    prediction = _info(predictions, dtypes.float32, "Regression output must be a float Tensor.")
    return build_signature_def(
        {constants.REGRESS_INPUTS: example}, {constants.REGRESS_OUTPUTS: prediction}, constants.REGRESS_METHOD_NAME
    )


@public("saved_model.classification_signature_def", "saved_model.signature_def_utils.classification_signature_def")
def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """The signature of a classification: serialised Examples in, names of classes or scores or both out.

    Args:
        examples: A tensor of strings.
        classes: A tensor of strings, or None.
        scores: A tensor of float32, or None.

    Raises:
        ValueError: An argument is of another dtype, or both outputs are None.
    """
    if examples is None:
        raise ValueError("Classification examples cannot be None.")
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    example = _info(examples, dtypes.string, "Classification examples must be a string Tensor.")
    outputs = {}
    if classes is not None:
        outputs[constants.CLASSIFY_OUTPUT_CLASSES] = _info(
            classes, dtypes.string, "Classification classes must be a string Tensor."
        )
    if scores is not None:
        outputs[constants.CLASSIFY_OUTPUT_SCORES] = _info(
            scores, dtypes.float32, "Classification scores must be a float Tensor."
        )
    return build_signature_def({constants.CLASSIFY_INPUTS: example}, outputs, constants.CLASSIFY_METHOD_NAME)


@public("saved_model.predict_signature_def", "saved_model.signature_def_utils.predict_signature_def")
def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    """The signature of a general prediction.

    Args:
        inputs: Tensors by name.
        outputs: Tensors by name.

    Raises:
        ValueError: There are no inputs or no outputs.
    """
    if not inputs:
        raise ValueError("Prediction inputs cannot be None or empty.")
    if not outputs:
        raise ValueError("Prediction outputs cannot be None or empty.")
    return build_signature_def(
        {name: build_tensor_info(tensor) for name, tensor in inputs.items()},
        {name: build_tensor_info(tensor) for name, tensor in outputs.items()},
        constants.PREDICT_METHOD_NAME,
    )


def _info(tensor: Any, dtype: Any, refusal: str) -> Any:
    info = build_tensor_info(tensor)
    if info.dtype != dtype.as_datatype_enum:
        raise ValueError(refusal)
    return info


@public("saved_model.is_valid_signature", "saved_model.signature_def_utils.is_valid_signature")
def is_valid_signature(signature_def: Any) -> bool:
    """Whether servers can use a signature: as a classification, a regression or a prediction.

    Args:
        signature_def: A `SignatureDef` message, or None.
    """
    if signature_def is None:
        return False
    kinds = (_is_classification, _is_regression, _is_prediction)
    return any(is_kind(signature_def) for is_kind in kinds)


def _is_prediction(signature: Any) -> bool:
    named = signature.method_name == constants.PREDICT_METHOD_NAME
    return named and len(signature.inputs) > 0 and len(signature.outputs) > 0


def _is_regression(signature: Any) -> bool:
    return (
        signature.method_name == constants.REGRESS_METHOD_NAME
        and _holds(signature.inputs, {constants.REGRESS_INPUTS: dtypes.string})
        and _holds(signature.outputs, {constants.REGRESS_OUTPUTS: dtypes.float32})
    )


def _is_classification(signature: Any) -> bool:
    wanted = {
        constants.CLASSIFY_OUTPUT_CLASSES: dtypes.string,
        constants.CLASSIFY_OUTPUT_SCORES: dtypes.float32,
    }
    outputs = {name: wanted[name] for name in signature.outputs if name in wanted}
    return (
        signature.method_name == constants.CLASSIFY_METHOD_NAME
        and _holds(signature.inputs, {constants.CLASSIFY_INPUTS: dtypes.string})
        and bool(outputs)
        and _holds(signature.outputs, outputs)
    )


def _holds(infos: Mapping[str, Any], wanted: dict[str, Any]) -> bool:
    """Whether these are just the wanted tensors, each of its dtype."""
    return set(infos) == set(wanted) and all(
        infos[name].dtype == dtype.as_datatype_enum for name, dtype in wanted.items()
    )


def op_signature_def(op: Any, key: str) -> Any:
    """The signature under which an operation is kept, with itself as its only output."""
    from ossia_core.proto import TensorInfo

    return build_signature_def(outputs={key: TensorInfo(name=op.name)})
