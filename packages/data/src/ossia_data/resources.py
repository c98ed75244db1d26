"""What datasets share: memory for caches, generators of seeds, pools of threads; and the datasets that name them."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import SCALAR
from ossia_core.primitives.state import SessionState, resource_name
from ossia_data.elements import Body, Elements, dataset_op
from ossia_data.passing import Passed
from ossia_data.settings import BOTH
from ossia_data.shuffling import Shuffle, positive

_KINDS = {"MemoryCache": "", "RandomSeedGenerator": "seed: int64, seed2: int64"}
for _kind, _given in _KINDS.items():
    _made = op(f"Anonymous{_kind}({_given}) -> handle: resource, deleter: variant", stateful=True)
    _made.shape(lambda *_: (SCALAR, SCALAR))
    _made.kernel(lambda *given: (tuple(map(int, given)), None))
    _made.not_differentiable()
    _made = op(f"Delete{_kind}(handle: resource, deleter: variant)", stateful=True)
    _made.changes("handle")
    _made.kernel(lambda handle, deleter: None)
    _made.not_differentiable()

_shuffle = dataset_op(
    "ShuffleDatasetV2(input_dataset: variant, buffer_size: int64, seed_generator: resource) -> handle: variant",
    stateful=True,
)
_shuffle.reads("seed_generator")
_shuffle.kernel(lambda source, size, seeds: Shuffle(source, positive(size), seeds, True))


class _Pool:
    """Threads that a program has asked for; elements are made by those of the process."""


def _pool(node: Any, session: SessionState) -> _Pool:
    return session.resource(node.attrs["container"], resource_name(node), "thread_pool", _Pool)


for _prefix in BOTH:
    _made = op(
        f"{_prefix}ThreadPoolHandle() -> handle: resource", stateful=True, num_threads="int",
        max_intra_op_parallelism="int = 1", display_name="string", container="string = ''", shared_name="string = ''",
    )
    _made.makes()
    _made.shape(lambda: SCALAR)
    _made.resource(_pool)
    _made.not_differentiable()
    _made = dataset_op(
        f"{_prefix}ThreadPoolDataset(input_dataset: variant, thread_pool: resource) -> handle: variant", stateful=True
    )
    _made.reads("thread_pool")
    _made.kernel(lambda source, pool: Passed([source]))

_fastest = dataset_op(
    "ChooseFastestBranchDataset(input_dataset: variant, ratio_numerator: int64, ratio_denominator: int64, "
    "other_arguments: Targuments) -> handle: variant", Targuments="list(type) >= 0", num_elements_per_branch="int >= 1",
    branches="list(func) >= 1", other_arguments_lengths="list(int) >= 1",
)


@_fastest.kernel_for
def _(node: Any, *, session: Any) -> Any:
    first = Body(node, node.attrs["branches"][0], session)
    count = node.attrs["other_arguments_lengths"][0]

    def kernel(source: Elements, numerator: Any, denominator: Any, captured: list) -> Elements:
        return first.instance()([source, *captured[:count]])[0]

    return kernel


_snapshot = dataset_op(
    "SnapshotDataset(input_dataset: variant, path: string) -> handle: variant", compression="string = ''",
    reader_path_prefix="string = ''", writer_path_prefix="string = ''", shard_size_bytes="int = 10737418240",
    pending_snapshot_expiry_seconds="int = 86400", num_reader_threads="int = 1", reader_buffer_size="int = 1",
    num_writer_threads="int = 1", writer_buffer_size="int = 1",
)


@_snapshot.kernel
def _(source, path):
    raise NotImplementedError("SnapshotDataset: ossia-data keeps no snapshots; `cache` with a file name does")
