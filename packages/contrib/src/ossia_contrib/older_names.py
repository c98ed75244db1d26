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
            "data.experimental": (
                "AUTOTUNE Counter CsvDataset Optional RandomDataset Reducer SqlDataset TFRecordWriter "
                "bucket_by_sequence_length choose_from_datasets copy_to_device dense_to_sparse_batch "
                "enumerate_dataset get_next_as_optional get_single_element group_by_reducer group_by_window "
                "ignore_errors make_batched_features_dataset make_csv_dataset make_saveable_from_iterator "
                "map_and_batch parallel_interleave parse_example_dataset prefetch_to_device rejection_resample "
                "sample_from_datasets scan shuffle_and_repeat unbatch unique"
            ),
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
        "contrib.estimator": {
            "estimator": "add_metrics",
            "estimator.experimental": (
                "InMemoryEvaluatorHook make_early_stopping_hook stop_if_higher_hook stop_if_lower_hook "
                "stop_if_no_decrease_hook stop_if_no_increase_hook"
            ),
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
