import ArgumentParser
import Foundation

/// Ids as they are typed, checked here, for they become part of a path.
public enum Identifier {
  /// Of whatever goes by a UUID.
  public static func uuid(_ text: String) throws -> String {
    guard let id = UUID(uuidString: text) else { throw ValidationError("'\(text)' is not a UUID") }
    return id.uuidString.lowercased()
  }
}
