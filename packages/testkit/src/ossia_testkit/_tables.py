"""The plugin of ossia_testkit: what its modules declare. Written by `python -m ossia_core.plugins.api_table packages/testkit`; do not edit."""

from ossia_core.plugins.api_table import TablePlugin, tables

plugin = TablePlugin(tables(__file__))
