/// What goes out of a batch of held work.
public enum HeldOutput: Sendable, Equatable {
  /// One that was held, as it is.
  case single(NotificationID)
  /// Several, delivered as one.
  case composed(Composition)

  /// Those that it delivers, in their order.
  public var members: [NotificationID] {
    switch self {
    case .single(let id): [id]
    case .composed(let composition): composition.members
    }
  }
}

/// Several notifications delivered as one. It is stored with its members before it is published.
public struct Composition: Sendable, Equatable {
  /// The same whenever it is composed again: see ``Identifier/init(user:channel:due:type:key:)``.
  public var id: NotificationID
  /// In their order.
  public var members: [NotificationID]
  /// The type's code if it is a type's digest; nil if its members are whatever was held.
  public var type: Int?
  /// Without words where they would be too many: then it is delivered to nobody.
  public var text: NotificationTemplate.Text
}
