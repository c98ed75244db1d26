"""Tasks that call each other through sockets of this machine.

The smallest engine for several processes: calls and results are pickled, so the key in `SOCKETS_KEY`, which all
processes need, is all that keeps others from running code here. A task listens at the port of its address plus one.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

from ossia_core.names import errors
from ossia_distribute.engine import Engine, Task


def _place(address: str) -> tuple[str, int]:
    return "127.0.0.1", int(address.rpartition(":")[2]) % 65535 + 1


def _key() -> bytes:
    return os.environ.get("SOCKETS_KEY", "ossia").encode()


class SocketTask(Task):
    """A task in another process: every call has a connection of its own."""

    def __init__(self, address: str) -> None:
        self.address = address

    def submit(self, method: str, *args: Any, blocking: bool = False) -> Future:
        answer: Future = Future()

        def call() -> None:
            try:
                with Client(_place(self.address), authkey=_key()) as connection:
                    connection.send((method, args))
                    fine, value = connection.recv()
            except (OSError, EOFError) as error:
                fine, value = False, errors.UnavailableError(None, None, f"{self.address}: {error}")
            answer.set_result(value) if fine else answer.set_exception(value)

        threading.Thread(target=call, daemon=True).start()
        return answer


class SocketEngine(Engine):
    """Tasks that listen."""

    name = "sockets"

    def __init__(self) -> None:
        self._listeners: dict[str, Listener] = {}

    def serve(self, address: str, runtime: Any, joined: bool = False) -> None:
        if address in self._listeners:
            return
        try:
            listener = self._listeners[address] = Listener(_place(address), authkey=_key(), backlog=128)
        except OSError as error:
            raise errors.UnknownError(None, None, f"{address}: {error}") from None
        threading.Thread(target=self._accept, args=(listener, runtime), daemon=True).start()

    def _accept(self, listener: Listener, runtime: Any) -> None:
        while True:
            try:
                connection = listener.accept()
            except (OSError, EOFError):
                return  # withdrawn
            threading.Thread(target=self._answer, args=(connection, runtime), daemon=True).start()

    @staticmethod
    def _answer(connection: Connection, runtime: Any) -> None:
        with connection:
            method, args = connection.recv()
            try:
                connection.send((True, getattr(runtime, method)(*args)))
            except Exception as error:
                connection.send((False, error))

    def find(self, address: str) -> Task | None:
        try:
            Client(_place(address), authkey=_key()).close()
        except (OSError, EOFError):
            return None
        return SocketTask(address)

    def withdraw(self, address: str) -> None:
        listener = self._listeners.pop(address, None)
        if listener is not None:
            listener.close()


_engine = SocketEngine()


def sockets() -> SocketEngine:
    """The engine."""
    return _engine
