"""Public names and ops of ossia_testing. Written by `python -m ossia_core.plugins.api_table packages/testing`; do not edit."""

from ossia_core.plugins.api_table import tables

API, OPS = tables(__file__)
