"""The plugin of ossia_ops: what its modules declare. Written by `python -m ossia_core.plugins.api_table packages/ops`; do not edit."""

from ossia_core.plugins.api_table import TablePlugin, tables

plugin = TablePlugin(tables(__file__))
