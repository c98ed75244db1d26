"""The Ray cluster of this machine and user: started by the first process that needs it, ended after the last one.

This file, run as a program, is that process. It listens on loopback only, with a token, without a dashboard.
What uses it holds a lock on a file of its own in the folder of the cluster; when nobody does any more, it ends.
"""
from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_IDLE = 1.0  # seconds without members after which the head ends
_START = 120.0
_ATTEMPTS = 3  # Ray gives up after half a minute, which a busy machine may need
_SHORT = 30  # characters of a path to which Ray can add the names of its sockets
_START_HEAD = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"


def folder() -> Path:
    """The folder of this user's cluster: OSSIA_RUNTIME_DIR, or one in the folder for temporary files.

    Raises:
      PermissionError: somebody else owns it.
    """
    path = Path(os.environ.get("OSSIA_RUNTIME_DIR") or Path(tempfile.gettempdir()) / f"ossia-{os.getuid()}")
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.stat().st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to somebody else")
    (path / "members").mkdir(mode=0o700, exist_ok=True)
    return path


ENVIRONMENT = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # on Linux, too, makes Ray listen on loopback only
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_raylet_start_wait_time_s": "60",
}


def _token(path: Path) -> None:
    """Let Ray use the token of the cluster, which is made if there is none."""
    file = path / "token"
    if not file.exists():
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
            opened.write(secrets.token_hex(32))
    os.environ["RAY_AUTH_TOKEN_PATH"] = str(file)


def join_members() -> None:
    """Keep the cluster going as long as this process lasts."""
    name = f"{os.getpid()}-{secrets.token_hex(4)}"
    member = os.open(folder() / name, os.O_WRONLY | os.O_CREAT, 0o600)
    fcntl.flock(member, fcntl.LOCK_EX)  # as long as the process lasts
    (folder() / name).rename(folder() / "members" / name)  # whoever sees it there sees the lock, too


def head_address(start: bool = True) -> str:
    """The address of the cluster, which is started if need be, or else "".

    Raises:
      TimeoutError: it does not start.
    """
    path = folder()
    file = path / "head.json"
    with open(path / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_held(path / "alive"):
            file.unlink(missing_ok=True)  # its head was killed
        process: subprocess.Popen | None = None
        began = time.monotonic()
        while not file.exists():
            if not start:
                return ""
            if time.monotonic() - began > _START or (process is not None and process.poll() is not None):
                raise TimeoutError(f"Ray does not start: {(path / 'head.log').read_text()[-2000:]}")
            if process is None and not _is_held(path / "alive"):  # else one begins, or ends
                process = _started(path)
            time.sleep(0.05)
        _token(path)
        return json.loads(file.read_text())["address"]


def _started(path: Path) -> subprocess.Popen:
    """The process of a new head."""
    _token(path)
    with open(path / "head.log", "w") as log:
        return subprocess.Popen(
            [sys.executable, "-c", _START_HEAD, __file__], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True, env={**os.environ, **_settings(path)}, cwd="/",
        )


def _settings(path: Path) -> dict[str, str]:
    return {
        **ENVIRONMENT, "RAY_AUTH_TOKEN_PATH": str(path / "token"), "OSSIA_RUNTIME_DIR": str(path),
        "PYTHONPATH": str(Path(importlib.util.find_spec("ray").origin).parents[1]),  # type: ignore[union-attr, arg-type]
    }


def _is_held(file: Path) -> bool:
    """Whether a process has a lock on a file."""
    if not file.exists():
        return False
    with open(file) as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def members() -> list[int]:
    """The processes that use the cluster; the files of others are removed."""
    found = []
    for file in (folder() / "members").iterdir():
        if _is_held(file):
            found.append(int(file.name.partition("-")[0]))
        else:
            file.unlink(missing_ok=True)
    return found


def _memory() -> int:
    """Bytes of shared memory for values under way."""
    return min(2 << 30, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4)


def main() -> None:
    """Start Ray, tell where it is, and end when nobody uses it."""
    path = folder()
    alive = open(path / "alive", "w")
    fcntl.flock(alive, fcntl.LOCK_EX)
    import ray
    sessions = path / "ray" if len(str(path)) < _SHORT else Path(tempfile.mkdtemp(prefix="ossia-"))
    for attempt in range(_ATTEMPTS):
        try:
            info: Any = ray.init(
                num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=_memory(),
                _temp_dir=str(sessions), namespace="ossia", configure_logging=False,
            )
            break
        except Exception:
            ray.shutdown()
            if attempt == _ATTEMPTS - 1:
                raise
    try:
        written = path / "head.json.new"
        written.write_text(json.dumps({"address": info.address_info["gcs_address"], "pid": os.getpid()}))
        written.rename(path / "head.json")
        since = time.monotonic()
        while time.monotonic() - since < _IDLE:
            time.sleep(0.2)
            if members():
                since = time.monotonic()
    finally:
        (path / "head.json").unlink(missing_ok=True)
        ray.shutdown()
        shutil.rmtree(sessions, ignore_errors=True)


if __name__ == "__main__":
    main()
