"""`monitored_session` and `basic_session_run_hooks`: layers of monitored sessions, a timer that never fires."""

from __future__ import annotations

from ossia_session import layers, monitored
from ossia_session.hooks import timer

USE_DEFAULT = monitored.USE_DEFAULT
_MonitoredSession = monitored._MonitoredSession
_WrappedSession = layers.WrappedSession
_HookedSession = layers.HookedSession
_CoordinatedSession = layers.CoordinatedSession
_RecoverableSession = layers.RecoverableSession
_PREEMPTION_ERRORS = layers.PREEMPTION_ERRORS
NeverTriggerTimer = timer.NeverTimer
