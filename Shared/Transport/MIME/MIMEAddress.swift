/// A mailbox in a message's header.
public struct MIMEAddress: Sendable, Hashable {
  /// Shown to people; any Unicode text on one line.
  public var name: String?

  /// `local@domain` in ASCII.
  public var address: String

  public init(name: String? = nil, address: String) {
    self.name = name
    self.address = address
  }
}
