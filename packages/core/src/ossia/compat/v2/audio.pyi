# Written by tools/api_stubs.py; do not edit.
from ossia.audio import decode_wav as decode_wav, encode_wav as encode_wav
