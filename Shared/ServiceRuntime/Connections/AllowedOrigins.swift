import Foundation

/// Origins of web pages, as browsers send them (RFC 6454, 6.2), separated by commas: `https://app.example,http://localhost:5173`.
public struct AllowedOrigins: LosslessStringConvertible, Sendable, Equatable {
  public static let none = AllowedOrigins(origins: [])

  /// What a setting says that it expects.
  public static let kind = "origins such as https://app.example, separated by commas"

  public let description: String
  private let origins: Set<String>

  /// Nil if one of them is no origin: a path or a slash at its end would never match.
  public init?(_ description: String) {
    let origins = description.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard origins.allSatisfy(Self.isOrigin) else { return nil }
    self.init(origins: origins)
  }

  private init(origins: [String]) {
    description = origins.joined(separator: ",")
    self.origins = Set(origins.map { $0.lowercased() })
  }

  public var isEmpty: Bool { origins.isEmpty }

  /// - Parameter origin: A request's `Origin`.
  public func contains(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

  private static func isOrigin(_ text: String) -> Bool {
    text.wholeMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*://[^\s/?#@*,]+/#) != nil
  }
}
