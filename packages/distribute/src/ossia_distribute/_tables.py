"""Public names and ops of ossia_distribute. Written by `python -m ossia_core.api_table packages/distribute`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_distribute", """
.cluster: train.ClusterSpec
.device_setter: train.replica_device_setter
.server: distribute.Server train.Server
.sync_replicas: train.SyncReplicasOptimizer
""")
