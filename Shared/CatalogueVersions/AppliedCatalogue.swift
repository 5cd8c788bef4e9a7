public import Foundation
public import NotificationModel

/// A catalogue with what it comes from.
public struct AppliedCatalogue: Sendable {
  public enum Source: Sendable, Equatable {
    /// None was applied: the specifications' own.
    case builtIn
    /// A version in the database.
    case version
    /// A file given by setting, which is in force as long as the process runs.
    case file(String)
  }

  /// Of the version; 0 where it is none.
  public let number: Int
  public let catalogue: Catalogue
  public let source: Source
  /// When the version was; with its number it says which it is.
  public let appliedAt: Date?
  /// Of a file given by setting: what it said when it was read. It may say something else by now.
  public let text: String?

  public init(
    _ catalogue: Catalogue,
    number: Int = 0,
    source: Source = .builtIn,
    appliedAt: Date? = nil,
    text: String? = nil
  ) {
    (self.catalogue, self.number, self.source) = (catalogue, number, source)
    (self.appliedAt, self.text) = (appliedAt, text)
  }

  /// How messages and rows name what judged them: by the version's number, 0 for the built-in catalogue; nil for a file, of which
  /// other processes know nothing.
  public var reference: Int? {
    switch source {
    case .builtIn, .version: number
    case .file: nil
    }
  }

  /// Whether it is the very same version; of a number there may be another after a backup was restored.
  func isSame(as other: AppliedCatalogue) -> Bool {
    number == other.number && source == other.source && appliedAt == other.appliedAt
  }
}

extension AppliedCatalogue: CustomStringConvertible {
  /// For logs and operators.
  public var description: String {
    switch source {
    case .builtIn: "built-in"
    case .version: "version \(number)"
    case .file(let path): "file \(path)"
    }
  }
}
