import Cryptography
import Foundation
import HTTPTypes
import Logging
import NotificationModel
import NotificationStore

/// Accepts a report under the id that its sender's Idempotency-Key stands for.
struct IdempotentAcceptance {
  let idempotency: IdempotencyStore

  /// Lets `accept` take a report that is new, or whose acceptance was not confirmed; returns its id.
  ///
  /// - Parameters:
  ///   - scope: What keeps senders and kinds of report apart: the same key in two scopes is two keys.
  ///   - judge: Whether it can be accepted today; what it throws leaves the key to be used. What was accepted before is not judged anew,
  ///     and costs nothing unless it is refused.
  ///   - accept: Returns once the report is safe.
  /// - Throws: ``Problem`` for a key that is none, or was used with another body; what `judge` throws.
  func accept(
    _ body: [UInt8],
    key: String,
    scope: String,
    now: Date,
    logger: Logger,
    judge: () throws -> Void,
    _ accept: (NotificationModel.RequestID) async throws -> Void
  ) async throws -> NotificationModel.RequestID {
    do {
      try judge()
    } catch {
      let claim = try Self.claim(body, key: key, scope: scope, now: now)
      guard let entry = try await idempotency.entry(of: claim), entry.isSameBody, entry.isConfirmed else { throw error }
      return entry.requestID
    }
    let entry = try await claim(body, key: key, scope: scope, now: now)
    guard !entry.isConfirmed else { return entry.requestID }
    // New, or an earlier attempt failed before it was safe: what it may have stored is not stored twice.
    try await accept(entry.requestID)
    await confirm(key, scope: scope, logger: logger)
    return entry.requestID
  }

  /// What the key stands for: an id of its own if it is new.
  ///
  /// - Throws: ``Problem`` for a key that is none, or was used with another body.
  func claim(_ body: [UInt8], key: String, scope: String, now: Date) async throws -> IdempotencyStore.Entry {
    let claim = try Self.claim(body, key: key, scope: scope, now: now)
    guard let entry = try await idempotency.claim([claim]).first else {
      preconditionFailure("one claim gets one entry")
    }
    guard entry.isSameBody else { throw Problem.keyReused }
    return entry
  }

  /// What is asked for with a key.
  ///
  /// - Throws: ``Problem`` for a key that is none.
  static func claim(_ body: [UInt8], key: String, scope: String, now: Date) throws(Problem) -> IdempotencyStore.Claim {
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem.invalid("Idempotency-Key", "expected 1 to 255 visible ASCII characters")
    }
    return IdempotencyStore.Claim(
      scope: scope,
      key: key,
      requestID: NotificationModel.RequestID(now: now),
      bodyHash: SHA256.hash(body)
    )
  }

  /// Notes that what the key stands for is safe.
  func confirm(_ key: String, scope: String, logger: Logger) async {
    do {
      try await idempotency.confirm(scope: scope, key: key)
    } catch {
      // Accepted all the same; a repetition publishes once more, and nothing is stored twice.
      logger.warning("a confirmed key is not marked", metadata: ["error": "\(error)"])
    }
  }
}

extension Problem {
  /// 422.
  static let keyReused = Problem(
    .unprocessableContent,
    .keyReused,
    "The Idempotency-Key was used before with another body",
    detail: "send the same body again, or use another key"
  )

  /// 422 of a schedule, whose name is part of what a key stands for.
  static let keyReusedForSchedule = Problem(
    .unprocessableContent,
    .keyReused,
    "The Idempotency-Key was used before with another body, or for another schedule",
    detail: "nothing was changed: send the same body to the same schedule again, or use another key"
  )
}
