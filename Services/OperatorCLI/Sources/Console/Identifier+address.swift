import ArgumentParser
import ConsoleCommands
import NotificationModel

// The model has an `Identifier` and a `ValidationError`, too.
extension ConsoleCommands.Identifier {
  /// A mail address that a profile can have.
  static func address(_ text: String) throws -> String {
    guard MailAddress.isPlausible(text) else {
      throw ArgumentParser.ValidationError("'\(text.prefix(64))' is no address: expected one such as ann@example.org")
    }
    return text
  }
}
