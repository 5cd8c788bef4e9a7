public import NotificationModel

/// A request as what was made of it names it: with its owner, for a withdrawal by anybody else is none.
public struct NamedRequest: Hashable, Sendable {
  public var id: RequestID
  /// Empty is every sender's; nil is not known, and then whoever withdrew it is believed.
  public var owner: String?

  public init(_ id: RequestID, of owner: String?) {
    self.id = id
    self.owner = owner
  }
}
