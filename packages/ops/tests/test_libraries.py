"""Libraries that were compiled for TensorFlow are refused, and the error says what to do."""

import pytest

import ossia as tf


def test_compiled_libraries(tmp_path):
    library = tmp_path / "ops.so"
    for load in (tf.load_op_library, tf.load_file_system_library):
        with pytest.raises(tf.errors.NotFoundError, match="No such file"):
            load(str(library))
    with pytest.raises(FileNotFoundError):
        tf.load_library(str(library))
    library.write_bytes(b"")
    for load in (tf.load_op_library, tf.load_library):
        with pytest.raises(tf.errors.UnimplementedError, match="plugin"):
            load(str(library))
