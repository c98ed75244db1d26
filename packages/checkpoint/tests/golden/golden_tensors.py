"""The tensors in the golden checkpoints, computed alike by the script that wrote them and by the tests that read them."""

import numpy as np

NUMBERS = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def tensors():
    """Name to array, in the order in which they were saved; strings as object arrays of bytes."""
    made = {
        "dense/kernel": (np.arange(12, dtype=np.float32).reshape(3, 4) - 5) / 4,
        "dense/bias": np.float32([0.5, -1.5]),
    }
    for name in NUMBERS:
        made["types/" + name] = (np.arange(6) % 5).astype(name).reshape(2, 3)
    made["types/bool"] = np.array([True, False, True])
    made["types/complex64"] = np.array([1 + 2j, -3.5j], np.complex64)
    made["types/complex128"] = np.array([[1 + 2j], [-3.5j]], np.complex128)
    made["scalar"] = np.array(7, np.int64)
    made["empty"] = np.zeros((0, 3), np.float32)
    made["strings"] = np.array([b"", b"abc", b"\x00\xff", b"long " * 40], object).reshape(2, 2)
    made["string"] = np.array(b"one", object)
    made["no_strings"] = np.zeros((0,), object)
    for i in range(40):  # several restarts of a block, keys with long common prefixes
        made["many/layer_%d/weights/Adam" % i] = np.int32([i])
    return made


PARTITIONED = np.arange(20, dtype=np.float32).reshape(5, 4)
PARTS = [("5 4 0,2:-", 0, 2), ("5 4 2,2:-", 2, 4), ("5 4 4,1:-", 4, 5)]  # slice spec, first row, end
