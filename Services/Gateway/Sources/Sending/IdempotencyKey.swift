import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import NotificationModel
import NotificationStore

/// A sender's Idempotency-Key.
struct IdempotencyKey {
  /// What keeps senders and kinds of report apart: the same text in two scopes is two keys.
  let scope: String
  let text: String

  /// - Throws: ``Problem`` for a text that is no key.
  init(_ text: String, scope: String) throws(Problem) {
    guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.invalid("Idempotency-Key", "expected 1 to 255 visible ASCII characters")
    }
    self.scope = scope
    self.text = text
  }

  /// Nil for a request without one.
  ///
  /// - Throws: ``Problem`` for a header that is no key.
  init?(_ request: Request, scope: String) throws(Problem) {
    guard let text = request.headers[.idempotencyKey] else { return nil }
    try self.init(text, scope: scope)
  }

  /// What is asked for with it.
  func claim(_ body: [UInt8], now: Date) -> IdempotencyStore.Claim {
    IdempotencyStore.Claim(
      scope: scope,
      key: text,
      requestID: NotificationModel.RequestID(now: now),
      bodyHash: SHA256.hash(body)
    )
  }
}

extension HTTPField.Name {
  /// IETF draft "The Idempotency-Key HTTP Header Field".
  static let idempotencyKey: Self = {
    guard let name = Self("Idempotency-Key") else { preconditionFailure("a valid field name") }
    return name
  }()
}
