"""The plugin of ossia_modules: what its modules declare. Written by `python -m ossia_core.plugins.api_table packages/modules`; do not edit."""

from ossia_core.plugins.api_table import TablePlugin, tables

plugin = TablePlugin(tables(__file__))
