/// What goes out of a batch of held work.
public enum HeldOutput: Sendable, Equatable {
  /// One that was held, as it is.
  case single(NotificationID)
  /// Several, told as one.
  case composed(Composition)

  /// Those that it tells, in their order.
  public var members: [NotificationID] {
    switch self {
    case .single(let id): [id]
    case .composed(let composition): composition.members
    }
  }
}

/// Several notifications told as one. It is stored with its members before it is published.
public struct Composition: Sendable, Equatable {
  /// The same whenever it is composed again: see ``Identifier/init(user:channel:due:type:key:)``.
  public var id: NotificationID
  /// In their order.
  public var members: [NotificationID]
  /// The type's code if it is a type's digest; nil if it tells whatever was held.
  public var type: Int?
  /// Without words where they would be too many: then it is told to nobody.
  public var text: NotificationTemplate.Text
}
