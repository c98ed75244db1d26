"""Seeds of the second and later draws that one sample is made of."""

from __future__ import annotations

import hashlib


def further_seed(seed: int | None, salt: str) -> int | None:
    """A seed that follows from `seed` and the name of what is drawn; None if there is none to follow from."""
    if seed is None:
        return None
    digest = hashlib.md5(f"{seed}{salt}".encode(), usedforsecurity=False).hexdigest()
    return int(digest[:8], 16) & 0x7FFFFFFF
