# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_io.wav import decode_wav as decode_wav, encode_wav as encode_wav
