"""Names of `tf.contrib` for what the API has elsewhere by now."""

from __future__ import annotations

from ossia_contrib.forwarding import forwarded

PUBLIC, __getattr__ = forwarded(
    {
        "contrib.batching": {"": "batch_function=nondifferentiable_batch_function"},
        "contrib.checkpoint": {"train": "CheckpointManager", "train.experimental": "PythonStateWrapper=PythonState"},
        "contrib.cluster_resolver": {
            "distribute.cluster_resolver": (
                "ClusterResolver SimpleClusterResolver TFConfigClusterResolver "
                "UnionClusterResolver=UnionResolver"
            )
        },
        "contrib.data": {
            "data": "Dataset FixedLengthRecordDataset Iterator TFRecordDataset TextLineDataset",
            "data.experimental": "Optional",
        },
        "contrib.deprecated": {
            "": "audio_summary histogram_summary image_summary merge_all_summaries merge_summary scalar_summary"
        },
        "contrib.distribute": {
            "distribute": (
                "CrossDeviceOps DistributionStrategy=Strategy OneDeviceStrategy ReplicaContext get_loss_reduction "
                "get_replica_context get_strategy has_strategy in_cross_replica_context"
            ),
            "distribute.experimental": (
                "CollectiveAllReduceStrategy=MultiWorkerMirroredStrategy ParameterServerStrategy TPUStrategy"
            ),
        },
        "contrib.eager": {
            "": (
                "GradientTape TensorSpec custom_gradient defun=function executing_eagerly function "
                "in_eager_mode=executing_eagerly make_template py_func=py_function enable_eager_execution"
            ),
            "train": "Checkpoint",
        },
        "contrib.hooks": {"train": "ProfilerHook"},
        "contrib.proto": {"io": "decode_proto encode_proto"},
        "contrib.signal": {
            "signal": (
                "frame hamming_window hann_window inverse_stft inverse_stft_window_fn linear_to_mel_weight_matrix "
                "mfccs_from_log_mel_spectrograms overlap_and_add stft"
            )
        },
        "contrib.stateless": {
            "random": (
                "stateless_multinomial stateless_random_normal=stateless_normal "
                "stateless_random_uniform=stateless_uniform stateless_truncated_normal"
            )
        },
        "contrib.util": {"": "make_ndarray make_tensor_proto"},
    }
)
