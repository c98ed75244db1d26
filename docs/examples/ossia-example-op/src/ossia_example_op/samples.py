"""Values that the test kit compares."""

HARDSWISH = {
    "regions": {"inputs": [[-4.0, -1.5, 0.0, 1.5, 4.0]], "values": [[0.0, -0.375, 0.0, 1.125, 4.0]]},
    "narrow": {"inputs": [[-0.5, 0.5, 2.0]], "attrs": {"width": 1.0}, "values": [[-0.125, 0.375, 2.0]]},
}
