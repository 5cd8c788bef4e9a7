public import Foundation

/// Sends for later.
extension SendRequest {
  /// How far ahead an instant may lie, in seconds: a leap year.
  public static let furthest: TimeInterval = 366 * 86_400

  /// When a request comes due that was accepted at an instant; nil is at once.
  ///
  /// Decided by the acceptance and not by the clock: a message that comes again says the same, however late.
  public func waits(since acceptance: Date) -> Date? {
    guard let sendAt, sendAt > acceptance else { return nil }
    return sendAt
  }

  /// - Throws: ``ValidationError`` naming `sendAt`, if that is more than a year after the acceptance.
  public func checkTime(since acceptance: Date) throws(ValidationError) {
    if let sendAt, sendAt.timeIntervalSince(acceptance) > Self.furthest {
      throw ValidationError([FieldError("sendAt", "is more than a year ahead")])
    }
  }
}
