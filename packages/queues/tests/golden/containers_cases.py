"""Names of containers and shapes of components that the original takes, and how it refuses others."""
import numpy as np
from golden_case import outcomes

MAKERS = {
    "FIFOQueueV2": {"component_types": ["float"]}, "FIFOQueue": {"component_types": ["float"]},
    "RandomShuffleQueueV2": {"component_types": ["float"]}, "PriorityQueueV2": {"component_types": ["float"], "shapes": [[]]},
    "PaddingFIFOQueueV2": {"component_types": ["float"], "shapes": [[None]]}, "Barrier": {"component_types": ["float"], "shapes": [[]]},
    "ConditionalAccumulator": {"dtype": "float32", "shape": [2]}, "StageSize": {"dtypes": ["float"]},
    "SparseConditionalAccumulator": {"dtype": "float32", "shape": [2]}, "MapSize": {"dtypes": ["float"]},
    "TextLineReaderV2": {}, "IdentityReaderV2": {}, "MutableHashTableV2": {"key_dtype": "string", "value_dtype": "int64"},
    "VariableV2": {"dtype": "float32", "shape": [2]}, "VarHandleOp": {"dtype": "float32", "shape": [2]}, "MutexV2": {},
}


def _made(tf, kind, **attrs):
    options = {**MAKERS[kind], **attrs}
    if "component_types" in options:
        options["component_types"] = [tf.float32]
    if "dtypes" in options:
        options["dtypes"] = [tf.float32]
    found = getattr(tf.raw_ops, kind)(name="op", **options)
    return found.op


def case_containers(tf):
    names = ("(", "-1", "a_b", ".a-b/c", "_x", "a b")
    return outcomes(tf, [lambda tf, kind=kind, name=name: _made(tf, kind, container=name) for kind in sorted(MAKERS) for name in names])


def case_shared_names(tf):
    return outcomes(tf, [lambda tf, kind=kind, name=name: _made(tf, kind, shared_name=name)
                     for kind in sorted(MAKERS) for name in ("_x", "(", "\u00e9")])


def case_large_shapes(tf):
    queues = ("FIFOQueueV2", "RandomShuffleQueueV2", "PaddingFIFOQueueV2", "PriorityQueueV2", "Barrier")
    return outcomes(tf, [lambda tf, kind=kind, dims=dims: _made(tf, kind, shapes=[dims])
                     for kind in queues for dims in ([2**62, 4], [2**31, 2**33], [2, 3])])


def case_capacities(tf):
    return outcomes(tf, [lambda tf, kind=kind: _made(tf, kind, capacity=2**31)
                     for kind in ("FIFOQueue", "FIFOQueueV2", "RandomShuffleQueueV2", "PriorityQueueV2", "Barrier")])


def case_sparse_shapes(tf):
    dims = ([2, 2**62], [2**62, 4], [2, -1], [2, 3])
    return [said[:2] if isinstance(said, list) else "stored" for said in outcomes(tf, [
        lambda tf, dims=dims: tf.raw_ops.AddSparseToTensorsMap(
            sparse_indices=np.array([[0, 1]]), sparse_values=[1.0],
            sparse_shape=tf.placeholder_with_default(np.array(dims, np.int64), None)).op
        for dims in dims])]
