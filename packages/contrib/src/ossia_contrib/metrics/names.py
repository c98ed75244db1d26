"""Where a metric is public."""


def both(name: str) -> tuple[str, str]:
    """The public names of a metric: in `contrib.metrics` and `contrib.slim.metrics`."""
    return f"contrib.metrics.{name}", f"contrib.slim.metrics.{name}"
