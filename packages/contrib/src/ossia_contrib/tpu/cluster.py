"""The address of a TPU."""

from __future__ import annotations

import os
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.cluster_resolver.TPUClusterResolver", "distribute.cluster_resolver.TPUClusterResolver")
class TPUClusterResolver(tf.distribute.cluster_resolver.ClusterResolver):
    """The address of a TPU. A name of one, which Google's cloud would have to be asked about, is refused.

    Args:
      tpu: an address, `grpc://...`; `local` and the empty text stand for this process.
      zone: the zone of a name.
      project: the project of a name.
      job_name: what the tasks are called.
      coordinator_name: a job for this process.
      coordinator_address: its address.
      credentials: of the cloud.
      service: of the cloud.
      discovery_url: of the cloud.

    Raises:
      ValueError: there is no `tpu`.
      NotImplementedError: it is a name.
    """

    def __init__(
        self, tpu: Any = None, zone: str | None = None, project: str | None = None, job_name: str = "worker",
        coordinator_name: str | None = None, coordinator_address: str | None = None, credentials: Any = "default",
        service: Any = None, discovery_url: str | None = None,
    ) -> None:
        tpu = tpu[0] if isinstance(tpu, list) else tpu
        if tpu is None:
            tpu = os.environ.get("TPU_NAME", os.environ.get("KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS"))
        if tpu is None:
            raise ValueError("Please provide a TPU Name to connect to.")
        self._tpu = tf.compat.as_text(tpu)
        if self._tpu not in ("", "local") and "://" not in self._tpu:
            raise NotImplementedError(
                f"TPUClusterResolver({self._tpu!r}): Ossia asks no cloud where a TPU is, and there is no TPU here; "
                "give an address, or train with use_tpu=False and no resolver"
            )
        self.task_id = 0
        self._job_name = job_name
        self._coordinator = coordinator_name, coordinator_address

    def master(self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None) -> str:
        """The address of the TPU."""
        return self._tpu

    def get_master(self) -> str:
        """As `master`."""
        return self.master()

    def get_job_name(self) -> str | None:
        """What its tasks are called, if a cloud was asked: None."""
        return None

    def cluster_spec(self) -> Any:
        """A cluster of its address; None for this process."""
        if "://" not in self._tpu:
            return None
        jobs = {self._job_name: [self._tpu.partition("://")[2]]}
        name, address = self._coordinator
        if address:
            jobs[name or "coordinator"] = [address]
        return tf.train.ClusterSpec(jobs)
