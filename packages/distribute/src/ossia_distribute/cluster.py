"""`tf.train.ClusterSpec`: the jobs of a cluster, and the addresses of their tasks."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_core.proto import ClusterDef

_FORMS = (
    "`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a `ClusterDef` "
    "protocol buffer"
)


@public("train.ClusterSpec")
class ClusterSpec:
    """The jobs of a cluster: for each its tasks, by number, with their addresses.

    Args:
      cluster: a dict of job names to lists of addresses or to dicts of task numbers to addresses; a ClusterDef; or
        another ClusterSpec.

    Raises:
      TypeError: `cluster` or a part of it is of none of these types.
    """

    def __init__(self, cluster: Any) -> None:
        self._tasks: dict[Any, dict[int, Any]] = {}
        if isinstance(cluster, Mapping):
            for job, tasks in cluster.items():
                if isinstance(tasks, (list, tuple)):
                    self._tasks[job] = dict(enumerate(tasks))
                elif isinstance(tasks, Mapping):
                    self._tasks[job] = dict(tasks)
                else:
                    raise TypeError(
                        f"The tasks for job {job!r} must be a list or a dictionary from integers to strings."
                    )
        elif isinstance(cluster, ClusterDef):
            self._tasks = {job.name: dict(job.tasks) for job in cluster.job}
        elif isinstance(cluster, ClusterSpec):
            self._tasks = {job: dict(tasks) for job, tasks in cluster._tasks.items()}
        else:
            raise TypeError(_FORMS)
        self._cluster_def = self._made_def()

    def _made_def(self) -> ClusterDef:
        made = ClusterDef()
        for job, tasks in sorted(self._tasks.items()):
            if not isinstance(job, (str, bytes)):
                raise TypeError(f"Job name {job!r} must be bytes or unicode")
            job_def = made.job.add(name=_text(job))
            for number, address in sorted(tasks.items()):
                if not isinstance(address, (str, bytes)):
                    raise TypeError(f"Task address {address!r} must be bytes or unicode")
                if not isinstance(number, int):
                    raise TypeError(f"{number!r} has type {type(number).__name__}, but expected one of: int")
                job_def.tasks[number] = _text(address)
        return made

    def __bool__(self) -> bool:
        return bool(self._cluster_def.job)

    __nonzero__ = __bool__

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._cluster_def == other._cluster_def

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __str__(self) -> str:
        jobs = ", ".join(f"{job!r}: {tasks!r}" for job, tasks in sorted(self.as_dict().items()))
        return f"ClusterSpec({{{jobs}}})"

    def as_dict(self) -> dict[Any, Any]:
        """The jobs as a dict: a list of addresses where the tasks are numbered without gaps, a dict elsewhere."""
        return {
            job: list(tasks.values()) if tasks and list(tasks) == list(range(len(tasks))) else dict(tasks)
            for job, tasks in ((job, dict(sorted(tasks.items()))) for job, tasks in self._tasks.items())
        }

    def as_cluster_def(self) -> ClusterDef:
        """The cluster as a ClusterDef."""
        return self._cluster_def

    @property
    def jobs(self) -> list[Any]:
        """The names of the jobs."""
        return list(self._tasks)

    def num_tasks(self, job_name: Any) -> int:
        """How many tasks a job has.

        Raises:
          ValueError: there is no such job.
        """
        return len(self._of(job_name))

    def task_indices(self, job_name: Any) -> list[int]:
        """The numbers of the tasks of a job, in order.

        Raises:
          ValueError: there is no such job.
        """
        return sorted(self._of(job_name))

    def task_address(self, job_name: Any, task_index: int) -> Any:
        """The address of a task.

        Raises:
          ValueError: there is no such job, or it has no such task.
        """
        tasks = self._of(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: Any) -> list[Any]:
        """The addresses of a job's tasks, by number; None for numbers that no task has.

        Raises:
          ValueError: there is no such job.
        """
        tasks = self._of(job_name)
        return [tasks.get(number) for number in range(max(tasks, default=-1) + 1)]

    def _of(self, job: Any) -> dict[int, Any]:
        if job not in self._tasks:
            raise ValueError(f"No such job in cluster: {job!r}")
        return self._tasks[job]


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
