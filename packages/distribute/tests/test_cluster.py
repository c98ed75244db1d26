"""Clusters, and the devices that their tasks give to a graph, are the original's."""
from ossia_testkit.golden import golden_tests

test_clusters = golden_tests(__file__, "cluster_cases.py")
test_device_setters = golden_tests(__file__, "device_setter_cases.py")
test_sessions_of_servers = golden_tests(__file__, "servers_cases.py")
