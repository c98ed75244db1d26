"""Public names and ops of ossia_distribute. Written by `python -m ossia_core.api_table packages/distribute`; do not edit."""

API: dict[str, str] = {
    "train.SyncReplicasOptimizer": "ossia_distribute.sync_replicas:SyncReplicasOptimizer",
}
OPS: dict[str, str] = {}
