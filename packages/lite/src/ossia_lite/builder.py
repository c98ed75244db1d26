"""A model under construction: tensors, constants and operators are added one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_lite.operators import ACTIVATIONS, CUSTOM, OPERATOR_CODES, type_code
from ossia_lite.schema import Record, record
from ossia_lite.versions import operator_version, runtime_version


class ModelBuilder:
    """A model under construction: its first subgraph, and those of its children.

    Args:
        description: What the file says of itself.
    """

    def __init__(self, description: str = "Made by Ossia.") -> None:
        self.graph = record("SubGraph", tensors=[], inputs=[], outputs=[], operators=[], name="main")
        self.buffers = [record("Buffer")]
        self.codes: list[Record] = []
        self.children: list[ModelBuilder] = []
        self._description = description

    def child(self, name: str) -> tuple[int, ModelBuilder]:
        """Adds a subgraph.

        Args:
            name: Its name.

        Returns:
            Its index, and a builder of it, which shares buffers and kinds of operators with this one.
        """
        made = ModelBuilder.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.graph = record("SubGraph", tensors=[], inputs=[], outputs=[], operators=[], name=name)
        self.children.append(made)
        return len(self.children), made

    def tensor(
        self,
        name: str,
        shape: Sequence[int],
        dtype: Any,
        quantization: tuple[Any, Any] | None = None,
        axis: int = 0,
        variable: bool = False,
        signature: Sequence[int] | None = None,
    ) -> int:
        """Adds a tensor.

        Args:
            name: Its name.
            shape: Its shape.
            dtype: Its NumPy type.
            quantization: Scale and zero point, or a list of each.
            axis: The dimension to which lists of them belong.
            variable: Whether it keeps its value from one run to the next.
            signature: The shape with -1 for sizes that may be changed, if there are such.

        Returns:
            Its index.
        """
        details = None
        if quantization is not None:
            scales, zeros = (np.atleast_1d(part) for part in quantization)
            details = record(
                "QuantizationParameters",
                scale=scales.astype(np.float32).tolist(),
                zero_point=np.broadcast_to(zeros, scales.shape).astype(np.int64).tolist(),
                quantized_dimension=axis,
            )
        self.graph.tensors.append(
            record(
                "Tensor",
                name=name,
                shape=[int(size) for size in shape],
                type=type_code(dtype),
                buffer=0,
                quantization=details,
                is_variable=variable,
                shape_signature=None if signature is None else list(signature),
            )
        )
        return len(self.graph.tensors) - 1

    def constant(self, name: str, value: Any, quantization: tuple[Any, Any] | None = None, axis: int = 0) -> int:
        """Adds a constant tensor.

        Args:
            name: Its name.
            value: Its value.
            quantization: As for `tensor`.
            axis: As for `tensor`.

        Returns:
            Its index.
        """
        array = np.ascontiguousarray(value).reshape(np.shape(value))
        index = self.tensor(name, array.shape, array.dtype, quantization, axis)
        self.graph.tensors[index].buffer = len(self.buffers)
        self.buffers.append(record("Buffer", data=np.frombuffer(array.tobytes(), np.uint8)))
        return index

    def operator(
        self,
        name: str,
        inputs: Sequence[int],
        outputs: Sequence[int],
        options: Record | None = None,
        custom_options: bytes | None = None,
    ) -> Record:
        """Adds an operator.

        Args:
            name: The name of a builtin operator, or of a custom one.
            inputs: Tensors, -1 for one that is left out.
            outputs: Tensors.
            options: The record of its options.
            custom_options: The options of a custom operator.

        Returns:
            The operator.
        """
        code, custom = OPERATOR_CODES.get(name, CUSTOM), None if name in OPERATOR_CODES else name
        known = [(entry.builtin_code, entry.custom_code) for entry in self.codes]
        if (code, custom) not in known:
            known.append((code, custom))
            self.codes.append(record("OperatorCode", builtin_code=code, custom_code=custom, version=1))
        index = known.index((code, custom))
        made = record(
            "Operator",
            opcode_index=index,
            inputs=list(inputs),
            outputs=list(outputs),
            builtin_options=options,
            custom_options=None if custom_options is None else np.frombuffer(custom_options, np.uint8),
        )
        self.graph.operators.append(made)
        return made

    def name_of(self, operator: Record) -> str:
        """The name of an operator's kind.

        Args:
            operator: An operator of this model.
        """
        from ossia_lite.checks import operator_name

        return operator_name(self.codes[operator.opcode_index])

    def value(self, index: int) -> np.ndarray | None:
        """The value of a constant tensor, None if it is not constant.

        Args:
            index: The tensor.
        """
        from ossia_lite.tensors import constant_value

        return constant_value(record("Model", buffers=self.buffers), self.graph.tensors[index])

    def model(
        self,
        inputs: Sequence[int],
        outputs: Sequence[int],
        signature: tuple[dict[str, int], dict[str, int]] | None = None,
    ) -> Record:
        """The model.

        Args:
            inputs: The tensors that are fed.
            outputs: The tensors that are fetched.
            signature: Names of inputs and outputs, if it is to have a signature.

        Returns:
            A record of the table `Model`, with the lowest versions of operators and runtime that can run it.
        """
        self.graph.inputs, self.graph.outputs = list(inputs), list(outputs)
        graphs = [self.graph, *(child.graph for child in self.children)]
        for graph in graphs:
            for operator in graph.operators:
                code = self.codes[operator.opcode_index]
                code.version = max(code.version, operator_version(self.name_of(operator), operator, graph.tensors))
        operators = [operator for graph in graphs for operator in graph.operators]
        least = runtime_version((self.name_of(op), self.codes[op.opcode_index].version) for op in operators)
        buffers = [*self.buffers, record("Buffer", data=np.frombuffer(least.encode().ljust(16, b"\0"), np.uint8))]
        signatures = None
        if signature:
            maps = [
                [record("TensorMap", name=name, tensor_index=index) for name, index in part.items()]
                for part in signature
            ]
            signatures = [record("SignatureDef", inputs=maps[0], outputs=maps[1], signature_key="serving_default")]
        return record(
            "Model",
            version=3,
            operator_codes=self.codes,
            subgraphs=graphs,
            description=self._description,
            buffers=buffers,
            metadata=[record("Metadata", name="min_runtime_version", buffer=len(buffers) - 1)],
            signature_defs=signatures,
        )


def activation(name: str) -> int:
    """The number of a fused activation.

    Args:
        name: Such as `RELU`.
    """
    return ACTIVATIONS.index(name)
