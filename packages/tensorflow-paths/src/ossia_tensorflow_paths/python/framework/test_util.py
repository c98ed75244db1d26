"""`test_util`: the decorators and checks of tests, for a program that builds graphs on a CPU."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import ossia as tf

TensorFlowTestCase = tf.test.TestCase
GetTempDir = tf.test.get_temp_dir
gpu_device_name = tf.test.gpu_device_name
is_gpu_available = tf.test.is_gpu_available


def _for_function_or_class(decorate: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A decorator that takes a test, a class of tests, or nothing."""

    def decorator(target: Any) -> Any:
        if not isinstance(target, type):
            return decorate(target)
        for name in dir(target):
            test = getattr(target, name)
            if callable(test) and name.startswith("test") and name not in ("test_session",):
                setattr(target, name, decorate(test))
        return target

    return decorator


def for_all_test_methods(decorator: Any, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """A decorator of a class that decorates each of its tests."""
    return _for_function_or_class(decorator(*args, **kwargs))


def _in_session(test: Any) -> Any:
    """The test, run in a graph and a session of its own."""

    @functools.wraps(test)
    def run(self: Any, *arguments: Any, **keywords: Any) -> Any:
        with self.test_session():
            return test(self, *arguments, **keywords)

    return run


def run_in_graph_and_eager_modes(
    func: Any = None, config: Any = None, use_gpu: bool = True, reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """A decorator of a test of both modes: it runs in a graph, within a session."""
    decorate = _for_function_or_class(_in_session)
    return decorate if func is None else decorate(func)


def run_all_in_graph_and_eager_modes(cls: Any) -> Any:
    """A decorator of a class of such tests."""
    return _for_function_or_class(_in_session)(cls)


def _unchanged(func: Any = None, *arguments: Any, **keywords: Any) -> Any:
    return (lambda target: target) if func is None else func


run_deprecated_v1 = deprecated_graph_mode_only = run_all_in_deprecated_graph_mode_only = _unchanged
build_as_function_and_v1_graph = run_in_async_and_sync_mode = also_run_as_tf_function = _unchanged
assert_no_new_tensors = assert_no_garbage_created = run_with_all_saved_model_formats = _unchanged
disable_all_xla = _unchanged


def run_v1_only(reason: str, func: Any = None) -> Any:
    """A decorator of a test of TensorFlow 1: it runs."""
    return _unchanged(func)


def disable_xla(description: str) -> Callable[[Any], Any]:
    """A decorator of a test that a compiler would not pass: it runs."""
    return _unchanged()


no_xla_auto_jit = xla_allow_fallback = disable_xla


def enable_control_flow_v2(fn: Any) -> Any:
    """A decorator of a test in which conditionals and loops are functional ops."""

    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        before = tf.control_flow_v2_enabled()
        tf.enable_control_flow_v2()
        try:
            return fn(*args, **kwargs)
        finally:
            if not before:
                tf.disable_control_flow_v2()

    return wrapper


def with_control_flow_v2(cls: Any) -> Any:
    """A class with each of its tests a second time, in which conditionals and loops are functional ops."""
    if tf.control_flow_v2_enabled():
        return cls
    for name, test in list(cls.__dict__.items()):
        if (
            callable(test) and name.startswith("test") and name != "test_session"
            and not getattr(test, "_disable_control_flow_v2", False)
        ):
            setattr(cls, name + "WithControlFlowV2", enable_control_flow_v2(test))
    return cls


def disable_control_flow_v2(unused_msg: Any) -> Callable[[Any], Any]:
    """A decorator of a test that `with_control_flow_v2` leaves as it is."""

    def wrapper(func: Any) -> Any:
        func._disable_control_flow_v2 = True
        return func

    return wrapper


def assert_no_new_pyobjects_executing_eagerly(func: Any) -> Any:
    """A decorator of a test of eager execution: it runs once."""
    return func


def _skipped(reason: str) -> Callable[[Any], Any]:
    def decorate(test: Any) -> Any:
        @functools.wraps(test)
        def skip(self: Any, *_: Any, **__: Any) -> None:
            self.skipTest(reason)

        return skip

    return _for_function_or_class(decorate)


def run_v2_only(func: Any = None) -> Any:
    """A decorator of a test of TensorFlow 2: it is skipped."""
    skip = _skipped("Test is only compatible with v2")
    return skip if func is None else skip(func)


def run_gpu_only(func: Any = None) -> Any:
    """A decorator of a test that needs a GPU: it is skipped."""
    skip = _skipped("Test requires GPU")
    return skip if func is None else skip(func)


run_cuda_only = run_gpu_only


def skip_if(condition: Any) -> Callable[[Any], Any]:
    """A decorator of a test that does nothing where a condition, a value or a function, holds."""

    def decorate(test: Any) -> Any:
        @functools.wraps(test)
        def run(self: Any, *arguments: Any, **keywords: Any) -> Any:
            if not (condition() if callable(condition) else condition):
                return test(self, *arguments, **keywords)
            return None

        return run

    return decorate


@contextlib.contextmanager
def device(use_gpu: bool) -> Iterator[None]:
    """A context manager in which ops are placed on the device that tests use: the CPU."""
    with tf.device("/device:CPU:0"):
        yield


def use_gpu() -> Any:
    """A context manager for what runs on a GPU where there is one."""
    return device(use_gpu=True)


force_gpu = use_gpu


def force_cpu() -> Any:
    """A context manager for what runs on the CPU."""
    return device(use_gpu=False)


def IsMklEnabled() -> bool:
    """False."""
    return False


IsGoogleCudaEnabled = IsBuiltWithROCm = IsMklEnabled
CudaSupportsHalfMatMulAndConv = GpuSupportsHalfMatMulAndConv = is_xla_enabled = IsMklEnabled


def assert_equal_graph_def(actual: Any, expected: Any, checkpoint_v2: bool = False, hash_table_shared_name: bool = False
                           ) -> None:
    """Checks that two GraphDefs hold the same nodes, in any order.

    Raises:
        AssertionError: They do not.
    """
    tf.test.assert_equal_graph_def(actual, expected, checkpoint_v2)


assert_equal_graph_def_v1 = assert_equal_graph_def


def assert_ops_in_graph(expected_ops: dict[str, str], graph: Any) -> dict[str, Any]:
    """Checks that a graph holds ops of the given names and types, and returns their nodes.

    Raises:
        ValueError: One is not there, or of another type.
    """
    nodes = {node.name: node for node in graph.as_graph_def().node if node.name in expected_ops}
    for name, kind in expected_ops.items():
        if name not in nodes:
            raise ValueError(f"Not all ops are present: expected {sorted(expected_ops)}, found {sorted(nodes)}")
        if nodes[name].op != kind:
            raise ValueError(f"Expected op for node {name} is different. {nodes[name].op} vs {kind}")
    return nodes


def _permuted(value: Any, four: list[int], five: list[int]) -> Any:
    """An image, as a tensor or as a list of sizes or strides, with its dimensions in another order."""
    if isinstance(value, tf.Tensor):
        order = {4: four, 5: five}.get(value.shape.ndims)
        return value if order is None else tf.transpose(value, order)
    order = {4: four, 5: five}.get(len(value))
    return value if order is None else [value[i] for i in order]


def NHWCToNCHW(input_tensor: Any) -> Any:
    """Channels moved before the spatial dimensions."""
    return _permuted(input_tensor, [0, 3, 1, 2], [0, 4, 1, 2, 3])


def NCHWToNHWC(input_tensor: Any) -> Any:
    """Channels moved to the end."""
    return _permuted(input_tensor, [0, 2, 3, 1], [0, 2, 3, 4, 1])


def NHWCToNCHW_VECT_C(input_shape_or_tensor: Any) -> Any:
    """A shape or a tensor with channels in blocks of four: [N, H, W, C] as [N, C / 4, H, W, 4].

    Raises:
        ValueError: the number of channels is no multiple of four.
    """
    whole = input_shape_or_tensor
    dims = list(whole) if isinstance(whole, (list, tuple)) else whole.shape.as_list()
    if dims[-1] % 4:
        raise ValueError(f"The number of channels must be a multiple of 4, not {dims[-1]}")
    *outer, channels = dims
    order = [0, len(dims) - 1, *range(1, len(dims) - 1), len(dims)]
    blocks = [*outer, channels // 4, 4]
    if isinstance(whole, (list, tuple)):
        return [blocks[axis] for axis in order]
    return tf.transpose(tf.reshape(whole, blocks), order)


def NCHW_VECT_CToNHWC(input_shape_or_tensor: Any) -> Any:
    """What `NHWCToNCHW_VECT_C` makes, as it was before."""
    whole = input_shape_or_tensor
    dims = list(whole) if isinstance(whole, (list, tuple)) else whole.shape.as_list()
    order = [0, *range(2, len(dims) - 1), 1, len(dims) - 1]
    turned = [dims[axis] for axis in order]
    merged = [*turned[:-2], turned[-2] * turned[-1]]
    if isinstance(whole, (list, tuple)):
        return merged
    return tf.reshape(tf.transpose(whole, order), merged)


def assert_equal_graph_def_v2(expected: Any, actual: Any) -> None:
    """Checks that two GraphDefs hold the same nodes, whatever the shared names of their tables."""
    assert_equal_graph_def(actual, expected, checkpoint_v2=True, hash_table_shared_name=True)


def set_producer_version(graph: Any, producer_version: int) -> None:
    """Sets the version of the producer in the GraphDef that an empty graph exports."""
    proto = tf.GraphDef()
    proto.versions.producer = producer_version
    with graph.as_default():
        tf.import_graph_def(proto)


def generate_combinations_with_testcase_name(**kwargs: Any) -> list[OrderedDict[str, Any]]:
    """All combinations of the values of the arguments, each with a name for a parameterized test."""
    names = sorted(kwargs)
    choices = [kwargs[name] if isinstance(kwargs[name], list) else [kwargs[name]] for name in names]
    made = []
    for values in itertools.product(*choices):
        pairs = list(zip(names, values, strict=True))
        label = "".join(f"_{''.join(c for c in str(name) if c.isalnum())}_"
                        f"{''.join(c for c in str(value) if c.isalnum())}" for name, value in pairs)
        made.append(OrderedDict([*pairs, ("testcase_name", f"_test{label}")]))
    return made


class ErrorLoggingSession(tf.Session):
    """A session that logs the errors of its runs, except the end of an input."""

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Runs as a session does."""
        try:
            return super().run(*args, **kwargs)
        except Exception as error:
            if not isinstance(error, tf.errors.OutOfRangeError):
                tf.logging.error(str(error))
            raise


def get_node_def_from_graph(node_name: str, graph_def: Any) -> Any:
    """The node of a name in a GraphDef; None if there is none."""
    return next((node for node in graph_def.node if node.name == node_name), None)


def assert_meta_graph_protos_equal(tester: Any, a: Any, b: Any) -> None:
    """Checks that two meta graphs are the same, whatever the order of what a collection holds."""
    tester.assertEqual(set(a.collection_def), set(b.collection_def))
    for key in a.collection_def:
        first, second = a.collection_def[key], b.collection_def[key]
        tester.assertEqual(first.WhichOneof("kind"), second.WhichOneof("kind"))
        if first.WhichOneof("kind") == "bytes_list":
            tester.assertEqual(sorted(first.bytes_list.value), sorted(second.bytes_list.value))
        else:
            tester.assertEqual(first, second)
    copies = []
    for meta_graph in (a, b):
        copy = type(meta_graph)()
        copy.CopyFrom(meta_graph)
        copy.ClearField("collection_def")
        copies.append(copy)
    assert_equal_graph_def(copies[0].graph_def, copies[1].graph_def)
    for copy in copies:
        copy.ClearField("graph_def")
    tester.assertEqual(*copies)


def with_c_shapes(cls: Any) -> Any:
    """A class of tests; shapes are always found in one way."""
    return cls


def enable_c_shapes(fn: Any) -> Any:
    """A test; shapes are always found in one way."""
    return fn


def enable_output_all_intermediates(fn: Any) -> Any:
    """A test; the gradients of functions take from those what they need in any case."""
    return fn


def use_deterministic_cudnn(func: Any) -> Any:
    """A test; nothing here runs on cuDNN."""
    return func


def enable_tf_xla_constant_folding(description: str) -> Callable[[Any], Any]:
    """A decorator of tests; nothing here runs on XLA."""
    return _for_function_or_class(lambda test: test)


def py_func_if_in_function(f: Any) -> Any:
    """A function that runs in Python also where it is called in the body of a function of the graph."""

    @functools.wraps(f)
    def decorated(*args: Any, **kwds: Any) -> Any:
        if not tf.get_default_graph().building_function:
            return f(*args, **kwds)
        tensors = [x for x in args if isinstance(x, tf.Tensor)]

        def call(*values: Any) -> None:
            given = iter(values)
            f(*[next(given) if isinstance(x, tf.Tensor) else x for x in args], **kwds)

        return tf.py_function(call, tensors, [])

    return decorated


class CapturedWrites:
    """What was written to a stream."""

    def __init__(self, capture_location: str) -> None:
        self.capture_location = capture_location

    def contents(self) -> str:
        """What was written."""
        with open(self.capture_location) as file:
            return file.read()


def InstallStackTraceHandler() -> None:
    """Writes the lines of all threads when the process dies."""
    import faulthandler

    faulthandler.enable()


def StatefulSessionAvailable() -> bool:
    """False."""
    return False
