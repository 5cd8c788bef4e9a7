/// Where a channel reaches somebody.
public struct ChannelAddress: Sendable, Equatable {
  /// Never logged.
  public var text: String
  /// Why it is not written to; nil: it is.
  public var suppression: AddressSuppression?

  public init(_ text: String, suppression: AddressSuppression? = nil) {
    self.text = text
    self.suppression = suppression
  }

  /// - Parameter isSuppressed: Known to be of no use until the profile has another one.
  public init(_ text: String, isSuppressed: Bool) {
    self.init(text, suppression: isSuppressed ? AddressSuppression(.hardBounce) : nil)
  }

  /// Whether nothing at all is sent to it.
  public var isSuppressed: Bool { suppression?.reason.stopsAll ?? false }
}

/// The member of a profile that holds a channel's address.
public struct AddressField: Sendable {
  /// Name of the member, in requests, answers and the export.
  public var member: String
  /// Characters.
  public var limit: Int
  /// What is said of an address that is none: `expected …`.
  public var problem: String
  public var isPlausible: @Sendable (String) -> Bool

  public init(member: String, limit: Int, problem: String, isPlausible: @escaping @Sendable (String) -> Bool) {
    self.member = member
    self.limit = limit
    self.problem = problem
    self.isPlausible = isPlausible
  }
}
