"""`tf.train.Coordinator`: how the threads of a program end together, and where their errors are raised."""
from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ossia_core.forks import renewed
from ossia_core.names import errors, logging
from ossia_core.plugins.api_table import public


@public("train.Coordinator", "compat.v2.train.Coordinator")
class Coordinator:
    """Stops a group of threads when any of them ends or fails, and raises the first error in the thread that joins
    them.

    Args:
        clean_stop_exception_types: Exceptions that ask for a stop without being errors; OutOfRangeError by default.

    Example:
        coord = tf.train.Coordinator()
        thread = threading.Thread(target=work, args=(coord,))   # work() loops until coord.should_stop()
        thread.start()
        coord.join([thread])
    """

    def __init__(self, clean_stop_exception_types: Iterable[type[BaseException]] | None = None) -> None:
        self._clean = (
            (errors.OutOfRangeError,) if clean_stop_exception_types is None else tuple(clean_stop_exception_types)
        )
        self._lock = renewed(threading.Lock())
        self._stop_event = threading.Event()
        self._error: BaseException | None = None
        self._registered_threads: set[threading.Thread] = set()
        self._joined = False

    def request_stop(self, ex: Any = None) -> None:
        """Asks the threads to stop.

        Args:
            ex: Why: an exception, or a tuple as `sys.exc_info()` gives it. The first one that is no clean stop is
                logged, and raised by `join`. After a `join` it is raised at once.
        """
        error = _exception(ex)
        with self._lock:
            if self._joined:
                if error is not None and not isinstance(error, self._clean):
                    raise error
                return
            if self._stop_event.is_set():
                return
            if error is not None and not isinstance(error, self._clean):
                self._error = error
                logging.info("Error reported to Coordinator: %s, %s", type(error), error)
            self._stop_event.set()

    def clear_stop(self) -> None:
        """Makes the coordinator as new: no stop is asked for, no error is known."""
        with self._lock:
            self._joined = False
            self._error = None
            self._stop_event.clear()

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._stop_event.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """A context manager that turns an exception inside into `request_stop`."""
        try:
            yield
        except BaseException as error:
            self.request_stop(error)

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until a stop is asked for, `timeout` seconds at most (for ever if None); returns whether it is."""
        return self._stop_event.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Adds a thread to those that `join` waits for."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits for the threads: as long as no stop is asked for, and then for the grace period.

        Args:
            threads: Threads to wait for beside the registered ones.
            stop_grace_period_secs: How long threads may still run once a stop is asked for.
            ignore_live_threads: Whether threads that run longer are only logged.

        Raises:
            RuntimeError: Threads are still running after the grace period.
            Exception: What was given to `request_stop`.
        """
        with self._lock:
            waiting = list(self._registered_threads.union(threads or ()))
        while any(thread.is_alive() for thread in waiting) and not self.wait_for_stop(0.1):
            pass
        deadline = time.monotonic() + stop_grace_period_secs
        while any(thread.is_alive() for thread in waiting):
            left = deadline - time.monotonic()
            if left <= 0:
                break
            next(thread for thread in waiting if thread.is_alive()).join(min(left, 0.1))
        running = [thread.name for thread in waiting if thread.is_alive()]
        with self._lock:
            self._joined = True
            self._registered_threads.clear()
        if self._error is not None:
            raise self._error
        if running:
            message = f"Coordinator stopped with threads still running: {' '.join(running)}"
            if not ignore_live_threads:
                raise RuntimeError(message)
            logging.info(message)

    @property
    def joined(self) -> bool:
        """Whether `join` has ended."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raises the error given to `request_stop`, if there is one."""
        with self._lock:
            error = self._error
        if error is not None:
            raise error


def _exception(reason: Any) -> BaseException | None:
    """The exception in what `request_stop` was given; anything else becomes a RuntimeError."""
    if isinstance(reason, tuple):
        kind, error, trace = reason if len(reason) == 3 else (None, reason, None)
        if error is None and isinstance(kind, type):
            error = kind()
        reason = error.with_traceback(trace) if isinstance(error, BaseException) else error
    if reason is None or isinstance(reason, BaseException):
        return reason
    return RuntimeError(str(reason))


@public("train.LooperThread")
class LooperThread(threading.Thread):
    """A daemon thread that calls a function again and again until its coordinator stops.

    A subclass may instead define `run_loop`, and what comes before and after in `start_loop` and `stop_loop`.

    Args:
        coord: The Coordinator; an exception in the thread stops it.
        timer_interval_secs: Seconds from one call to the next; None calls without a pause.
        target: The function.
        args: Its positional arguments.
        kwargs: Its keyword arguments.

    Raises:
        ValueError: `coord` is no Coordinator, or there are arguments without a target.
    """

    def __init__(
        self,
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Sequence[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        if target is None and (args or kwargs):
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        self._coord = coord
        self._timer_interval_secs = timer_interval_secs
        self._target = target
        self._args = args or ()
        self._kwargs = kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Sequence[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> LooperThread:
        """Starts a LooperThread; the arguments are those of the class."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def isAlive(self) -> bool:
        """The old name of `is_alive`."""
        return self.is_alive()

    def run(self) -> None:
        """The life of the thread: `start_loop`, `run_loop` until the coordinator stops, `stop_loop`."""
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._timer_interval_secs is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                next_time = time.time()
                while not self._coord.wait_for_stop(max(0.0, next_time - time.time())):
                    next_time += self._timer_interval_secs
                    self.run_loop()
            self.stop_loop()

    def start_loop(self) -> None:
        """Called once before the loop; does nothing by itself."""

    def run_loop(self) -> None:
        """Called again and again; calls the target."""
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def stop_loop(self) -> None:
        """Called once after the loop; does nothing by itself."""
