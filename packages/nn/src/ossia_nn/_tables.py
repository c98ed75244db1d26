"""Public names and ops of ossia_nn. Written by `python -m ossia_core.api_table packages/nn`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_nn", """
.activations: keras.activations.deserialize keras.activations.elu keras.activations.exponential keras.activations.get
 keras.activations.hard_sigmoid keras.activations.linear keras.activations.relu keras.activations.selu
 keras.activations.serialize keras.activations.sigmoid keras.activations.softmax keras.activations.softplus
 keras.activations.softsign keras.activations.tanh
.average_losses: compat.v2.nn.compute_average_loss compat.v2.nn.scale_regularization_loss nn.compute_average_loss
 nn.scale_regularization_loss
.constraints: keras.constraints.Constraint keras.constraints.MaxNorm keras.constraints.MinMaxNorm
 keras.constraints.NonNeg keras.constraints.RadialConstraint keras.constraints.UnitNorm keras.constraints.deserialize
 keras.constraints.get keras.constraints.max_norm=MaxNorm keras.constraints.min_max_norm=MinMaxNorm
 keras.constraints.non_neg=NonNeg keras.constraints.radial_constraint=RadialConstraint keras.constraints.serialize
 keras.constraints.unit_norm=UnitNorm
.initializers: constant_initializer=Constant glorot_normal_initializer=GlorotNormal
 glorot_uniform_initializer=GlorotUniform initializers.constant=Constant initializers.glorot_normal=GlorotNormal
 initializers.glorot_uniform=GlorotUniform initializers.he_normal initializers.he_uniform initializers.identity=Identity
 initializers.lecun_normal initializers.lecun_uniform initializers.ones=Ones initializers.orthogonal=Orthogonal
 initializers.random_normal=RandomNormal initializers.random_uniform=RandomUniform
 initializers.truncated_normal=TruncatedNormal initializers.uniform_unit_scaling=UniformUnitScaling
 initializers.variance_scaling=VarianceScaling initializers.zeros=Zeros keras.initializers.Constant
 keras.initializers.Identity keras.initializers.Initializer keras.initializers.Ones keras.initializers.Orthogonal
 keras.initializers.VarianceScaling keras.initializers.Zeros keras.initializers.constant=Constant
 keras.initializers.glorot_normal=GlorotNormal keras.initializers.glorot_uniform=GlorotUniform
 keras.initializers.he_normal keras.initializers.he_uniform keras.initializers.identity=Identity
 keras.initializers.lecun_normal keras.initializers.lecun_uniform keras.initializers.ones=Ones
 keras.initializers.orthogonal=Orthogonal keras.initializers.zeros=Zeros ones_initializer=Ones
 orthogonal_initializer=Orthogonal random_normal_initializer=RandomNormal random_uniform_initializer=RandomUniform
 truncated_normal_initializer=TruncatedNormal uniform_unit_scaling_initializer=UniformUnitScaling
 variance_scaling_initializer=VarianceScaling zeros_initializer=Zeros
.keras_initializers: keras.initializers.RandomNormal keras.initializers.RandomUniform keras.initializers.TruncatedNormal
 keras.initializers.deserialize keras.initializers.get keras.initializers.normal=RandomNormal
 keras.initializers.random_normal=RandomNormal keras.initializers.random_uniform=RandomUniform
 keras.initializers.serialize keras.initializers.truncated_normal=TruncatedNormal
 keras.initializers.uniform=RandomUniform
.layers.base: layers.Layer layers.experimental.keras_style_scope layers.experimental.set_keras_style
.layers.batch_normalization: layers.BatchNormalization layers.batch_normalization
.layers.convolution: layers.Conv1D layers.Conv2D layers.Conv3D layers.conv1d layers.conv2d layers.conv3d
.layers.dense: layers.Dense layers.dense
.layers.input_spec: layers.InputSpec
.layers.pooling: layers.AveragePooling1D layers.AveragePooling2D layers.AveragePooling3D layers.MaxPooling1D
 layers.MaxPooling2D layers.MaxPooling3D layers.average_pooling1d layers.average_pooling2d layers.average_pooling3d
 layers.max_pooling1d layers.max_pooling2d layers.max_pooling3d
.layers.regularization: layers.Dropout layers.Flatten layers.dropout layers.flatten
.layers.separable: layers.SeparableConv1D layers.SeparableConv2D layers.separable_conv1d layers.separable_conv2d
.layers.transposed: layers.Conv2DTranspose layers.Conv3DTranspose layers.conv2d_transpose layers.conv3d_transpose
.losses: losses.Reduction losses.absolute_difference losses.add_loss losses.compute_weighted_loss losses.cosine_distance
 losses.get_losses losses.get_regularization_loss losses.get_regularization_losses losses.get_total_loss
 losses.hinge_loss losses.huber_loss losses.log_loss losses.mean_pairwise_squared_error losses.mean_squared_error
 losses.sigmoid_cross_entropy losses.softmax_cross_entropy losses.sparse_softmax_cross_entropy
.metrics.classes: metrics.mean_iou metrics.mean_per_class_accuracy
.metrics.counts: metrics.false_negatives metrics.false_positives metrics.precision metrics.recall metrics.true_negatives
 metrics.true_positives
.metrics.means: metrics.accuracy metrics.mean metrics.mean_absolute_error metrics.mean_cosine_distance
 metrics.mean_relative_error metrics.mean_squared_error metrics.mean_tensor metrics.percentage_below
 metrics.root_mean_squared_error
.metrics.ranking: metrics.average_precision_at_k metrics.precision_at_k metrics.precision_at_top_k metrics.recall_at_k
 metrics.recall_at_top_k metrics.sparse_average_precision_at_k=average_precision_at_k
 metrics.sparse_precision_at_k=precision_at_k
.metrics.thresholds: metrics.auc metrics.false_negatives_at_thresholds metrics.false_positives_at_thresholds
 metrics.precision_at_thresholds metrics.recall_at_thresholds metrics.sensitivity_at_specificity
 metrics.specificity_at_sensitivity metrics.true_negatives_at_thresholds metrics.true_positives_at_thresholds
.regularizers: keras.regularizers.L1L2 keras.regularizers.Regularizer keras.regularizers.deserialize
 keras.regularizers.get keras.regularizers.l1 keras.regularizers.l1_l2 keras.regularizers.l2
 keras.regularizers.serialize
.rnn.bidirectional: nn.bidirectional_dynamic_rnn
.rnn.cell: nn.rnn_cell.RNNCell
.rnn.cells: nn.rnn_cell.BasicRNNCell nn.rnn_cell.GRUCell
.rnn.dynamic: nn.dynamic_rnn
.rnn.lstm: nn.rnn_cell.BasicLSTMCell nn.rnn_cell.LSTMCell nn.rnn_cell.LSTMStateTuple
.rnn.raw: nn.raw_rnn
.rnn.static: nn.static_bidirectional_rnn nn.static_rnn nn.static_state_saving_rnn
.rnn.wrappers: nn.rnn_cell.DeviceWrapper nn.rnn_cell.DropoutWrapper nn.rnn_cell.MultiRNNCell nn.rnn_cell.ResidualWrapper
.sampled_losses: compat.v2.nn.nce_loss=nce_loss_v2 compat.v2.nn.sampled_softmax_loss=sampled_softmax_loss_v2 nn.nce_loss
 nn.sampled_softmax_loss
""")
