/// The queues of the dispatchers that work from durable queues.
public enum WorkQueue: Sendable, CaseIterable {
  case push
  case email

  /// Name of the queue, and its routing key on `belfry.dispatch`.
  public var name: String {
    switch self {
    case .push: "belfry.push"
    case .email: "belfry.email"
    }
  }
}
