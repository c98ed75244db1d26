"""Compares the records of both sides, sets aside what is explained, and prints the rest in groups."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import known
import numpy as np

from ossia_testkit import comparison

EXPLAINED_ERRORS = ("No OpKernel", "Could not find valid device", "with these attrs", "No registered")
ROUNDING = 64  # units in the last place of the largest element that a sum may be off, whatever its order
CANCELLED = 8  # units in the last place of 1 that a gradient may be off, whose parts may add up to nothing
KINDS = {"unexpected": "error", "no error": "no error", "got ": "error class", "graph": "graph", "fetch": "shape",
         "fact": "fact", "collection": "collection", "slow": "slow"}  # fmt: skip


def kind(difference: str) -> str:
    """What a difference is about, from how its text begins; `value` if it is about none of KINDS."""
    return next((name for start, name in KINDS.items() if difference.startswith(start)), "value")


def is_rounding(expected: dict[str, Any], got: dict[str, Any], gradient: bool = False) -> bool:
    """Whether two values of equal dtype and shape differ by rounding alone, measured against the largest element; a
    `gradient`'s against 1, too."""
    if any(expected[key] != got[key] for key in ("dtype", "shape")):
        return False
    left, right = comparison.decode(expected), comparison.decode(got)
    if left.dtype.kind not in "fc" or not left.size:
        return bool(np.array_equal(left, right))
    with np.errstate(all="ignore"):
        finite = np.isfinite(left)
        if not np.array_equal(left[~finite], right[~finite], equal_nan=True) or not np.isfinite(right[finite]).all():
            return False
        scale = np.abs(left[finite]).max(initial=0)
        step = 2.0**-8 if expected["dtype"] == "bfloat16" else np.finfo(left.dtype).eps
        allowed = max(ROUNDING * step * scale, CANCELLED * step if gradient else 0)
        return bool(np.all(np.abs(left[finite] - right[finite]) <= allowed))


def differences(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """What differs between two records, apart from what rounding does; a slow or refused case is a difference too."""
    for record, side in ((expected, "the original"), (got, "ours")):
        if "refused" in record:
            return [f"slow or large: {side} refused: {record['refused']}"]
    found = comparison.differences(expected, got)
    if got.get("slow", 0) > 2 * expected.get("slow", 0) + 5:
        found.append(f"slow: {got['slow']} s")
    return [text for text in found if not only_rounding(text, expected, got)]


def only_rounding(text: str, expected: dict[str, Any], got: dict[str, Any]) -> bool:
    """Whether a difference is one of values, and of no more than rounding."""
    place = re.match(r"run (\d+): (\S+): ", text)
    if not place:
        return False
    left, right = (record["runs"][int(place[1])].get(place[2]) for record in (expected, got))
    return left is not None and right is not None and is_rounding(left, right, place[1] != "0")


def verdict(case: dict[str, Any], expected: dict[str, Any], got: dict[str, Any]) -> tuple[str, list[str]]:
    """How a case ended: `same`, `explained: why`, or the kind of the first difference, with all differences."""
    error = expected.get("error") or {}
    ours = (got.get("error") or {}).get("class")
    if ours in (["crash"], ["timeout"]):
        return f"our {ours[0]}", [got["error"]["message"]]
    if error.get("class") in (["crash"], ["timeout"]):
        return f"explained: the original's {error['class'][0]}", []
    if any(text in error.get("message", "") for text in EXPLAINED_ERRORS):
        return "explained: the original has no kernel", []
    found = differences(expected, got)
    if not found:
        return "same", []
    reason = known.reason(case, found)
    return (f"explained: {reason}" if reason else kind(found[0])), found


def text_of(item: Any, width: int = 60) -> str:
    """A value of a case for a reader."""
    if isinstance(item, list):
        return "[" + ", ".join(text_of(part, width) for part in item) + "]"
    if not isinstance(item, dict) or len(item) != 1:
        return repr(item)
    ((name, content),) = item.items()
    if name == "t":
        return f"{array_text(content['a'], width)}@{content['p']}"
    if name in ("np", "scalar", "ref", "res"):
        return name + array_text(content, width)
    if name == "var":
        return name + array_text(content["a"], width)
    if name == "call":
        return step_text(content, width)
    if name == "dict":
        return "{" + ", ".join(f"{key}: {text_of(part, width)}" for key, part in content.items()) + "}"
    return f"{name}:{text_of(content, width)}"


def array_text(record: dict[str, Any], width: int) -> str:
    """An array for a reader: dtype, shape and the beginning of its values."""
    values = np.array2string(comparison.decode(record), threshold=40, separator=",", max_line_width=1000)
    values = re.sub(r"\s+", "", values)
    return f"{record['dtype']}{record['shape']}{values if len(values) <= width else values[:width] + '...'}"


def case_text(case: dict[str, Any], width: int = 60) -> str:
    """A case for a reader: the call, or the steps of the program."""
    if "program" in case:
        lines = [f"    {index}: {step_text(step, width)}" for index, step in enumerate(case["program"])]
        if "gradients" in case:
            lines.append(f"    gradients {case['gradients']}")
        return "\n".join(["program", *lines, f"    runs {text_of(case['runs'], width)[:300]}"])
    asked = {key: item for key, item in case.get("slopes", {}).items() if item not in (None, {}, "smooth")}
    orders = f" grad={case['grad']}" if case.get("grad") else ""
    return step_text(case, width) + orders + (f" {asked}" if asked else "")


def step_text(step: dict[str, Any], width: int) -> str:
    """One call of a program for a reader."""
    if "call" not in step and "method" not in step:
        return ", ".join(f"{key}={inner_text(key, item, width)}" for key, item in step.items())
    words = [text_of(item, width) for item in step.get("args", [])]
    words += [f"{key}={text_of(item, width)}" for key, item in step.get("kwargs", {}).items()]
    return f"{step.get('call') or '.' + step['method']}({', '.join(words)})"


def inner_text(key: str, item: Any, width: int) -> str:
    """What an entry of a step says, the steps inside it written like steps."""
    if key in ("feed", "variable"):
        return array_text(item, width)
    if key in ("body", "steps"):
        return "{" + "; ".join(step_text(step, width) for step in item) + "}"
    if key == "branches":
        return " | ".join(inner_text("steps", steps, width) for steps in item)
    return text_of(item, width)


def show(cases: list[dict], expected: Iterable[dict], got: Iterable[dict], each: int = 1, width: int = 60) -> int:
    """Print the differences in groups of one call and kind, `each` of a group, then the counts; how many differ."""
    groups: dict[tuple[str, str], list] = {}
    counts: Counter[str] = Counter()
    total = 0
    for case, left, right in zip(cases, expected, got):
        total += 1
        ended, found = verdict(case, left, right)
        if ended == "same" or ended.startswith("explained"):
            counts[ended] += 1
        else:
            groups.setdefault((case.get("call", "program"), ended), []).append((case_text(case, width), found))
    for (name, ended), items in sorted(groups.items()):
        print(f"=== {name}: {ended}, {len(items)}")
        for text, found in sorted(items, key=lambda item: len(item[0]))[:each]:
            print("  " + text[:3000])
            for difference in found[:2]:
                print("     " + "\n     ".join(line[:400] for line in difference.split("\n")[:5]))
    differ = sum(map(len, groups.values()))
    print(f"{total} cases, {differ} differ; " + ", ".join(f"{count} {name}" for name, count in counts.most_common()))
    return differ
