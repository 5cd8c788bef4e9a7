import Broker
import Cryptography
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// What a sender asks for, or reports: all that follows is stored under its id.
enum Submission {
  indirect case request(SendRequest, NotificationType)
  /// An event that rules look at.
  case event(UnidentifiedEvent)

  var kind: IngestKind {
    switch self {
    case .request: .request
    case .event: .event
    }
  }
}

/// How a repetition of a submission is known.
enum SubmissionIdentity {
  /// It has its id, from the gateway or from a router.
  case known(RequestID)
  /// Its id depends on its sender's message-id, which is looked up.
  case keyed(scope: String, key: String)
  /// It came without any: it is stamped with one and put back.
  case anonymous
}

/// A submission whose id is what its sender's message-id stands for.
struct KeyedSubmission {
  var submission: Submission
  var scope: String
  var key: String

  /// - Parameter message: That which it came with: another body under the same key is another submission.
  func claim(for message: BrokerMessage, now: Date) -> IdempotencyStore.Claim {
    IdempotencyStore.Claim(
      scope: scope,
      key: key,
      requestID: RequestID(now: now),
      bodyHash: SHA256.hash(message.body)
    )
  }
}
