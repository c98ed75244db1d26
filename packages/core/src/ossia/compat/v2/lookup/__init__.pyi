"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.lookup import KeyValueTensorInitializer as KeyValueTensorInitializer
from ossia_ops.lookup import TextFileIndex as TextFileIndex
from ossia_ops.lookup import TextFileInitializer as TextFileInitializer
from . import experimental as experimental
