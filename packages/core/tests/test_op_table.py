"""The ops of core, one table."""
from ossia_testkit.op_definitions import op_definition_tests
from ossia_testkit.op_table import op_table_tests

test_definitions = op_definition_tests("ossia_core")
_RANK = "as in the original, an unknown rank counts as a vector of unknown sizes, and runs as -1"
TestOps = op_table_tests(
    "ossia_core",
    skip={
        "TensorListElementShape-any": _RANK,
        "TensorListFromTensor-any": _RANK,
        "TensorListPushBack-any_shape": _RANK,
        "TensorListPushBack-scalar": _RANK,
        "TensorListReserve-any": _RANK,
    },
)
