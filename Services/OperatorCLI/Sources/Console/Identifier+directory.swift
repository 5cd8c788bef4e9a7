import ArgumentParser
import ConsoleCommands
import UserIdentity

extension Identifier {
  static func user(_ text: String) throws -> String {
    // The shell's bytes have been repaired: two people would be one.
    if text.unicodeScalars.contains("\u{FFFD}") { throw ValidationError("'\(text.prefix(64))' was not in UTF-8") }
    guard let user = UserIdentifier(text) else {
      throw ValidationError(
        "'\(text.prefix(64))' is no user id: expected 1 to \(UserIdentifier.maximumLength) characters without control "
          + "characters, not . or .."
      )
    }
    return user.description
  }

  /// A name of the backend's, as a group's.
  static func name(_ text: String) throws -> String {
    if text.isEmpty { throw ValidationError("expected a name, got an empty text") }
    return text
  }
}
