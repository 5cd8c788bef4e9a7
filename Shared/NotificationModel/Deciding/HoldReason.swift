/// Why a notification waits on a channel. The codes are stored; they never change meaning.
public struct HoldReason: RawRepresentable, Sendable, Hashable, CaseIterable {
  public let rawValue: Int16

  /// - Parameter rawValue: Above 0.
  public init(rawValue: Int16) {
    self.rawValue = rawValue
  }

  /// The recipient's quiet hours.
  public static let quietHours = HoldReason(rawValue: 1)
  /// The recipient paused notifications.
  public static let paused = HoldReason(rawValue: 2)
  /// It is told together with others.
  public static let digest = HoldReason(rawValue: 3)
  /// Too many in a short time.
  public static let throttled = HoldReason(rawValue: 4)
  /// The channel is used only if it is still unread by then.
  public static let unread = HoldReason(rawValue: 5)

  /// Its sender set a time.
  public static let sendAt = HoldReason(rawValue: 6)

  /// Names in the delivery log (`belfry_hold_reason` in the schema), by code from 1.
  private static let names = ["quietHours", "paused", "digest", "throttled", "unread", "sendAt"]

  /// Those of this version.
  public static let allCases = names.indices.map { HoldReason(rawValue: Int16($0 + 1)) }

  /// Name in the delivery log; of a reason of another version its code.
  public var name: String {
    let place = Int(rawValue) - 1
    return Self.names.indices.contains(place) ? Self.names[place] : String(rawValue)
  }
}
