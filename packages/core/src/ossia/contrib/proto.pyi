# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import decode_proto as decode_proto, encode_proto as encode_proto
