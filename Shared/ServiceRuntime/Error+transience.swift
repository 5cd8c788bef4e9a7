import Broker
import Postgres

extension Error {
  /// Whether the same work may succeed later without anything being changed, as far as the drivers tell.
  ///
  /// An unroutable message counts, since its queue is declared anew at the next connect, and so does a closed publisher.
  public var isTransientFailure: Bool {
    switch self {
    case let error as PostgresError: error.isTransient
    case let error as BrokerError: error.isTransient || error.code == .unroutable || error.code == .closed
    default: false
    }
  }

  /// Whether the work was given up because the service stops.
  public var isCancellation: Bool {
    switch self {
    case let error as PostgresError: error.code == .cancelled
    case let error as BrokerError: error.code == .cancelled
    default: self is CancellationError
    }
  }
}
