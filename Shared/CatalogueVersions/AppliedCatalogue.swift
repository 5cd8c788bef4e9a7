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
  /// Of a file given by setting: what it said when it was read. It may say something else by now.
  public let text: String?

  public init(_ catalogue: Catalogue, number: Int = 0, source: Source = .builtIn, text: String? = nil) {
    (self.catalogue, self.number, self.source, self.text) = (catalogue, number, source, text)
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
