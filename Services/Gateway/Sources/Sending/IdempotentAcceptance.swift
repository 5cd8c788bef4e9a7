import Foundation
import HTTPTypes
import Logging
import NotificationModel
import NotificationStore

/// Accepts a report under the id that its sender's Idempotency-Key stands for.
struct IdempotentAcceptance {
  let idempotency: IdempotencyStore

  /// Has a report stored that is new, or whose acceptance was not confirmed; returns its id.
  ///
  /// - Parameters:
  ///   - key: Nil is a report that is always new.
  ///   - validate: Whether it can be accepted today; what it throws leaves the key to be used. What was accepted before is not evaluated anew,
  ///     and costs nothing unless it is refused.
  ///   - store: Returns once the report is safe.
  /// - Throws: ``Problem`` for a key that was used with another body; what `validate` and `store` throw.
  func accept(
    _ body: [UInt8],
    under key: IdempotencyKey?,
    now: Date,
    logger: Logger,
    validate: () throws -> Void,
    store: (NotificationModel.RequestID) async throws -> Void
  ) async throws -> NotificationModel.RequestID {
    guard let key else {
      try validate()
      let id = NotificationModel.RequestID(now: now)
      try await store(id)
      return id
    }
    do {
      try validate()
    } catch {
      let entry = try await idempotency.entry(of: key.claim(body, now: now))
      guard let entry, entry.isSameBody, entry.isConfirmed else { throw error }
      return entry.requestID
    }
    let entry = try await claim(key, for: body, now: now)
    guard !entry.isConfirmed else { return entry.requestID }
    // New, or an earlier attempt failed before it was safe: what it may have stored is not stored twice.
    try await store(entry.requestID)
    await confirm(key, logger: logger)
    return entry.requestID
  }

  /// What the key stands for: an id of its own if it is new.
  ///
  /// - Throws: ``Problem`` for a key that was used with another body.
  func claim(_ key: IdempotencyKey, for body: [UInt8], now: Date) async throws -> IdempotencyStore.Entry {
    guard let entry = try await idempotency.claim([key.claim(body, now: now)]).first else {
      preconditionFailure("one claim gets one entry")
    }
    guard entry.isSameBody else { throw Problem.keyReused }
    return entry
  }

  /// Notes that what the key stands for is safe.
  func confirm(_ key: IdempotencyKey, logger: Logger) async {
    do {
      try await idempotency.confirm(scope: key.scope, key: key.text)
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
