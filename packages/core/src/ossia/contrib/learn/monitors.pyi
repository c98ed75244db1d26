# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.learn import NanLossDuringTrainingError as NanLossDuringTrainingError
from ossia_contrib.learn.monitors import (
 BaseMonitor as BaseMonitor, CaptureVariable as CaptureVariable, EveryN as EveryN, NanLoss as NanLoss,
 PrintTensor as PrintTensor, RunHookAdapterForMonitors as RunHookAdapterForMonitors, StopAtStep as StopAtStep,
 SummarySaver as SummarySaver, ValidationMonitor as ValidationMonitor, get_default_monitors as get_default_monitors,
 replace_monitors_with_hooks as replace_monitors_with_hooks
)
