# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.older_names import decode_proto as decode_proto, encode_proto as encode_proto
