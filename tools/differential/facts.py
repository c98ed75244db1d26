"""Asks TensorFlow 1.15 which dtypes its kernels take, and how `tf.raw_ops` names parameters.

`python facts.py FACTS.json`, with the interpreter that has it.
"""
import inspect
import json
import sys


def main(target):
    """Write `{"kernels": {op: [{attr: dtypes}]}, "parameters": {op: names}}`."""
    import tensorflow as tf
    from tensorflow.python.framework import kernels

    found = {}
    for kernel in kernels.get_all_registered_kernels().kernel:
        if kernel.device_type in ("CPU", "DEFAULT"):
            limits = {limit.name: [tf.as_dtype(item).name for item in limit.allowed_values.list.type]
                      for limit in kernel.constraint}
            found.setdefault(kernel.op, []).append(limits)
    parameters = {name: list(inspect.signature(getattr(tf.raw_ops, name)).parameters)
                  for name in dir(tf.raw_ops) if name[0].isupper()}
    with open(target, "w") as file:
        json.dump({"kernels": found, "parameters": parameters}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
