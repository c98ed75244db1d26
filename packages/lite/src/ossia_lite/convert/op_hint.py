"""`tf.lite.OpHint`: marks a part of a graph that is to become one operator. Only the names are here; marking is not
implemented."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public


@public("lite.OpHint")
class OpHint:
    """Marks the inputs and outputs of a part of a graph that is to become one operator.

    Args:
        function_name: The name of the operator.
        level: The level of nested hints.
        children_inputs_mappings: How inputs and outputs of hints inside belong together.
        **kwargs: Constant attributes of the operator.

    Raises:
        NotImplementedError: Always.
    """

    FUNCTION_NAME_ATTR = "_tflite_function_name"
    FUNCTION_UUID_ATTR = "_tflite_function_uuid"
    FUNCTION_INPUT_INDEX_ATTR = "_tflite_function_input_index"
    FUNCTION_OUTPUT_INDEX_ATTR = "_tflite_function_output_index"
    FUNCTION_SORT_INDEX_ATTR = "_tflite_function_sort_index"
    FUNCTION_AGGREGATE_ATTR = "_tflite_function_aggregate"
    TFLITE_INPUT_INDICES = "_tflite_input_indices"
    FUNCTION_LEVEL_ATTR = "_tflite_ophint_level"
    CHILDREN_INPUTS_MAPPINGS = "_tflite_children_ophint_inputs_mapping"
    AGGREGATE_STACK = "stack"
    AGGREGATE_FIRST = "first"
    AGGREGATE_LAST = "last"

    class OpHintArgumentTracker:
        """Counts the inputs or outputs of a hint.

        Raises:
            NotImplementedError: Always.
        """

        def __init__(
            self,
            function_name: str,
            unique_function_id: str,
            node_name_prefix: str,
            attr_name: str,
            level: int = 1,
            children_inputs_mappings: Any = None,
        ) -> None:
            raise NotImplementedError("tf.lite.OpHint.OpHintArgumentTracker")

        def add(
            self, arg: Any, tag: Any = None, name: Any = None, aggregate: Any = None, index_override: Any = None
        ) -> Any:
            """Marks a tensor.

            Raises:
                NotImplementedError: Always.
            """
            raise NotImplementedError("tf.lite.OpHint.OpHintArgumentTracker.add")

    def __init__(self, function_name: str, level: int = 1, children_inputs_mappings: Any = None, **kwargs: Any) -> None:
        raise NotImplementedError("tf.lite.OpHint")

    def add_input(self, *args: Any, **kwargs: Any) -> Any:
        """Marks an input.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tf.lite.OpHint.add_input")

    def add_inputs(self, *args: Any, **kwargs: Any) -> Any:
        """Marks inputs.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tf.lite.OpHint.add_inputs")

    def add_output(self, *args: Any, **kwargs: Any) -> Any:
        """Marks an output.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tf.lite.OpHint.add_output")

    def add_outputs(self, *args: Any, **kwargs: Any) -> Any:
        """Marks outputs.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("tf.lite.OpHint.add_outputs")


@public("lite.experimental.convert_op_hints_to_stubs")
def convert_op_hints_to_stubs(
    session: Any = None, graph_def: Any = None, write_callback: Any = (lambda graph_def, comments: None)
) -> Any:
    """Replaces the marked parts of a graph by single ops.

    Raises:
        NotImplementedError: Always.
    """
    raise NotImplementedError("tf.lite.experimental.convert_op_hints_to_stubs")
