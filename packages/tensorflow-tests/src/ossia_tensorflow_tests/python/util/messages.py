"""The messages that tests of `nest` and `weights_broadcast_ops` look for, as templates."""

_TREE = "Input structure has length {%s}, while shallow structure has length {shallow_%s}."

_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ = (
    "If shallow structure is a sequence, input must also be a sequence. Input has type: {}."
)
_INPUT_TREE_SMALLER_THAN_SHALLOW_TREE = (
    f"The input_tree has fewer elements than the shallow_tree. {_TREE % ('input_size', 'size')}"
)
_SHALLOW_TREE_HAS_INVALID_KEYS = (
    "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys that "
    "are not in the input_tree: {}."
)
_STRUCTURES_HAVE_MISMATCHING_LENGTHS = (
    f"The two structures don't have the same sequence length. {_TREE % ('input_length', 'length')}"
)
_STRUCTURES_HAVE_MISMATCHING_TYPES = (
    "The two structures don't have the same sequence type. Input structure has type {input_type}, while shallow "
    "structure has type {shallow_type}."
)
_ASSERT_BROADCASTABLE_ERROR_PREFIX = "weights can not be broadcast to values."
