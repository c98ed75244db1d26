"""`tf.test.TestCase`: unit tests with a session, and assertions about tensors, devices, errors and messages."""

from __future__ import annotations

import os
import random
import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np
from absl import flags
from absl.testing import absltest

from ossia_core.names import device as devices
from ossia_core.names.errors import OpError
from ossia_core.plugins.api_table import public
from ossia_testing.arrays import ArrayAssertions
from ossia_testing.runtime import get_temp_dir

_SEED = 87654321  # of the default graph, NumPy and Python at the start of each test


@public("test.TestCase")
class TestCase(ArrayAssertions, absltest.TestCase):
    """Base class of tests: each begins with an empty default graph and fixed seeds.

    Example:
        class SquareTest(tf.test.TestCase):
            def test_square(self):
                with self.session():
                    self.assertAllEqual(tf.square([2, 3]), [4, 9])
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        if not flags.FLAGS.is_parsed():
            flags.FLAGS.mark_as_parsed()  # another runner than tf.test.main has read the command line
        self._threads: list[_CheckedThread] = []
        self._tempdir: str | None = None
        self._cached_session: Any = None
        self._cached_arguments: tuple[Any, ...] = ()

    def setUp(self) -> None:
        """Prepares a test: resets the default graph and the seeds."""
        super().setUp()
        from ossia_core.graph.stack import forget_default_graphs, get_default_graph

        self._clear_cached_session()
        random.seed(_SEED)
        np.random.seed(_SEED)
        forget_default_graphs()
        get_default_graph().seed = _SEED

    def tearDown(self) -> None:
        """Ends a test: fails if a thread that it started still runs."""
        for thread in self._threads:
            thread.check_termination()
        self._clear_cached_session()
        super().tearDown()

    def _clear_cached_session(self) -> None:
        if self._cached_session is not None:
            self._cached_session.close()
            self._cached_session = None

    def get_temp_dir(self) -> str:
        """Returns a folder for temporary files of this test."""
        if self._tempdir is None:
            self._tempdir = tempfile.mkdtemp(dir=get_temp_dir())
        return self._tempdir

    @contextmanager
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Any]:
        """A context with a new default session, closed at the end.

        Args:
            graph: the graph to run, the default graph by default; it is the default graph inside.
            config: a ConfigProto.
            use_gpu: whether operations made inside are not placed on the CPU.
            force_gpu: whether they are placed on a GPU.
        """
        from ossia_core.session.session import Session

        with Session(graph=graph, config=config) as session, _placed(session, use_gpu, force_gpu):
            yield session

    @contextmanager
    def cached_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Any]:
        """Like `session`, but with one session for the whole test, which stays open between calls.

        Raises:
            ValueError: if another graph or configuration is given than at the first call.
        """
        with self._cached(graph, config, force_gpu, True) as session, _placed(session, use_gpu, force_gpu):
            yield session

    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> AbstractContextManager[Any]:
        """`cached_session` if no graph is given, `session` otherwise; a test runner that calls it skips it."""
        if self._testMethodName == "test_session":
            self.skipTest("Not a test.")
        if graph is None:
            return self._loosely_cached_session(config, use_gpu, force_gpu)
        return self.session(graph, config, use_gpu, force_gpu)

    test_session.__test__ = False  # type: ignore[attr-defined]

    @contextmanager
    def _loosely_cached_session(self, config: Any, use_gpu: bool, force_gpu: bool) -> Iterator[Any]:
        with self._cached(None, config, force_gpu, False) as session, _placed(session, use_gpu, force_gpu):
            yield session

    @contextmanager
    def _cached(self, graph: Any, config: Any, force_gpu: bool, strict: bool) -> Iterator[Any]:
        from ossia_core.session.session import Session

        arguments = (graph, config, force_gpu)
        if self._cached_session is None:
            self._cached_session = Session(graph=graph, config=config)
            self._cached_arguments = arguments
        elif strict and any(a is not b for a, b in zip(arguments, self._cached_arguments)):
            what = next(
                name for name, a, b in zip(("graph", "config", "value of force_gpu"), arguments, self._cached_arguments)
                if a is not b
            )
            raise ValueError(f"The {what} used to get the cached session is different than the one it was made with.")
        with self._cached_session.graph.as_default(), self._cached_session.as_default():
            yield self._cached_session

    def evaluate(self, tensors: Any) -> Any:
        """Returns the values of a structure of tensors, computed in the default session or else in the cached one."""
        from ossia_core.graph.stack import get_default_session

        session = get_default_session()
        if session is not None:
            return session.run(tensors)
        with self.test_session() as session:
            return session.run(tensors)

    @contextmanager
    def assertRaisesWithPredicateMatch(  # type: ignore[override]
        self, exception_type: type[BaseException], expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """A context that fails unless an exception of a type is raised inside that matches.

        Args:
            exception_type: the class of the exception.
            expected_err_re_or_predicate: a regular expression to find in the message, or in the names of the operations
                that an `OpError` comes from; or a function that takes the exception and says whether it is right.
        """
        try:
            yield
            self.fail(f"{exception_type.__name__} not raised")
        except Exception as error:
            if not isinstance(error, exception_type) or not _matches(error, expected_err_re_or_predicate):
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """`assertRaisesWithPredicateMatch` for `OpError`."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: Any = None) -> None:
        """Fails unless two names mean the same device."""
        one, other = devices.canonical_name(device1), devices.canonical_name(device2)
        self.assertEqual(one, other, f"Devices {one} and {other} are not equal{'' if msg is None else f': {msg}'}")

    def assertStartsWith(self, actual: str, expected_start: str, msg: Any = None) -> None:
        """Fails unless a string begins with another."""
        if not actual.startswith(expected_start):
            self.fail(f"{'' if msg is None else f'{msg}: '}{actual!r} does not start with {expected_start!r}")

    def assertProtoEquals(self, expected_message_maybe_ascii: Any, message: Any, msg: Any = None) -> None:
        """Fails unless a protocol message equals another one, or the one that a text describes."""
        from google.protobuf import text_format

        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            expected = text_format.Parse(expected, type(message)())
        elif type(expected) is not type(message):
            self.fail(f"Can't compare protos of type {type(expected)} and {type(message)}. {msg or ''}")
        if expected != message:
            self.assertMultiLineEqual(str(expected), str(message), msg)
            self.fail(msg or "The messages differ.")

    def assertProtoEqualsVersion(
        self, expected: str, actual: Any, producer: int = 134, min_consumer: int = 0, msg: Any = None
    ) -> None:
        """Like `assertProtoEquals`, for a text of a GraphDef without its versions."""
        self.assertProtoEquals(
            f"versions {{ producer: {producer} min_consumer: {min_consumer} }}\n{expected}", actual, msg=msg
        )

    def checkedThread(
        self, target: Callable[..., Any], args: tuple[Any, ...] | None = None, kwargs: dict[str, Any] | None = None
    ) -> _CheckedThread:
        """Returns a thread that is not started yet, whose exceptions fail the test when it is joined."""
        thread = _CheckedThread(self, target, args or (), kwargs or {})
        self._threads.append(thread)
        return thread

    @contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[Any]:
        """A context that catches what is written to a stream that has a file descriptor; `contents()` gives it."""
        stream.flush()
        number = stream.fileno()
        kept = os.dup(number)
        with tempfile.TemporaryFile(dir=self.get_temp_dir()) as file:
            os.dup2(file.fileno(), number)
            captured = _Captured(stream, file)
            try:
                yield captured
            finally:
                captured.finish()
                os.dup2(kept, number)
                os.close(kept)


for _old, _new in (
    ("assertEquals", "assertEqual"),
    ("assertNotEquals", "assertNotEqual"),
    ("assertAlmostEquals", "assertAlmostEqual"),
    ("assertNotAlmostEquals", "assertNotAlmostEqual"),
    ("assertRegexpMatches", "assertRegex"),
    ("assertNotRegexpMatches", "assertNotRegex"),
    ("assertRaisesRegexp", "assertRaisesRegex"),
    ("assertItemsEqual", "assertCountEqual"),
    ("assert_", "assertTrue"),
):  # names that Python has dropped, and that programs of TensorFlow 1's time use
    setattr(TestCase, _old, getattr(TestCase, _new))


@contextmanager
def _placed(session: Any, use_gpu: bool, force_gpu: bool) -> Iterator[None]:
    """A context in which new operations of a session's graph are placed as a test asks."""
    graph = session.graph
    if force_gpu:
        with graph.device("/device:GPU:0"):
            yield
    elif use_gpu:
        yield
    else:
        with graph.device("/device:CPU:0"):
            yield


def _matches(error: BaseException, expected: Any) -> bool:
    if callable(expected):
        return bool(expected(error))
    if isinstance(error, OpError):
        # The message alone: the lines of the program that made the operation may hold the pattern itself.
        text, op = error.message, error.op
    else:
        text, op = str(error), None
    while op is not None:
        text += f"\nCaused by: {op.name}"
        op = getattr(op, "_original_op", None)
    return re.search(expected, text) is not None


class _CheckedThread:
    """A thread whose exception fails the test that joins it."""

    def __init__(
        self, case: TestCase, target: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self._case = case
        self._error: BaseException | None = None
        self._joined = False

        def run() -> None:
            try:
                target(*args, **kwargs)
            except Exception as error:
                self._error = error

        self._thread = threading.Thread(target=run)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def join(self) -> None:
        """Waits for the end of the thread, and fails the test if it raised an exception."""
        self._joined = True
        self._thread.join()
        if self._error is not None:
            self._case.fail(f"Error in checkedThread: {self._error}")

    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def check_termination(self) -> None:
        """Fails the test if the thread was started and has not been joined."""
        if not self._joined and (self.is_alive() or self._error is not None):
            self._case.fail("A checked thread was not joined.")


class _Captured:
    """What `captureWritesToStream` has caught."""

    def __init__(self, stream: Any, file: Any) -> None:
        self._stream, self._file = stream, file
        self._all: str | None = None

    def contents(self) -> str:
        """Returns what was written so far, or within the context once it has ended."""
        if self._all is not None:
            return self._all
        self._stream.flush()
        self._file.flush()
        self._file.seek(0)
        return self._file.read().decode()

    def finish(self) -> None:
        """Keeps what was written, for the time when the file is gone."""
        self._all = self.contents()
