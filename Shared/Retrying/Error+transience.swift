extension Error {
  /// Whether the same work may succeed later without anything being changed.
  ///
  /// False for an error that does not say: it comes from reading what is malformed or from a mistake of ours, not from a
  /// driver, and would come again. Waiting for it would hold up all that is behind it, so the work is put aside with its
  /// reason, where an operator sees it and can have it tried again.
  public var isTransientFailure: Bool {
    guard let error = self as? any TransienceReporting else { return false }
    return error.isTransient
  }

  /// Whether the work took too long, so that less at once may succeed. False for an error that does not say: only who waits
  /// for an answer can tell that none came.
  public var isTimeout: Bool {
    guard let error = self as? any TransienceReporting else { return false }
    return error.hasTimedOut
  }

  /// Whether the work was given up because the service stops.
  public var isCancellation: Bool {
    guard let error = self as? any TransienceReporting else { return false }
    return error.isCancelled
  }
}
