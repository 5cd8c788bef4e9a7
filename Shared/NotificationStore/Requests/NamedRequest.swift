public import NotificationModel

/// A request as what was made of it names it: with its owner, for a withdrawal by anybody else is none.
public struct NamedRequest: Hashable, Sendable {
  public var id: RequestID
  public var owner: RequestOwner

  public init(_ id: RequestID, of owner: RequestOwner) {
    self.id = id
    self.owner = owner
  }
}
