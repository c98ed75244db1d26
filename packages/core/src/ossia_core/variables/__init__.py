"""Variables of both kinds, the scopes that share them, and their partitions; the choice between the kinds."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.variables.creation import last_creator, resource_variables_enabled
from ossia_core.variables.ref import RefVariable
from ossia_core.variables.resource import ResourceVariable
from ossia_core.variables.scope import get_variable_scope
from ossia_core.variables.variable import KINDS

KINDS.update({False: RefVariable, True: ResourceVariable})


@last_creator
def default_variable_creator(next_creator: Callable | None = None, **kwargs: Any) -> Any:
    """The end of the chain of creators: a RefVariable or ResourceVariable, as `use_resource`, the scope or the default
    say."""
    use_resource = kwargs.pop("use_resource", None)
    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    if use_resource is None:
        use_resource = resource_variables_enabled()
    if not use_resource:
        return RefVariable(**kwargs)
    kwargs.pop("expected_shape", None)
    return ResourceVariable(**kwargs)
