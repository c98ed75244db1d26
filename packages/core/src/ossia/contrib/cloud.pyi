# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import (
 BigQueryReader as BigQueryReader, BigtableClient as BigtableClient, BigtableTable as BigtableTable,
 BlockCacheParams as BlockCacheParams, ConfigureGcsHook as ConfigureGcsHook,
 configure_colab_session as configure_colab_session, configure_gcs as configure_gcs
)
