import TestSupport

/// What Debian 12's Postfix (3.7.11) handed to a pipe for mails to a server that refused them, each named after its recipient.
enum PostfixReports {
  static let names = ["unknown", "full", "policy", "plain"]

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Repository.text("Tests/MailReportsTests/Postfix/\(name).eml").utf8)
  }
}
