public import Foundation

/// Why an address is not written to. The codes are stored; they never change meaning.
public struct SuppressionReason: RawRepresentable, Sendable, Hashable, CaseIterable {
  public let rawValue: Int16

  /// - Parameter rawValue: Above 0. The smallest of several that an address has is the one that is told.
  public init(rawValue: Int16) {
    self.rawValue = rawValue
  }

  /// A mail server said that the address is dead.
  public static let hardBounce = SuppressionReason(rawValue: 1)
  /// An operator wanted it so.
  public static let manual = SuppressionReason(rawValue: 2)
  /// Whoever reads it called a mail spam.
  public static let complaint = SuppressionReason(rawValue: 3)

  /// By code from 1.
  private static let names = ["hardBounce", "manual", "complaint"]

  /// Those of this version.
  public static let allCases = names.indices.map { SuppressionReason(rawValue: Int16($0 + 1)) }

  /// One of this version, by its name.
  public init?(name: String) {
    guard let place = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: Int16(place + 1))
  }

  /// Name in requests, answers and exports; of a reason of another version its code.
  public var name: String {
    let place = Int(rawValue) - 1
    return Self.names.indices.contains(place) ? Self.names[place] : String(rawValue)
  }

  /// Whether nothing at all is sent; else only what may be unsubscribed is not.
  public var stopsAll: Bool { self != .complaint }
}

/// That an address is not written to, why, and since when.
public struct AddressSuppression: Sendable, Equatable {
  public var reason: SuppressionReason
  /// Nil where nobody knows.
  public var since: Date?

  public init(_ reason: SuppressionReason, since: Date? = nil) {
    self.reason = reason
    self.since = since
  }
}
