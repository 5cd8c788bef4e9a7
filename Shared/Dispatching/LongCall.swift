/// A call to a provider that may be long in answering: then it gives its permit to others, and is waited for beside them.
public struct LongCall: Sendable {
  private let leave: @Sendable (Duration) -> Bool

  /// - Parameter leave: See ``leavesPermit(after:)``.
  public init(_ leave: @escaping @Sendable (_ waited: Duration) -> Bool) {
    self.leave = leave
  }

  /// Gives the permit up if others are to have it. Asked while the call is in flight, and no more once it answered true.
  ///
  /// - Parameter waited: How long the provider has had all of it.
  public func leavesPermit(after waited: Duration) -> Bool { leave(waited) }
}
