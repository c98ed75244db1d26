"""Bytes and messages changed at random, in the ways that break readers."""

import random

NUMBERS = [0, 1, 7, 127, 128, 255, 256, 2**15, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**62, 2**63 - 1, 2**64 - 1]


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def flip(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def put_byte(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] = chance.choice((0, 1, 9, 10, 32, 34, 44, 123, 127, 128, 255))


def put_number(data: bytearray, chance: random.Random) -> None:
    number, at = chance.choice(NUMBERS), chance.randrange(len(data))
    width = chance.choice((2, 4, 8))
    form = chance.choice((varint(number), (number % 256**width).to_bytes(width, "little"), str(number).encode()))
    data[at : at + chance.choice((1, width, len(form)))] = form


def remove(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(data))
    del data[at : at + chance.randrange(1, 1 + min(64, len(data)))]


def repeat(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(data))
    piece = data[at : at + chance.randrange(1, 33)]
    where = chance.randrange(len(data))
    data[where:where] = piece * chance.choice((1, 1, 2, 50))


def cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def insert(data: bytearray, chance: random.Random) -> None:
    where = chance.randrange(len(data))
    data[where:where] = chance.randbytes(chance.randrange(1, 9))


WAYS = (flip, flip, put_byte, put_number, put_number, remove, repeat, cut, insert)


def mutated(seed: bytes, chance: random.Random) -> bytes:
    """The seed after one to four changes."""
    data = bytearray(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if data:
            chance.choice(WAYS)(data, chance)
    return bytes(data)
