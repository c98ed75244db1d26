# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.tensorboard.projector import (
 EmbeddingInfo as EmbeddingInfo, ProjectorConfig as ProjectorConfig, SpriteMetadata as SpriteMetadata,
 visualize_embeddings as visualize_embeddings
)
