/// An error that knows what repeating the same work would bring. Every error type of a driver does.
public protocol TransienceReporting: Error {
  /// Whether the same work may succeed later without anything being changed.
  var isTransient: Bool { get }

  /// Whether it took too long, so that less work at once may succeed.
  var hasTimedOut: Bool { get }

  /// Whether nothing failed: the work was given up because whoever wanted it stops.
  var isCancelled: Bool { get }
}

extension CancellationError: TransienceReporting {
  public var isTransient: Bool { false }
  public var hasTimedOut: Bool { false }
  public var isCancelled: Bool { true }
}
