/// The name of an HTTP header (RFC 9110, 5.6.2), or none.
public struct HeaderName: LosslessStringConvertible, Sendable, Equatable {
  public static let none = HeaderName(text: "")

  /// What a setting says that it expects.
  public static let kind = "name of an HTTP header"

  public let description: String

  /// Nil for what is no name of a header, such as one with a colon.
  public init?(_ description: String) {
    guard description.wholeMatch(of: #/[A-Za-z0-9!#$%&'*+.^_`|~\-]+/#) != nil else { return nil }
    self.init(text: description)
  }

  private init(text: String) { description = text }

  var isNone: Bool { description.isEmpty }
}
