import Retrying
import ServiceFaults

extension Error {
  /// Whether the same work succeeds later: by itself, or once the operator has mended something.
  var willPass: Bool { isTransientFailure || ServiceFault(self) != nil }
}
