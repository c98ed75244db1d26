"""Clusters of one process for the tests."""
import contextlib
import socket

import pytest

import ossia as tf


def free_ports(count):
    """Ports that nobody listens at."""
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in held:
            each.bind(("", 0))
        return [each.getsockname()[1] for each in held]


@pytest.fixture(scope="session")
def cluster():
    """Makes clusters of this process."""
    return made_cluster


def made_cluster(**jobs):
    """A ClusterSpec with so many tasks of each job, and the servers by job and number."""
    spec = tf.train.ClusterSpec({
        job: [f"localhost:{port}" for port in free_ports(count)] for job, count in jobs.items()
    })
    servers = {(job, i): tf.train.Server(spec, job, i) for job, count in jobs.items() for i in range(count)}
    return spec, servers
