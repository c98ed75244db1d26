# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import create_inference_graph as create_inference_graph
