import Broker
import Obstacles
import Postgres
import Retrying

extension Error {
  /// Whether the same work succeeds later: by itself, or once the operator has mended something.
  var willPass: Bool { isTransientFailure || Obstacle(self) != nil }

  /// Whether it took too long, so that less at once may succeed.
  var isTimeout: Bool {
    switch self {
    case let error as PostgresError: error.code == .timeout
    case let error as BrokerError: error.code == .timeout
    default: false
    }
  }
}
