"""Readers of bytes that nobody meant for them: a documented error or a value, and never more."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ossia_core.names import dtypes, errors
from ossia_io import wav
from ossia_io.tensors import parsed_tensor, serialized_tensor


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(data):
    try:
        parsed_tensor(data, dtypes.float32)
    except (errors.InvalidArgumentError, errors.ResourceExhaustedError):
        pass


def test_a_tensor_may_claim_no_more_than_it_holds():
    small = serialized_tensor(np.zeros(2, np.float32), dtypes.float32)
    huge = b"\x08\x01\x12\x10\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x12\x02\x08\x08" + small[-10:]
    with pytest.raises((errors.InvalidArgumentError, errors.ResourceExhaustedError)):
        parsed_tensor(huge, dtypes.float32)


def test_wav_files_cut_or_changed_anywhere():
    whole = wav.encoded(np.linspace(-1, 1, 12, dtype=np.float32).reshape(6, 2), 8000)
    for end in range(len(whole)):
        with pytest.raises(errors.InvalidArgumentError):
            wav.decoded(whole[:end])
    for at in range(len(whole)):
        for value in (0, 1, 127, 128, 255):
            try:
                samples, _ = wav.decoded(whole[:at] + bytes([value]) + whole[at + 1 :])
            except errors.InvalidArgumentError:
                continue
            assert samples.size <= len(whole)


def test_a_wav_file_of_more_samples_than_memory_holds():
    with pytest.raises((errors.InvalidArgumentError, errors.ResourceExhaustedError)):
        wav.decode_wav_op.kernel_fn(
            wav.encoded(np.zeros((1, 1), np.float32), 1), desired_channels=2**31 - 1, desired_samples=2**31 - 1
        )
