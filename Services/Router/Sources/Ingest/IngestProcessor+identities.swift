import Broker
import Foundation
import NotificationModel
import NotificationQueue
import UserIdentity

/// A message that names people by ids that others may stand for as well.
struct ContestedItem {
  let item: IngestItem
  let users: [UserIdentifier]

  /// When its sender asked for it, where it says so.
  fileprivate func asked(now: Date) -> Date {
    if case .submission(_, .known(let id)) = item, let time = id.time { return min(time, now) }
    return now
  }
}

/// Who is who.
extension IngestProcessor {
  /// Makes people known whom messages name, in one statement for all, and adds what is done about the messages then. Where a UUID is
  /// another's, that is no more than a dead letter.
  func admit(
    _ items: [BatchEntry<ContestedItem>],
    of batch: IngestBatch,
    by resolver: IngestResolver,
    into plan: inout IngestPlan,
    _ keyed: inout [BatchEntry<KeyedSubmission>]
  ) async throws {
    guard !items.isEmpty else { return }
    let refused = try await identifiers.claim(
      items.flatMap { entry in
        let asked = entry.value.asked(now: resolver.now)
        return entry.value.users.map { ($0, asked) }
      }
    )
    for entry in items {
      if let user = entry.value.users.first(where: refused.contains) {
        let reason = "invalid: the UUID that stands for the user id '\(user)' belongs to another"
        plan.add(.deadLetter(reason: reason), at: entry.index)
        continue
      }
      switch resolver.resolve(entry.value.item, from: batch.deliveries[entry.index].message) {
      case .outcome(let outcome): plan.add(outcome, at: entry.index)
      case .keyed(let submission): keyed.append(BatchEntry(index: entry.index, value: submission))
      }
    }
  }
}
