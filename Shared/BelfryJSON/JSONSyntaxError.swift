/// Why a text is not JSON.
public struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  public let reason: String
  /// Byte at which reading stopped.
  public let offset: Int

  public init(reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  public var description: String { "\(reason) at byte \(offset)" }
}
