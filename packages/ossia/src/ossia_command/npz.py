"""Arrays in .npy and .npz files; any name will do, as `numpy.savez` does not have it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from typing import Any

import numpy as np


def write(path: str, arrays: Iterable[tuple[str, Any]]) -> None:
    """Writes arrays one by one, so that no two need be in memory; strings become bytes of one length."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in arrays:
            array = np.asarray(value)
            if array.dtype.kind == "O":
                array = np.array(array.tolist(), np.bytes_)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def read(text: str) -> np.ndarray:
    """The array in a .npy file, or in `ARCHIVE.npz[KEY]`; the first one without a key."""
    archive, bracket, key = text.partition("[")
    if not archive.endswith(".npz"):
        return np.load(text, allow_pickle=False)
    arrays = np.load(archive, allow_pickle=False)
    return arrays[key.removesuffix("]") if bracket else arrays.files[0]]
