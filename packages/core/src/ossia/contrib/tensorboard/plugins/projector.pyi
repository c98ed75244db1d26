# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.tensorboard.projector import (
 EmbeddingInfo as EmbeddingInfo, ProjectorConfig as ProjectorConfig, SpriteMetadata as SpriteMetadata,
 visualize_embeddings as visualize_embeddings
)
