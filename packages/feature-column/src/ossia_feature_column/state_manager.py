"""The variables of columns in layers: `StateManager`."""

from __future__ import annotations

from typing import Any

from ossia_core.variables.scope import get_variable


class StateManager:
    """What columns make their variables with, and find them in again; a layer has one."""

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:
        """Makes a variable of a column.

        Raises:
            NotImplementedError: The manager cannot.
        """
        raise NotImplementedError("StateManager.create_variable")

    def add_variable(self, feature_column: Any, var: Any) -> None:
        """Takes a variable that a column has made.

        Raises:
            NotImplementedError: The manager cannot.
        """
        raise NotImplementedError("StateManager.add_variable")

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A variable of a column.

        Raises:
            NotImplementedError: The manager cannot.
        """
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Takes something else that a column has made, a table for example.

        Raises:
            NotImplementedError: The manager cannot.
        """
        raise NotImplementedError("StateManager.add_resource")

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """Something else that a column has made.

        Raises:
            NotImplementedError: The manager cannot.
        """
        raise NotImplementedError("StateManager.get_resource")


class LayerState(StateManager):
    """The variables of a layer's columns.

    Args:
        layer: The layer, which owns them.
        trainable: Whether variables are trained, if their columns say so too.
    """

    def __init__(self, layer: Any, trainable: bool) -> None:
        self._layer, self._trainable = layer, trainable
        self._variables: dict[Any, dict[str, Any]] = {}
        self._resources: dict[Any, dict[str, Any]] = {}

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:
        """Makes a variable of a column, below the names of the layer and the column.

        Raises:
            ValueError: The column has one of that name.
        """
        own = self._variables.setdefault(feature_column, {})
        if name in own:
            raise ValueError("Variable already exists.")
        trained = self._trainable and trainable
        own[name] = get_variable(
            f"{self._layer.name}/{feature_column.name}/{name}", shape=shape, dtype=dtype, initializer=initializer,
            trainable=trained, use_resource=use_resource,
        )
        self._layer._keep(own[name], trained)
        return own[name]

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A variable of a column.

        Raises:
            ValueError: There is none of that name.
        """
        if name not in self._variables.get(feature_column, {}):
            raise ValueError("Could not find variable.")
        return self._variables[feature_column][name]

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Takes something else that a column has made."""
        self._resources.setdefault(feature_column, {})[name] = resource

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """Something else that a column has made.

        Raises:
            ValueError: There is none of that name.
        """
        if name not in self._resources.get(feature_column, {}):
            raise ValueError("Resource does not exist.")
        return self._resources[feature_column][name]
