"""Routines that packages ask for by name, beside the same in Python."""
import struct

import numpy as np
import pytest

from ossia_backend_cffi.kernels.byte_strings import Refused
from ossia_core.backend import routine

RECORDS = [b"", b"a", bytes(range(256)) * 5, b"x" * 12, b"12345678" * 3]


def checked(data: bytes) -> bytes:
    """Bytes and their masked CRC-32C."""
    crc = 2**32 - 1
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 2**32 - 1
    return data + struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def framed(record: bytes) -> bytes:
    return checked(struct.pack("<Q", len(record))) + checked(record)


FILE = b"".join(map(framed, RECORDS))


def test_records_are_framed_and_split_again():
    assert bytes(routine("frame_records")(RECORDS)) == FILE
    records, used, damaged = routine("split_records")(FILE)
    assert (records.tolist(), used, damaged) == (RECORDS, len(FILE), False)


def test_what_is_no_bytes_is_not_framed():
    with pytest.raises(TypeError):
        routine("frame_records")([b"a", "b"])


@pytest.mark.parametrize("cut", range(60))
def test_a_file_that_ends_anywhere(cut):
    records, used, damaged = routine("split_records")(FILE[:cut])
    ends = np.cumsum([len(framed(record)) for record in RECORDS])
    count = int((ends <= cut).sum())
    assert records.tolist() == RECORDS[:count]
    assert used == (ends[count - 1] if count else 0) and not damaged


@pytest.mark.parametrize("place", range(34))
def test_a_byte_that_is_wrong_anywhere(place):
    text = bytearray(FILE)
    text[place] ^= 64
    records, used, damaged = routine("split_records")(bytes(text))
    count = 0 if place < 16 else 1 if place < 33 else 2
    assert records.tolist() == RECORDS[:count] and damaged


def test_a_length_of_almost_everything():
    text = checked(struct.pack("<Q", 2**64 - 5)) + b"abcdef"
    records, used, damaged = routine("split_records")(text)
    assert (len(records), used, damaged) == (0, 0, False)


@pytest.mark.parametrize("one_pass", [True, False])
def test_numbers_are_drawn_as_one_by_one(one_pass):
    random = np.random.RandomState(3)
    for size, held, arrivals, count in [(1, 1, 5, 5), (7, 3, 20, 12), (7, 7, 3, 40), (64, 0, 64, 10), (5, 2, 0, 3)]:
        buffer, offset = random.permutation(size).astype(np.int64), 1000
        places = np.array([offset, offset + held, offset + held], np.int64)
        words = random.randint(0, 2**32, count, np.uint64).astype(np.uint32)
        model, begin, end, last, wanted = buffer.tolist(), offset, offset + held, offset + held, []
        waiting = list(range(100, 100 + arrivals))
        for word in words.tolist():
            while waiting and last - begin < size:
                model[last % size] = waiting.pop(0)
                last += 1
                end = last if one_pass else end
            if begin == end:
                break
            place = (begin + word % (end - begin)) % size
            wanted.append(model[place])
            model[place] = model[begin % size]
            begin += 1
        found = routine("draw_from_buffer")(buffer, places, one_pass, 100, arrivals, words)
        assert found.tolist() == wanted and places.tolist() == [begin, end, last] and buffer.tolist() == model


@pytest.mark.parametrize("places", [[0, 0], [0, 2, 1], [-1, 0, 0], [0, 0, 9]])
def test_places_that_are_none_are_refused(places):
    words = np.zeros(1, np.uint32)
    with pytest.raises(Refused):
        routine("draw_from_buffer")(np.zeros(8, np.int64), np.array(places, np.int64), True, 0, 0, words)
