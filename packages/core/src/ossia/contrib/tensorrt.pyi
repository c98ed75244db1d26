# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.absent import create_inference_graph as create_inference_graph
