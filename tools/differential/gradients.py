"""Random gradients: of raw ops and of public functions, by some of their inputs, given or not, in many ways.

The call is one of `raw_ops` or of a family of `functions`; what is asked about its gradients is in `build_gradients`.
"""

from __future__ import annotations

import random
from typing import Any

import functions
import raw_ops
from values import SMOOTH

from ossia_testkit import op_samples
from ossia_testkit.op_definitions import original_ops

SURROUNDINGS = (None,) * 10 + ("cond", "cond", "loop", "loop", "custom", "override")
WAYS = ("gradients",) * 16 + ("hessians", "tape", "tape", "compute")
GIVEN = ("like",) * 12 + ("ones", "number", "array", "double", "integer", "slices")


def smooth_dtypes(rng: random.Random, call: raw_ops.RawCall, kernels: list[dict[str, list[str]]]) -> None:
    """Give the call one of the dtypes with gradients that the original has kernels for, each as often."""
    for attr in call.definition.attrs.values():
        items = [item for item in call.flat if item.arg.type_attr == attr.name]
        if any(item.is_handle for item in call.flat):  # whose variable has a dtype of its own
            return
        if attr.kind != "type" or not any(item.dtype in SMOOTH for item in items):
            continue
        limits = [kernel[attr.name] for kernel in kernels if attr.name in kernel]
        allowed = [dtype.name for dtype in attr.allowed] if attr.allowed else SMOOTH
        options = [name for name in SMOOTH if name in allowed and (not limits or any(name in some for some in limits))]
        if options:
            name = rng.choice(options)
            for item in items:
                item.array, item.dtype = raw_ops.converted(item.array, name), name
            if attr.name not in call.definition.inferred_attrs:
                call.attrs[attr.name] = name


def slopes(rng: random.Random, inputs: int) -> dict[str, Any]:
    """What is asked about the gradients of a call with some inputs."""
    options: dict[str, Any] = {}
    if rng.random() < 0.2:
        options["unconnected_gradients"] = "zero"
    if rng.random() < 0.2:
        options["aggregation_method"] = rng.choice([0, 1, 2])
    if rng.random() < 0.15:
        options["colocate_gradients_with_ops"] = True
    if rng.random() < 0.15:
        options["gate_gradients"] = True
    if rng.random() < 0.15:
        options["stop_gradients"] = [rng.randrange(inputs + 1)]
    if rng.random() < 0.1:
        options["name"] = rng.choice(["slopes", "a/b", ""])
    way = rng.choice(WAYS)
    chosen = None if rng.random() < 0.5 or not inputs else sorted(rng.sample(range(inputs), rng.randint(1, inputs)))
    return {
        "of": rng.choice(["smooth", "smooth", "all", 0, 0, 1]),
        "by": chosen,
        "inside": rng.choice(SURROUNDINGS),
        "given": rng.choice(GIVEN) if rng.random() < 0.5 else None,
        "way": way,
        "order": rng.choice([1, 1, 2, 2, 3]) if way == "gradients" else 1,
        "options": options,
    }


def tensors_of(item: Any) -> int:
    """How many tensors a value of a case has in it."""
    if isinstance(item, list):
        return sum(map(tensors_of, item))
    if not isinstance(item, dict):
        return 0
    return int("t" in item or "var" in item) or sum(tensors_of(part) for part in item.values())


def with_slopes(rng: random.Random, case: dict[str, Any]) -> dict[str, Any]:
    """The case of a call, with a question about its gradients."""
    count = tensors_of([case.get("args", []), case["kwargs"]])
    return {**case, "slopes": slopes(rng, count)}


def raw_cases(rng: random.Random, count: int, names: list[str], facts: dict[str, Any]) -> list[dict[str, Any]]:
    """`count` calls of each op that has a gradient; of the others, one in eight of them."""
    made = []
    for definition in op_samples.package_ops(*raw_ops.PACKAGES):
        name, original = definition.type, original_ops().get(definition.type, {})
        kernels = facts["kernels"].get(name)
        if names and name not in names or name in raw_ops.NOT_CALLED or kernels is None:
            continue
        if original.get("deprecated_at") or name not in facts["parameters"]:
            continue
        samples = raw_ops.starting_points(definition)
        rounds = count if original.get("gradient") == "registered" or names else -(-count // 8)
        for _ in range(rounds if samples else 0):
            try:
                call = raw_ops.RawCall(definition, *rng.choice(samples))
                smooth_dtypes(rng, call, kernels)
                if rng.random() < 0.5:
                    call.change_values(rng)
                if rng.random() < 0.3:
                    call.change_shapes(rng)
                call.change_attrs(rng)
                case = call.case(rng, facts["parameters"][name])
            except (TypeError, ValueError, OverflowError):  # values that the changed dtype has no room for
                continue
            made.append(with_slopes(rng, case))
    return made


def cases(rng: random.Random, count: int, names: list[str], facts: dict[str, Any]) -> list[dict[str, Any]]:
    """`count` questions about each op that has a gradient and each family of functions (of those named, if any are)."""
    made = raw_cases(rng, count, names, facts)
    for case in functions.cases(rng, count, names):
        made.append(with_slopes(rng, {key: item for key, item in case.items() if key != "grad"}))
    for case in made:
        case.pop("grad", None)
    return made
