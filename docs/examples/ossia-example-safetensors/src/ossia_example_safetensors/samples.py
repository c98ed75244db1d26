"""What the test kit tries: the element types that the layout has."""

from ossia_example_safetensors.format import NAMES

SAFETENSORS = {"": {"dtypes": [dtype.name for dtype in NAMES]}}
