"""Names and types that everything speaks of: dtypes, shapes, nested structures, errors, devices, versions."""
