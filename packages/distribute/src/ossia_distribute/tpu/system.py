"""Names of `tf.tpu` about the hardware, which local devices do not need."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_core.primitives.source import no_op


@public("tpu.XLAOptions")
class XLAOptions:
    """Options of the compiler for TPUs, without effect here.

    Attributes:
      use_spmd_for_xla_partitioning: whether it divides programs among the cores.
    """

    def __init__(self, use_spmd_for_xla_partitioning: bool = True) -> None:
        self.use_spmd_for_xla_partitioning = use_spmd_for_xla_partitioning


@public("tpu.initialize_system", "contrib.tpu.initialize_system")
def initialize_system(embedding_config: Any = None, job: str | None = None) -> Any:
    """A tensor with the topology of a TPU: an empty string, as there is none.

    Args:
      embedding_config: must be None.
      job: without effect.

    Raises:
      NotImplementedError: there is an `embedding_config`.
    """
    if embedding_config is not None:
        raise NotImplementedError("tf.tpu.initialize_system with an embedding_config needs TPU hardware")
    return identity(constant(b""), name="ConfigureDistributedTPU")


@public("tpu.shutdown_system", "contrib.tpu.shutdown_system")
def shutdown_system(job: str | None = None) -> Any:
    """An operation that would shut a TPU down.

    Args:
      job: without effect.
    """
    return no_op(name="ShutdownDistributedTPU")


@public("tpu.experimental.initialize_tpu_system")
def initialize_tpu_system(cluster_resolver: Any = None) -> Any:
    """Would start a TPU.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError("tf.tpu.experimental.initialize_tpu_system needs TPU hardware")
