# Written by tools/api_stubs.py; do not edit.
from ossia_core.names.errors import (
 ABORTED as ABORTED, ALREADY_EXISTS as ALREADY_EXISTS, AbortedError as AbortedError,
 AlreadyExistsError as AlreadyExistsError, CANCELLED as CANCELLED, CancelledError as CancelledError,
 DATA_LOSS as DATA_LOSS, DEADLINE_EXCEEDED as DEADLINE_EXCEEDED, DataLossError as DataLossError,
 DeadlineExceededError as DeadlineExceededError, FAILED_PRECONDITION as FAILED_PRECONDITION,
 FailedPreconditionError as FailedPreconditionError, INTERNAL as INTERNAL, INVALID_ARGUMENT as INVALID_ARGUMENT,
 InternalError as InternalError, InvalidArgumentError as InvalidArgumentError, NOT_FOUND as NOT_FOUND,
 NotFoundError as NotFoundError, OK as OK, OUT_OF_RANGE as OUT_OF_RANGE, OpError as OpError,
 OutOfRangeError as OutOfRangeError, PERMISSION_DENIED as PERMISSION_DENIED,
 PermissionDeniedError as PermissionDeniedError, RESOURCE_EXHAUSTED as RESOURCE_EXHAUSTED,
 ResourceExhaustedError as ResourceExhaustedError, UNAUTHENTICATED as UNAUTHENTICATED, UNAVAILABLE as UNAVAILABLE,
 UNIMPLEMENTED as UNIMPLEMENTED, UNKNOWN as UNKNOWN, UnauthenticatedError as UnauthenticatedError,
 UnavailableError as UnavailableError, UnimplementedError as UnimplementedError, UnknownError as UnknownError,
 error_code_from_exception_type as error_code_from_exception_type,
 exception_type_from_error_code as exception_type_from_error_code,
 raise_exception_on_not_ok_status as raise_exception_on_not_ok_status
)
