"""`ossia cluster`: a whole local cluster for one script, its tasks' lines in one terminal; what runs of clusters."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

_COLOURS = (36, 33, 32, 35, 34, 31)
_GRACE = 5.0  # seconds that a task has to end once it is asked to


class _Process:
    """A task: its process, and the thread that prints its lines."""

    def __init__(self, job: str, index: int, command: list[str], config: dict, colour: int) -> None:
        self.job, self.name, self.began = job, f"{job} {index}", time.monotonic()
        self.seconds: float | None = None
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        environment["TF_CONFIG"] = json.dumps({"cluster": config, "task": {"type": job, "index": index}})
        environment.setdefault("OSSIA_ENGINE", "ray")
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,
        )
        self._prefix = f"{self.name:>9} | "
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            self._prefix = f"\x1b[{colour}m{self._prefix}\x1b[0m"
        self._reader = threading.Thread(target=self._print, daemon=True)
        self._reader.start()

    def _print(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            sys.stdout.write(self._prefix + line.rstrip("\n") + "\n")
            sys.stdout.flush()

    def ended(self) -> bool:
        """Whether it has ended; takes down when."""
        if self.process.poll() is None:
            return False
        if self.seconds is None:
            self.seconds = time.monotonic() - self.began
            self._reader.join(1.0)
        return True

    def send(self, number: int) -> None:
        """Send a signal to it and what it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add `cluster` to the commands."""
    parser = commands.add_parser("cluster", help="run a script as a local cluster, or show what runs")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run = actions.add_parser(
        "run", help="start a script once per task",
        description="Start a script once per task. It finds its task in TF_CONFIG, or in the flags --job_name, "
        "--task_index, --ps_hosts and --worker_hosts, if it has them.",
    )
    run.add_argument("--ps", type=int, default=1, help="parameter servers")
    run.add_argument("--workers", type=int, default=2, help="workers")
    run.add_argument("--chief", action="store_true", help="a chief besides the workers, as estimators expect one")
    run.add_argument("script", metavar="SCRIPT")
    run.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    actions.add_parser("status", help="show the processes and tasks of this machine's cluster")


def main(options: argparse.Namespace) -> int:
    """Runs the command; returns the exit status."""
    return run(options) if options.action == "run" else status()


def run(options: argparse.Namespace) -> int:
    """Start the tasks, wait for those that work, end those that serve, and show how it went."""
    jobs = {"ps": options.ps, "chief": int(options.chief), "worker": options.workers}
    spec = {job: [f"localhost:{port}" for port in _ports(count)] for job, count in jobs.items() if count}
    text = Path(options.script).read_text(errors="replace") if os.path.isfile(options.script) else ""
    tasks: list[_Process] = []
    wanted = [signal.SIGINT, signal.SIGTERM]
    before = {number: signal.signal(number, _interrupt) for number in wanted}
    try:
        for job, addresses in spec.items():
            for index in range(len(addresses)):
                flags = _flags(text, spec, job, index)
                command = [sys.executable, "-m", "ossia_command.main", "run", options.script, *options.arguments]
                command += flags
                tasks.append(_Process(job, index, command, spec, _COLOURS[len(tasks) % len(_COLOURS)]))
        working = [task for task in tasks if task.job != "ps"] or tasks
        while not all(task.ended() for task in working):
            if any(task.ended() and task.process.returncode for task in tasks):
                break
            time.sleep(0.05)
    except KeyboardInterrupt:
        print("ending the tasks", file=sys.stderr)
    finally:
        failed = [task.name for task in tasks if task.ended() and task.process.returncode]
        _end(tasks)
        for number, handler in before.items():
            signal.signal(number, handler)
    _show(tasks, failed)
    return 1 if failed or not all(task.process.returncode == 0 for task in tasks if task.job != "ps") else 0


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _flags(text: str, spec: dict[str, list[str]], job: str, index: int) -> list[str]:
    """The flags of a task, those that the script defines."""
    values = {"job_name": job, "task_index": str(index), "task_id": str(index)}
    values |= {f"{name}_hosts": ",".join(addresses) for name, addresses in spec.items()}
    return [f"--{flag}={value}" for flag, value in values.items() if f'"{flag}"' in text or f"'{flag}'" in text
            or f"--{flag}" in text]


def _ports(count: int) -> list[int]:
    """Ports that are free."""
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]


def _end(tasks: list[_Process]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        left = [task for task in tasks if not task.ended()]
        for task in left:
            task.send(number)
        deadline = time.monotonic() + _GRACE
        while not all(task.ended() for task in left) and time.monotonic() < deadline:
            time.sleep(0.02)


def _show(tasks: list[_Process], failed: list[str]) -> None:
    print(f"\n{'task':<10} {'seconds':>8}  end")
    for task in tasks:
        code = task.process.returncode
        how = "done" if code == 0 else "failed" if task.name in failed else "ended"
        if task.name in failed:
            how += f" (status {code})" if code > 0 else f" ({signal.Signals(-code).name})"
        print(f"{task.name:<10} {task.seconds or 0.0:8.1f}  {how}")


def status() -> int:
    """Show the processes that use this machine's Ray cluster, and the tasks that it knows."""
    from ossia_distribute.ray_engine import ray_engine
    from ossia_distribute.ray_head import folder, head_address, members
    missing = ray_engine().available()
    if missing is not None:
        print(f"no engine for several processes: {missing}")
        return 1
    address = head_address(start=False)
    if not address:
        print("no cluster runs")
        return 0
    print(f"Ray at {address}, folder {folder()}")
    print("processes:", ", ".join(map(str, sorted(set(members())))) or "none")
    print("tasks:")
    for found, alive in ray_engine().tasks():
        print(f"  {found:<24} {alive}")
    return 0
