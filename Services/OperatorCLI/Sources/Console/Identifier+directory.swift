import ArgumentParser
import ConsoleCommands
import Foundation

extension Identifier {
  static func user(_ text: String) throws -> String {
    guard let id = UUID(uuidString: text) else {
      throw ValidationError(
        "'\(text)' is not a UUID; users go by the id in their tokens (sub), as `belfry send --to` does"
      )
    }
    return id.uuidString.lowercased()
  }

  /// A name of the backend's, as a group's.
  static func name(_ text: String) throws -> String {
    if text.isEmpty { throw ValidationError("expected a name, got an empty text") }
    return text
  }
}
