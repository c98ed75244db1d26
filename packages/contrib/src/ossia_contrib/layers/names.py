"""Where a layer is public: in `contrib.layers` and `contrib.slim`, and in `contrib.slim.layers` if it is one of old."""


def of_layers(*names: str) -> list[str]:
    """The public names of a function that all three modules have under these names."""
    return [*of_both(*names), *(f"contrib.slim.layers.{name}" for name in names)]


def of_both(*names: str) -> list[str]:
    """The public names of a function that `contrib.layers` and `contrib.slim` have under these names."""
    return [f"contrib.{module}.{name}" for name in names for module in ("layers", "slim")]
