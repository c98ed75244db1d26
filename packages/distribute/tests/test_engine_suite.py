"""The suite of the test kit over the engine of one process; over Ray, with what only Ray has, among the faults."""

import os
import re
import socket
import subprocess
import sys
import time

import pytest

from ossia_distribute import ray_head
from ossia_distribute.ray_engine import ray_engine
from ossia_testkit.suites.test_engines import TestEngines as Suite

MEMBER = "from ossia_distribute.ray_engine import ray_engine; ray_engine()._connect(); print('in', flush=True); input()"


class TestEngines(Suite):
    packages = ("ossia_distribute",)
    names = ("in-process",)


@pytest.mark.faults
class TestRay(Suite):
    packages = ("ossia_distribute",)
    names = ("ray",)


def test_without_ray_the_error_says_what_to_install(monkeypatch, cluster):
    from ossia_core.names import errors
    from ossia_distribute import membership

    monkeypatch.setattr(type(ray_engine()), "available", lambda self: "pip install 'ossia-distribute[ray]'")
    spec, servers = cluster(ps=1)
    cluster_of_two = type(spec)({"ps": ["localhost:11", "localhost:12"]})
    with socket.socket() as port:
        lonely = membership.Membership("localhost:11", servers["ps", 0]._membership._runtime, cluster_of_two, port)
        with pytest.raises(errors.FailedPreconditionError, match=r"pip install 'ossia-distribute\[ray\]'"):
            lonely.join()


@pytest.mark.faults
def test_the_cluster_listens_on_loopback_and_ends_with_its_last_process(tmp_path, monkeypatch):
    monkeypatch.setenv("OSSIA_RUNTIME_DIR", str(tmp_path))
    members = [
        subprocess.Popen([sys.executable, "-c", MEMBER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [member.stdout.readline() for member in members] == ["in\n", "in\n"]
    found = subprocess.run(["ss", "-ltnpH"], stdout=subprocess.PIPE, text=True, check=True).stdout
    ours = [line.split()[3] for line in found.splitlines() if re.search("raylet|gcs_server|ray::", line)]
    assert ours and all("127.0.0.1" in address for address in ours), ours
    (tmp_path / "other").write_text("0" * 64)
    stranger = subprocess.Popen(  # Ray's client tries again and again
        [sys.executable, "-c", f"import ray; ray.init({ray_head.head_address(False)!r}); print('in', flush=True)"],
        env={**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(tmp_path / "other")},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    time.sleep(15)
    stranger.kill()
    assert stranger.communicate()[0] == ""
    members[0].kill()
    members[1].communicate("\n")
    members[0].communicate()
    deadline = time.monotonic() + 60
    while ray_head._is_held(tmp_path / "alive") and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not ray_head._is_held(tmp_path / "alive")
