"""`tf.lite.TFLiteConverter`: graphs to `.tflite` models."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from ossia_core.graph.graph import Graph
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_lite.convert import constants
from ossia_lite.convert.dumps import Dumps
from ossia_lite.convert.frozen import cut, freeze, read_graph_def
from ossia_lite.convert.lowering import lower, plain_name
from ossia_lite.convert.passes.fold_batch_norm import fold_batch_norm
from ossia_lite.convert.passes.fuse_activations import fuse_activations
from ossia_lite.convert.passes.prune import give_biases, prune
from ossia_lite.convert.quantization.choice import written
from ossia_lite.convert.settings import OpsSet, Optimize, TargetSpec
from ossia_lite.inspect.drawing import dot
from ossia_lite.reader import read_model


@public("lite.TFLiteConverter")
class TFLiteConverter:
    """Converts a graph to a `.tflite` model. Made by `from_session`, `from_frozen_graph` or `from_saved_model`.

    Attributes:
        inference_type: The type of real numbers in the model: `tf.float32`, or, for graphs that were trained with fake
            quantization, `tf.uint8` or `tf.int8`.
        inference_input_type, inference_output_type: The type of inputs and outputs: `tf.int8`, `tf.uint8` or
            `tf.float32`; by default `inference_type`.
        output_format: `tf.lite.constants.TFLITE`, or `GRAPHVIZ_DOT` for a drawing of the model.
        quantized_input_stats: For integer inputs, by name, the integer that stands for zero and how many there are
            to one.
        default_ranges_stats: The range of activations that no fake quantization says.
        change_concat_input_ranges: Whether what is concatenated gets the range of the result.
        reorder_across_fake_quant: Ops and fake quantization keep their order here either way.
        drop_control_dependency: Control dependencies are always left out.
        allow_custom_ops: Whether ops without a lowering become custom operators.
        post_training_quantize: Deprecated; `optimizations=[tf.lite.Optimize.DEFAULT]`.
        dump_graphviz_dir: A folder for drawings of the model before and after the passes.
        dump_graphviz_video: Whether there is a drawing after each pass, too.
        conversion_summary_dir: Nothing is written there, as the original does not.
        optimizations: `tf.lite.Optimize` values; any of them quantizes.
        representative_dataset: With it, activations are quantized too: a `tf.lite.RepresentativeDataset`, or its
            function.
        target_spec: A `tf.lite.TargetSpec`.

    Args:
        graph_def: A GraphDef without variables.
        input_tensors: Tensors that are fed, or None with `input_arrays_with_shape`.
        output_tensors: Tensors that are fetched, or None with `output_arrays`.
        input_arrays_with_shape: Pairs of a name and a shape, where there are no tensors.
        output_arrays: Names.
        experimental_debug_info_func: Not used.

    Raises:
        ValueError: There are no tensors and no names.
    """

    def __init__(
        self,
        graph_def: Any,
        input_tensors: Sequence[Any] | None,
        output_tensors: Sequence[Any] | None,
        input_arrays_with_shape: Sequence[tuple[str, Sequence[int]]] | None = None,
        output_arrays: Sequence[str] | None = None,
        experimental_debug_info_func: Any = None,
    ) -> None:
        if not (input_tensors and output_tensors) and not (input_arrays_with_shape and output_arrays):
            raise ValueError(
                "If input_tensors and output_tensors are None, both input_arrays_with_shape and output_arrays must be "
                "defined."
            )
        self._graph_def = graph_def
        self._inputs: dict[str, tuple[Any, Any]] = {}
        if input_tensors and output_tensors:
            self._inputs = {tensor.name: (tensor.dtype.base_dtype, _sizes(tensor)) for tensor in input_tensors}
            self._outputs = [tensor.name for tensor in output_tensors]
        else:
            self._inputs = {_tensor_name(name): (None, shape) for name, shape in input_arrays_with_shape or ()}
            self._outputs = [_tensor_name(name) for name in output_arrays or ()]
        self.inference_type: Any = constants.FLOAT
        self.inference_input_type: Any = None
        self.inference_output_type: Any = None
        self.output_format = constants.TFLITE
        self.quantized_input_stats: Mapping[str, tuple[float, float]] = {}
        self.default_ranges_stats: tuple[float, float] | None = None
        self.drop_control_dependency = True
        self.reorder_across_fake_quant = False
        self.change_concat_input_ranges = False
        self.allow_custom_ops = False
        self.dump_graphviz_dir: str | None = None
        self.dump_graphviz_video = False
        self.conversion_summary_dir: str | None = None
        self.optimizations: Sequence[Any] = []
        self.representative_dataset: Any = None
        self.target_spec = TargetSpec()

    @property
    def target_ops(self) -> Any:
        """The old name of `target_spec.supported_ops`."""
        _deprecated("target_ops", "target_spec.supported_ops")
        return self.target_spec.supported_ops

    @target_ops.setter
    def target_ops(self, value: Any) -> None:
        _deprecated("target_ops", "target_spec.supported_ops")
        self.target_spec.supported_ops = value

    @property
    def post_training_quantize(self) -> bool:
        """Whether `optimizations` has `tf.lite.Optimize.DEFAULT`."""
        _deprecated("post_training_quantize", "optimizations=[Optimize.DEFAULT]")
        return Optimize.DEFAULT in set(self.optimizations)

    @post_training_quantize.setter
    def post_training_quantize(self, value: bool) -> None:
        _deprecated("post_training_quantize", "optimizations=[Optimize.DEFAULT]")
        self.optimizations = [Optimize.DEFAULT] if value else []

    @classmethod
    def from_session(cls, sess: Any, input_tensors: Sequence[Any], output_tensors: Sequence[Any]) -> TFLiteConverter:
        """A converter of the graph of a session.

        Args:
            sess: The session, in which the variables are initialised.
            input_tensors: Tensors that are fed.
            output_tensors: Tensors that are fetched.
        """
        return cls(freeze(sess, output_tensors), input_tensors, output_tensors)

    @classmethod
    def from_frozen_graph(
        cls,
        graph_def_file: str | os.PathLike[str],
        input_arrays: Sequence[str],
        output_arrays: Sequence[str],
        input_shapes: Mapping[str, Sequence[int] | None] | None = None,
    ) -> TFLiteConverter:
        """A converter of a graph without variables in a file.

        Args:
            graph_def_file: The file, with a GraphDef, binary or text.
            input_arrays: Names of tensors that are fed, without `:0`.
            output_arrays: Names of tensors that are fetched.
            input_shapes: Their shapes, by name, where the graph does not have them.

        Raises:
            OSError: The file cannot be read or parsed.
            ValueError: The graph has variables, or not the tensors.
        """
        graph_def = read_graph_def(graph_def_file)
        return cls._from_graph_def(graph_def, input_arrays, output_arrays, input_shapes)

    @classmethod
    def _from_graph_def(
        cls, graph_def: Any, input_arrays: Sequence[str], output_arrays: Sequence[str], input_shapes: Any
    ) -> Any:
        import ossia_ops  # noqa: F401  (op types of the graph)
        from ossia_core.graph.import_graph import import_graph_def

        if not isinstance(input_arrays, (list, tuple)) or not isinstance(output_arrays, (list, tuple)):
            raise ValueError("input_arrays and output_arrays must be lists of names.")
        if any(node.op in ("Variable", "VariableV2", "VarHandleOp") for node in graph_def.node):
            raise ValueError("Please freeze the graph using freeze_graph.py.")
        graph = Graph()
        with graph.as_default():
            import_graph_def(graph_def, name="")
        missing = [name for name in (*input_arrays, *output_arrays) if not _has(graph, name)]
        if missing:
            raise ValueError(f"Invalid tensors '{','.join(missing)}' were found.")
        inputs = [graph.get_tensor_by_name(_tensor_name(name)) for name in input_arrays]
        for tensor in inputs:
            shape = (input_shapes or {}).get(plain_name(tensor))
            if shape is not None:
                tensor.set_shape(shape)
        return cls(graph_def, inputs, [graph.get_tensor_by_name(_tensor_name(name)) for name in output_arrays])

    @classmethod
    def from_saved_model(
        cls,
        saved_model_dir: str,
        input_arrays: Sequence[str] | None = None,
        input_shapes: Mapping[str, Any] | None = None,
        output_arrays: Sequence[str] | None = None,
        tag_set: Any = None,
        signature_key: str | None = None,
    ) -> TFLiteConverter:
        """A converter of a graph of a SavedModel.

        Args:
            saved_model_dir: Its directory.
            input_arrays: Names of tensors that are fed; by default those of the signature.
            input_shapes: Their shapes, by name.
            output_arrays: Names of tensors that are fetched; by default those of the signature.
            tag_set: The tags of the graph; `{"serve"}` by default.
            signature_key: The signature; `"serving_default"` by default.

        Raises:
            OSError: There is no SavedModel, or it cannot be parsed.
            ValueError: It has no such signature.
        """
        from ossia_checkpoint.saved_model import loader
        from ossia_core.session.session import Session

        with Graph().as_default(), Session() as session:
            meta_graph = loader.load(session, sorted(tag_set or {"serve"}), saved_model_dir)
            key = signature_key or "serving_default"
            if key not in meta_graph.signature_def:
                raise ValueError(
                    f"No '{key}' in the SavedModel's SignatureDefs. Possible values are "
                    f"'{','.join(sorted(meta_graph.signature_def))}'."
                )
            signature = meta_graph.signature_def[key]
            names = [
                [_tensor_name(name) for name in given] if given else sorted(info.name for info in part.values())
                for given, part in ((input_arrays, signature.inputs), (output_arrays, signature.outputs))
            ]
            inputs, outputs = ([session.graph.get_tensor_by_name(name) for name in part] for part in names)
            for tensor in inputs:
                shape = (input_shapes or {}).get(plain_name(tensor))
                if shape is not None:
                    tensor.set_shape(shape)
            return cls(freeze(session, outputs), inputs, outputs)

    @classmethod
    def from_keras_model_file(
        cls,
        model_file: str,
        input_arrays: Any = None,
        input_shapes: Any = None,
        output_arrays: Any = None,
        custom_objects: Any = None,
    ) -> TFLiteConverter:
        """Not implemented: models of Keras are not read here.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(
            "tf.lite.TFLiteConverter.from_keras_model_file: Ossia does not read Keras model files; "
            "export the model as a SavedModel or a frozen graph."
        )

    def get_input_arrays(self) -> list[str]:
        """The names of the tensors that are fed, without `:0`."""
        return [name.removesuffix(":0") for name in self._inputs]

    def convert(self) -> bytes:
        """Converts.

        Returns:
            The content of a `.tflite` file, or of a `.dot` file.

        Raises:
            ValueError: The shape of an input is not known, except for its first size, or settings contradict each
                other.
            ConverterError: Ops cannot be converted, or activations have no range; the message names all of them.
        """
        from ossia_core.session.session import Session

        self._check()
        dumps = Dumps(self.dump_graphviz_dir, self.dump_graphviz_video)
        graph, controls, inputs, outputs = cut(self._graph_def, self._fixed_inputs(), self._outputs)
        with Session(graph=graph) as session:
            model = lower(graph, controls, session, inputs, outputs, self.allow_custom_ops)
        fed, fetched = [model.index(tensor) for tensor in inputs], [model.index(tensor) for tensor in outputs]
        dumps.stage("AT_IMPORT", model, fed, fetched)
        fold_batch_norm(model, fetched)
        dumps.after_pass(model, fed, fetched)
        fuse_activations(model, fetched)
        dumps.after_pass(model, fed, fetched)
        give_biases(model)
        fed, fetched = prune(model, fed, fetched)
        dumps.after_pass(model, fed, fetched)
        dumps.stage("AFTER_TRANSFORMATIONS", model, fed, fetched)
        content = written(self, model, fed, fetched)
        if self.output_format == constants.GRAPHVIZ_DOT:
            return dot(read_model(content)).encode()
        return content

    def _fixed_inputs(self) -> dict[str, tuple[Any, list[int]]]:
        """Inputs with whole shapes: 1 for a first size that is not known."""
        fixed = {}
        for name, (dtype, shape) in self._inputs.items():
            if shape is None:
                raise ValueError(f"Provide an input shape for input array '{name.removesuffix(':0')}'.")
            sizes = [None if size is None or int(size) == -1 else int(size) for size in shape]
            if None in sizes[1:]:
                raise ValueError(
                    "None is only supported in the 1st dimension. "
                    f"Tensor '{name.removesuffix(':0')}' has invalid shape '{sizes}'."
                )
            fixed[name] = (dtype or self._dtype_of(name), [size or (1 if size is None else 0) for size in sizes])
        return fixed

    def _dtype_of(self, name: str) -> Any:
        for node in self._graph_def.node:
            if node.name == name.partition(":")[0] and "dtype" in node.attr:
                return dtypes.as_dtype(node.attr["dtype"].type)
        return dtypes.float32

    def _check(self) -> None:
        quantized = [
            name for name in ("inference_type", "inference_input_type")
            if getattr(self, name) in (constants.QUANTIZED_UINT8, constants.INT8)
        ]
        if self.optimizations and self.inference_type != constants.FLOAT:
            raise ValueError("`optimizations` require that `inference_type` is set to float.")
        self._check_data()
        missing = [name for name in self.get_input_arrays() if name not in (self.quantized_input_stats or {})]
        if self.quantized_input_stats and missing:
            raise ValueError(f"Quantization input stats are not available for input tensors '{','.join(missing)}'.")
        if quantized and missing and not self.optimizations:
            raise ValueError(f"std_dev and mean must be defined when {quantized[-1]} is QUANTIZED_UINT8 or INT8.")

    def _check_data(self) -> None:
        data = self.representative_dataset
        if data is None and set(self.target_spec.supported_ops) == {OpsSet.TFLITE_BUILTINS_INT8}:
            raise ValueError(
                "representative_dataset is required when specifying TFLITE_BUILTINS_INT8 or INT8 supported types."
            )
        if data is not None and getattr(data, "input_gen", data) is None:
            raise ValueError("Provide an input generator for representative_dataset")


def _deprecated(name: str, instead: str) -> None:
    warnings.warn(f"Property {name} is deprecated, please use {instead} instead.", stacklevel=3)


def _sizes(tensor: Any) -> list[int | None] | None:
    return None if tensor.shape.ndims is None else tensor.shape.as_list()


def _tensor_name(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _has(graph: Any, name: str) -> bool:
    try:
        graph.get_tensor_by_name(_tensor_name(name))
    except (KeyError, ValueError):
        return False
    return True
