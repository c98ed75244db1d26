"""Public names and ops of ossia_checkpoint. Written by `python -m ossia_core.api_table packages/checkpoint`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_checkpoint", """
.initializers: train.init_from_checkpoint
.meta_graph: train.export_meta_graph train.import_meta_graph
.reader: compat.v2.train.list_variables compat.v2.train.load_checkpoint compat.v2.train.load_variable
 pywrap_tensorflow.NewCheckpointReader train.NewCheckpointReader train.list_variables train.load_checkpoint
 train.load_variable
.remapping: +LoadAndRemapMatrix
.save_ops: +MergeV2Checkpoints +Restore +RestoreSlice +RestoreV2 +Save +SaveSlices +SaveV2 +ShardedFilename
 +ShardedFilespec
.saver: train.Saver
.state: compat.v2.train.checkpoints_iterator compat.v2.train.get_checkpoint_state compat.v2.train.latest_checkpoint
 train.checkpoint_exists train.checkpoints_iterator train.generate_checkpoint_state_proto train.get_checkpoint_mtimes
 train.get_checkpoint_state train.latest_checkpoint train.remove_checkpoint train.update_checkpoint_state
.warm_start: train.VocabInfo train.warm_start
""")
