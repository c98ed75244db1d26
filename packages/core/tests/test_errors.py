"""Errors: codes, classes, texts that name the user's line, and pickling."""

import pickle
import subprocess
import sys

import pytest

import ossia as tf
import ossia_core
from ossia_core.names import errors
from ossia_core.session.run import failures

CODES = {
    1: "Cancelled", 2: "Unknown", 3: "InvalidArgument", 4: "DeadlineExceeded", 5: "NotFound", 6: "AlreadyExists",
    7: "PermissionDenied",
    8: "ResourceExhausted", 9: "FailedPrecondition", 10: "Aborted", 11: "OutOfRange", 12: "Unimplemented",
    13: "Internal", 14: "Unavailable",
    15: "DataLoss", 16: "Unauthenticated",
}  # fmt: skip


class FakeOp:
    name, type, node_def, _original_op = "rs", "Reshape", "a NodeDef", None
    traceback = [
        ("/home/me/train.py", 12, "<module>", "y = build()"),
        ("/home/me/train.py", 7, "build", "  return tf.reshape(x, [3])"),
        (ossia_core.__path__[0] + "/graph/graph.py", 99, "add_node", "op = Operation()"),
    ]


@pytest.mark.parametrize("code", CODES)
def test_classes(code):
    cls = getattr(errors, CODES[code] + "Error")
    assert errors.exception_type_from_error_code(code) is cls
    assert errors.error_code_from_exception_type(cls) == code
    error = cls(None, None, "went wrong")
    assert isinstance(error, errors.OpError)
    assert (str(error), error.message, error.error_code, error.op, error.node_def) == (
        "went wrong",
        "went wrong",
        code,
        None,
        None,
    )


def test_codes_without_a_class():
    for code in (0, 17):
        with pytest.raises(KeyError):
            errors.exception_type_from_error_code(code)
    assert errors.error_code_from_exception_type(ValueError) == errors.UNKNOWN
    assert errors.UnknownError(None, None, "m", 99).error_code == 99
    assert errors.OpError(None, None, "m", 42).error_code == 42


def test_text_names_the_operation_and_the_users_line():
    error = errors.InvalidArgumentError(None, FakeOp, "3 values do not fit")
    lines = str(error).splitlines()
    assert lines[:3] == ["3 values do not fit", "", "Original stack trace for 'rs':"]
    assert '  File "/home/me/train.py", line 7, in build' in lines and "    return tf.reshape(x, [3])" in lines
    assert "graph.py" not in str(error)
    assert error.message == "3 values do not fit" and error.op is FakeOp and error.node_def == "a NodeDef"
    assert error.args == () and repr(error) == "InvalidArgumentError()"


def test_text_follows_original_operations():
    class Gradient(FakeOp):
        name, _original_op, traceback = (
            "gradients/rs_grad/Reshape",
            FakeOp,
            [("/home/me/train.py", 20, "<module>", "tf.gradients(y, x)")],
        )

    text = str(errors.InternalError(None, Gradient, "m"))
    assert text.index("line 20") < text.index("...which was originally created as op 'rs', defined at") < text.index(
        "line 12"
    )


def test_all_frames_where_none_is_the_users():
    class Inner(FakeOp):
        traceback = FakeOp.traceback[2:]

    assert "graph.py" in str(errors.InternalError(None, Inner, "m"))


def test_attach_names_the_first_operation_only():
    error = errors.AbortedError(None, None, "m")
    assert str(error) == "m"
    assert error.attach(FakeOp) is error and error.attach(object()) is error and error.op is FakeOp
    assert error.message == "m\n\t [[node rs (defined at /home/me/train.py:7) ]]"
    assert str(error).startswith(error.message + "\n\nOriginal stack trace for 'rs':\n")


def test_operations_of_functions_are_named_only():
    error = errors.AbortedError(None, None, "m").attach(FakeOp, caller=FakeOp)
    assert (error.op, error.node_def, error.message) == (None, None, "m\n\t [[{{node rs}}]]")
    assert "train.py" in str(error)
    assert errors.AbortedError(None, None, "m").of_run().attach(FakeOp).message == "m"


@pytest.mark.parametrize(
    "error",
    [
        errors.DataLossError(None, FakeOp, "m"),
        errors.UnknownError(None, None, "m", 77),
        errors.OpError(None, None, "m", 5),
    ],
)
def test_pickle(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.message, again.error_code) == (
        type(error),
        str(error),
        "m",
        error.error_code,
    )


def test_import_needs_no_protobuf():
    code = (
        "import sys, ossia_core.names.errors, ossia_core.names.shapes, ossia_core.names.dtypes\n"
        "assert not {'google.protobuf', 'ml_dtypes'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_only_a_run_knows_is_refused_by_classes_of_its_own():
    with tf.Graph().as_default(), tf.Session() as session:
        inside = []

        def body(i):
            inside.append(i + 1)
            return inside[-1]

        tf.while_loop(lambda i: i < 3, body, [0])
        with pytest.raises(errors.InaccessibleTensorError):
            session.run(inside[0])
        with pytest.raises(errors.OperatorNotAllowedInGraphError):
            bool(tf.constant(True))
        with pytest.raises(errors.OperatorNotAllowedInGraphError):
            iter(tf.constant([1]))


def test_constants_are_not_made_of_tensors():
    with tf.Graph().as_default():
        with pytest.raises(TypeError, match="List of Tensors when single Tensor expected"):
            tf.constant(tf.constant(1.0))
        with pytest.raises(TypeError, match="Expected int32"):
            tf.constant(tf.constant(1.0), tf.int32)


@pytest.mark.parametrize(
    "said, dims, kind",
    [
        ("(1, 2147483647) and data type float32", "[1,2147483647]", "float"),
        ("(9,) and data type object", "[9]", "string"),
    ],
)
def test_arrays_too_large_are_described_as_tensors(said, dims, kind):
    error = failures.convert(MemoryError(f"Unable to allocate 8.00 GiB for an array with shape {said}"))
    assert type(error) is errors.ResourceExhaustedError
    assert error.message == f"OOM when allocating tensor with shape{dims} and type {kind}"


def test_what_refuses_to_make_a_kernel_raises_the_error_of_its_node():
    with tf.Graph().as_default():
        node = tf.constant(1.0, name="window").op
    error = failures.refused(ValueError("no such window"), node)
    assert type(error) is errors.InvalidArgumentError and error.op is node and "no such window" in str(error)
