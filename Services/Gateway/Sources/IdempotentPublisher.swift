import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore

/// Hands a report to the routers under the id that its sender's Idempotency-Key stands for.
struct IdempotentPublisher {
  let ingest: IngestPublisher
  let idempotency: IdempotencyStore

  /// Publishes a report that is new, or whose publication was not confirmed; returns its id once the broker has it.
  ///
  /// - Parameter scope: What keeps senders and kinds of report apart: the same key in two scopes is two keys.
  /// - Throws: ``Problem`` for a key that is none, or was used with another body.
  func publish(
    _ body: [UInt8],
    as kind: IngestKind,
    key: String,
    scope: String,
    logger: Logger
  ) async throws -> NotificationModel.RequestID {
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.invalid("Idempotency-Key", "expected 1 to 255 visible ASCII characters")
    }
    let claim = IdempotencyStore.Claim(
      scope: scope,
      key: key,
      requestID: NotificationModel.RequestID(now: Date.now),
      bodyHash: Array(SHA256.hash(data: body))
    )
    guard let entry = try await idempotency.claim([claim]).first else {
      preconditionFailure("one claim gets one entry")
    }
    guard entry.isSameBody else {
      throw Problem(
        .unprocessableContent,
        .keyReused,
        "The Idempotency-Key was used before with another body",
        detail: "send the same body again, or use another key"
      )
    }
    guard !entry.isConfirmed else { return entry.requestID }
    // New, or an earlier attempt failed before the broker confirmed: what it may have stored is not stored twice.
    try await ingest.publish(body, as: kind, id: entry.requestID)
    do {
      try await idempotency.confirm(scope: scope, key: key)
    } catch {
      // Accepted all the same; a repetition publishes once more, and nothing is stored twice.
      logger.warning("a confirmed key is not marked", metadata: ["error": "\(error)"])
    }
    return entry.requestID
  }
}
