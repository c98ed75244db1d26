"""`tf.lite.Interpreter`: runs a `.tflite` model."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ossia_core import files
from ossia_core.names.errors import OpError
from ossia_core.plugins.api_table import public
from ossia_lite.execution import Subgraph
from ossia_lite.reader import read_model
from ossia_lite.tensors import TensorInfo


class _Lender:
    """What views of a tensor hold on to, so that the interpreter can tell whether one is left."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array
        self.__array_interface__ = array.__array_interface__


@public("lite.Interpreter", "compat.v2.lite.Interpreter")
class Interpreter:
    """Runs a `.tflite` model.

    Args:
        model_path: The file.
        model_content: Its content, instead.
        experimental_delegates: Must be empty: there are no delegates here.
        num_threads: How many threads may be used. NumPy's own setting decides; the value is only checked.

    Raises:
        ValueError: Neither or both of path and content are given, the file cannot be read, or the model is damaged.
        NotImplementedError: Delegates are given, or an operator has no kernel; the message names it.
    """

    def __init__(
        self,
        model_path: str | os.PathLike[str] | None = None,
        model_content: bytes | None = None,
        experimental_delegates: Sequence[Any] | None = None,
        num_threads: int | None = None,
    ) -> None:
        if (model_path is None) == (model_content is None):
            raise ValueError("`model_path` or `model_content` must be specified, and only one of them.")
        if num_threads is not None and (not isinstance(num_threads, int) or num_threads < 1):
            raise ValueError("num_threads should be an integer of at least 1")
        if experimental_delegates:
            raise NotImplementedError("tf.lite.Interpreter with experimental_delegates.")
        if model_path is not None:
            path = os.fsdecode(model_path)
            try:
                with files.file_system(path).open(path, "rb") as stream:
                    model_content = stream.read()
            except (OSError, OpError) as error:
                raise ValueError(f"Could not open '{path}': {error}") from None
        self._model = read_model(model_content or b"")
        resources: dict[Any, Any] = {}
        self._subgraphs = [
            Subgraph(self._model, index, self._run_subgraph, resources) for index in range(len(self._model.subgraphs))
        ]
        self._main = self._subgraphs[0]
        self._allocated = False
        self._lent: list[weakref.ref[_Lender]] = []

    def allocate_tensors(self) -> None:
        """Makes the tensors; to be called before the first run, and after an input was resized.

        Raises:
            RuntimeError: A view of a tensor still exists, or the shapes of inputs do not fit the model.
        """
        self._refuse_views()
        self._main.allocate()
        self._allocated = True

    def get_input_details(self) -> list[dict[str, Any]]:
        """A dictionary for each input.

        Its keys: `name`, `index`, `shape`, `shape_signature`, `dtype`, `quantization` (the scale and zero point, zeros
        if there is not exactly one), `quantization_parameters` and `sparsity_parameters`.
        """
        return [self._details(index) for index in self._main.inputs]

    def get_output_details(self) -> list[dict[str, Any]]:
        """A dictionary for each output, as `get_input_details` has for inputs."""
        return [self._details(index) for index in self._main.outputs]

    def get_tensor_details(self) -> list[dict[str, Any]]:
        """A dictionary for each tensor, as `get_input_details` has for inputs."""
        return [self._details(info.index) for info in self._main.tensors]

    def _details(self, index: int) -> dict[str, Any]:
        info = self._main.tensors[index]
        one = info.scales.size == 1
        dtype = np.bytes_ if info.type == "STRING" else info.dtype
        return {
            "name": info.name,
            "index": index,
            "shape": np.array(self._main.shape(index), np.int32),
            "shape_signature": np.array(info.signature, np.int32),
            "dtype": dtype,
            "quantization": (info.scale, info.zero_point) if one else (0.0, 0),
            "quantization_parameters": {
                "scales": info.scales,
                "zero_points": info.zero_points.astype(np.int32),
                "quantized_dimension": info.axis,
            },
            "sparsity_parameters": {},
        }

    def set_tensor(self, tensor_index: int, value: Any) -> None:
        """Copies a value into a tensor.

        Args:
            tensor_index: The tensor, by the `index` of its details.
            value: An array of its type and shape.

        Raises:
            ValueError: There is no such tensor, it is not writable, or the value has another type or shape.
        """
        info = self._info(tensor_index)
        if not isinstance(value, np.ndarray):
            value = np.array(value)
        value = np.asarray(value)
        place = f"for input {tensor_index}, name: {info.name}"
        if info.type == "STRING":
            if value.dtype.kind not in "SOU":
                raise ValueError(f"Cannot set tensor: Got value of type {value.dtype} but expected type STRING {place}")
        elif value.dtype != np.dtype(info.dtype):
            got = value.dtype.name.upper()
            raise ValueError(f"Cannot set tensor: Got value of type {got} but expected type {info.type} {place}")
        held = self._held(tensor_index)
        if value.shape != held.shape:
            raise ValueError(
                f"Cannot set tensor: Dimension mismatch. Got {value.shape} but expected {held.shape} {place}"
            )
        if not held.flags.writeable:
            raise ValueError(f"Cannot set tensor: it is constant {place}")
        held[...] = value

    def get_tensor(self, tensor_index: int) -> np.ndarray:
        """A copy of a tensor's value.

        Args:
            tensor_index: The tensor, by the `index` of its details.

        Raises:
            ValueError: There is no such tensor, or it has no value yet.
        """
        return self._held(tensor_index).copy()

    def tensor(self, tensor_index: int) -> Callable[[], np.ndarray]:
        """A function that returns a view of a tensor's value, without a copy.

        While such a view exists, `invoke` and `allocate_tensors` refuse to run, since they may replace the tensor.
        Keep the function, not what it returns.

        Args:
            tensor_index: The tensor, by the `index` of its details.

        Raises:
            ValueError: There is no such tensor, or, from the function, it has no value yet.
        """
        self._info(tensor_index)

        def view() -> np.ndarray:
            lender = _Lender(self._held(tensor_index))
            self._lent.append(weakref.ref(lender))
            return np.asarray(lender)

        return view

    def resize_tensor_input(self, input_index: int, tensor_size: Sequence[int], strict: bool = False) -> None:
        """Gives an input another shape; `allocate_tensors` has to follow.

        Args:
            input_index: The input, by the `index` of its details.
            tensor_size: Its new shape.
            strict: Whether only dimensions whose size is unknown (-1 in `shape_signature`) may change.

        Raises:
            ValueError: It is not an input, or the shape cannot be.
        """
        self._refuse_views()
        info = self._info(input_index)
        shape = tuple(int(size) for size in np.asarray(tensor_size).reshape(-1))
        if input_index not in self._main.inputs or any(size < 0 for size in shape):
            raise ValueError(f"Tensor {input_index} cannot be resized to {shape}.")
        if strict and (
            len(shape) != len(info.signature)
            or any(known not in (-1, size) for known, size in zip(info.signature, shape, strict=False))
        ):
            raise ValueError(
                f"ResizeInputTensorStrict only allows mutating unknown dimensions: {info.signature} to {shape}."
            )
        self._main.resize(input_index, shape)
        self._allocated = False

    def invoke(self) -> None:
        """Runs the model on what its inputs hold.

        Raises:
            RuntimeError: The tensors are not allocated, a view of one still exists, or an operator fails; the message
                names it.
        """
        if not self._allocated:
            raise RuntimeError("Invoke called on model that is not ready: call allocate_tensors() first.")
        self._refuse_views()
        self._main.run()

    def step_times(self) -> list[tuple[str, str, float]]:
        """Runs the model once and times each operator.

        Returns:
            For each operator of the main subgraph its kind, the name of its first result, and the seconds it took.

        Raises:
            RuntimeError: As `invoke`.
        """
        if not self._allocated:
            raise RuntimeError("Invoke called on model that is not ready: call allocate_tensors() first.")
        self._refuse_views()
        return self._main.timed_run()

    def computed_details(self) -> list[dict[str, Any]]:
        """A dictionary, as `get_input_details` has, for each tensor that an operator computes, in their order."""
        return [self._details(index) for index in self._main.computed()]

    def reset_all_variables(self) -> None:
        """Sets all variable tensors to zero."""
        for subgraph in self._subgraphs:
            subgraph.reset_variables()

    def get_signature_list(self) -> dict[str, dict[str, list[str]]]:
        """The signatures of the model: for each key the names of its `inputs` and `outputs`."""
        return {
            signature.signature_key or "": {
                "inputs": sorted(entry.name for entry in signature.inputs or ()),
                "outputs": sorted(entry.name for entry in signature.outputs or ()),
            }
            for signature in self._model.signature_defs
        }

    def get_signature_runner(self, signature_key: str | None = None) -> SignatureRunner:
        """A function that runs the model by the names of a signature.

        Args:
            signature_key: The signature; may be left out if there is only one.

        Raises:
            ValueError: There is no such signature, or several and no key.
        """
        known = {signature.signature_key or "": signature for signature in self._model.signature_defs}
        if signature_key is None:
            if len(known) != 1:
                raise ValueError(
                    f"SignatureDef signature_key is None and model has {len(known)} Signatures: {sorted(known)}"
                )
            signature_key = next(iter(known))
        if signature_key not in known:
            raise ValueError(f"Invalid signature_key provided: {signature_key!r}; the model has {sorted(known)}.")
        signature = known[signature_key]
        return SignatureRunner(
            self._subgraphs[signature.subgraph_index], signature.inputs or (), signature.outputs or ()
        )

    def _run_subgraph(self, index: int, inputs: list[np.ndarray]) -> list[np.ndarray]:
        return self._subgraphs[index].call(inputs)

    def _info(self, index: int) -> TensorInfo:
        if not 0 <= index < len(self._main.tensors):
            raise ValueError(f"Tensor with no shape found: there is no tensor {index}.")
        return self._main.tensors[index]

    def _held(self, index: int) -> np.ndarray:
        self._info(index)
        value = self._main.values[index]
        if value is None:
            raise ValueError("Tensor data is null. Run allocate_tensors() first")
        return value

    def _refuse_views(self) -> None:
        self._lent = [lent for lent in self._lent if lent() is not None]
        if self._lent:
            raise RuntimeError(
                "There is at least 1 reference to internal data in the interpreter in the form of a numpy array or "
                "slice. Be sure to only hold the function returned from tensor() if you are using raw data access."
            )


class SignatureRunner:
    """Runs a signature of a model: called with its inputs by name, it returns its outputs by name."""

    def __init__(self, subgraph: Subgraph, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        self._subgraph = subgraph
        self._inputs = {entry.name: entry.tensor_index for entry in inputs}
        self._outputs = {entry.name: entry.tensor_index for entry in outputs}

    def __call__(self, **inputs: Any) -> Mapping[str, np.ndarray]:
        """Runs the signature.

        Args:
            **inputs: An array for each input.

        Raises:
            ValueError: The names are not those of the inputs.
            RuntimeError: An operator fails.
        """
        if set(inputs) != set(self._inputs):
            raise ValueError(f"Invalid inputs {sorted(inputs)}: the signature has {sorted(self._inputs)}.")
        arrays = {
            index: np.asarray(inputs[name], self._subgraph.tensors[index].dtype) for name, index in self._inputs.items()
        }
        for index, array in arrays.items():
            if array.shape != self._subgraph.shape(index):
                self._subgraph.resize(index, array.shape)
        self._subgraph.call([arrays[index] for index in self._subgraph.inputs])
        return {name: self._subgraph.values[index].copy() for name, index in sorted(self._outputs.items())}
