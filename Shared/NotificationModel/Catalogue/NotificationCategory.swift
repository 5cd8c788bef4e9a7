/// A heading under which preferences show types, and what its types do unless they say otherwise.
public struct NotificationCategory: Sendable, Equatable {
  public let name: String
  /// Channels used when the recipient has not chosen; nil means the catalogue's defaults for types.
  public let channels: PerChannel<Bool>?
}

extension NotificationCategory {
  static let fields: Set = ["name", "channels"]

  init?(_ reader: FieldReader) {
    reader.refuseUnknown(known: Self.fields)
    let channels = reader.channels("channels")
    guard let name = reader.name("name") else { return nil }
    self.init(name: name, channels: channels)
  }
}
