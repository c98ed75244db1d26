"""`inspect_checkpoint`: prints what a checkpoint holds."""

from __future__ import annotations

import re

import numpy as np

import ossia as tf


def print_tensors_in_checkpoint_file(
    file_name: str, tensor_name: str | None, all_tensors: bool, all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Prints the tensors of a checkpoint, or their names and shapes alone.

    Args:
        file_name: Prefix of the checkpoint.
        tensor_name: The one tensor to print, if `all_tensors` and `all_tensor_names` are false.
        all_tensors: Whether to print every tensor.
        all_tensor_names: Whether to print every name.
        count_exclude_pattern: A regular expression of names to leave out of the number of values, which is printed
            last.
    """
    try:
        reader = tf.train.NewCheckpointReader(file_name)
        shapes = reader.get_variable_to_shape_map()
        if all_tensors or all_tensor_names:
            for name in sorted(shapes):
                print("tensor_name: ", name)
                if all_tensors:
                    print(reader.get_tensor(name))
        elif not tensor_name:
            print(reader.debug_string().decode("utf-8", errors="ignore"))
        elif not reader.has_tensor(tensor_name):
            print(f"Tensor {tensor_name} not found in checkpoint")
            return
        else:
            print("tensor_name: ", tensor_name)
            print(reader.get_tensor(tensor_name))
    except tf.errors.OpError as error:
        print(error)
        return
    counted = [shape for name, shape in shapes.items()
               if not (count_exclude_pattern and re.match(count_exclude_pattern, name))]
    print(f"# Total number of params: {sum(int(np.prod(shape)) for shape in counted)}")
