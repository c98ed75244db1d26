"""Running plans with steps that may wait (queues): what waits never holds up what else can run."""
from __future__ import annotations

import queue
import threading
from typing import Any

import numpy as np

from ossia_core.session.compile.regions import dependencies
from ossia_core.session.compile.work import Scope, Work
from ossia_core.session.run.context import RunContext
from ossia_core.session.run.steps import holds

_PATIENCE = 0.05  # seconds that a function of the program has before the next one starts beside it


class Schedule:
    """The steps of a plan with the steps that each one follows."""

    def __init__(self, work: list[Work], scope: Scope) -> None:
        self._work = work
        self._follows = dependencies(work, scope)

    def run(self, slots: list[Any], context: RunContext) -> None:
        """Run all steps; steps that may wait run beside the others, each in a thread of its own unless nothing else is
        left to do."""
        waiting = list(range(len(self._work)))
        done: set[int] = set()
        running: set[int] = set()
        finished: queue.SimpleQueue[tuple[int, BaseException | None]] = queue.SimpleQueue()
        try:
            while waiting or running:
                waiting = self._run_ready(sorted(waiting), done, slots)
                ready = [i for i in waiting if self._follows[i] <= done]
                waiting = [i for i in waiting if i not in ready]
                if not running and len(ready) == 1:
                    self._run_one(ready[0], slots)
                    done.add(ready[0])
                    continue
                patience = None
                for i in ready:
                    if patience is not None and self._work[i].blocking == 2:
                        waiting.append(i)
                        continue
                    patience = _PATIENCE if self._work[i].blocking == 2 else patience
                    running.add(i)
                    threading.Thread(target=self._in_thread, args=(i, slots, finished), daemon=True).start()
                if running:
                    try:
                        i, error = finished.get(timeout=patience)
                    except queue.Empty:
                        continue
                    running.discard(i)
                    done.add(i)
                    if error is not None:
                        raise error
        except BaseException:
            context.failed = True  # what still waits gives up
            while running:
                running.discard(finished.get()[0])
            raise

    def _run_ready(self, waiting: list[int], done: set[int], slots: list[Any]) -> list[int]:
        """Run all steps that can run without waiting, and what follows from them; the positions that are left."""
        left: list[int] = []
        while True:
            for i in waiting:
                if self._work[i].blocking or not self._follows[i] <= done:
                    left.append(i)
                else:
                    self._run_one(i, slots)
                    done.add(i)
            if len(left) == len(waiting):
                return left
            waiting, left = left, []

    def _run_one(self, i: int, slots: list[Any]) -> None:
        work = self._work[i]
        step = work.step
        if not work.guard or holds(work.guard, slots):
            step(slots)

    def _in_thread(self, i: int, slots: list[Any], finished: queue.SimpleQueue) -> None:
        try:
            with np.errstate(all="ignore"):
                self._run_one(i, slots)
        except Exception as error:  # handed to the thread that runs the plan
            finished.put((i, error))
        else:
            finished.put((i, None))
