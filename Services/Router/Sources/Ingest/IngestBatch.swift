import Broker
import CatalogueVersions
import Foundation
import NotificationModel
import Retrying

/// Messages taken at once, and which of them are still to be done: a repeated attempt leaves out what is acknowledged.
struct IngestBatch {
  /// What is done about an attempt that failed.
  enum Remedy {
    /// Give up, since the service stops: the broker keeps what is left.
    case stop
    /// Try again later: the database or the broker recovers by itself, or the operator mends it.
    case wait
    /// Try less at once: see ``parts``.
    case split
    /// Dead-letter the one message that is left: it can never be routed.
    case deadLetter
  }

  let deliveries: [BrokerDelivery]
  private(set) var pending: [Int]
  /// Recipients in one transaction.
  private(set) var limit: Int
  /// The version of the catalogue by which the last attempt went.
  var version: AppliedCatalogue?
  /// Ids given to messages that came without one: the same at each attempt, in each part.
  private var stamps: [Int: RequestID] = [:]
  private var timeouts = 0

  /// Timeouts after which less is tried at once.
  private static let maximumTimeouts = 2

  init(deliveries: [BrokerDelivery], limit: Int) {
    self.deliveries = deliveries
    self.limit = max(1, limit)
    pending = Array(deliveries.indices)
  }

  /// The id under which a message without one is put back.
  mutating func stamp(of index: Int, now: Date) -> RequestID {
    if let id = stamps[index] { return id }
    let id = RequestID(now: now)
    stamps[index] = id
    return id
  }

  mutating func finish(_ indices: [Int]) {
    let finished = Set(indices)
    pending.removeAll { finished.contains($0) }
  }

  /// Decides after a failed attempt. What fails for good is found by halving, so that only that message is dead-lettered.
  mutating func remedy(after error: any Error) -> Remedy {
    if error.isCancellation { return .stop }
    if error.isTimeout {
      timeouts += 1
      let canBeLess = pending.count > 1 || limit > 1
      return timeouts >= Self.maximumTimeouts && canBeLess ? .split : .wait
    }
    if error.willPass || pending.isEmpty { return .wait }
    return pending.count > 1 ? .split : .deadLetter
  }

  /// What is left in two halves; of a single message, itself with half as many recipients in a transaction.
  var parts: [IngestBatch] {
    func part(_ indices: ArraySlice<Int>, limit: Int) -> IngestBatch {
      var part = self
      part.pending = Array(indices)
      part.limit = limit
      part.timeouts = 0
      return part
    }
    guard pending.count > 1 else { return [part(pending[...], limit: max(1, limit / 2))] }
    let middle = pending.count / 2
    return [part(pending[..<middle], limit: limit), part(pending[middle...], limit: limit)]
  }
}
