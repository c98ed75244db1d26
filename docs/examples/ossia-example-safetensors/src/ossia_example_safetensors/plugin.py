"""What this distribution registers with Ossia."""

from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_checkpoint_formats():
    return {"safetensors": "ossia_example_safetensors.format:SafetensorsFormat"}


@hookimpl
def ossia_samples():
    return {"checkpoint_formats/safetensors": "ossia_example_safetensors.samples:SAFETENSORS"}
