import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import UserIdentity

/// A message that names people by ids that others may stand for as well.
struct ContestedItem {
  let item: IngestItem
  let users: [UserIdentifier]
}

/// Who is who.
extension IngestProcessor {
  /// Finds out what is done about messages that name people, and makes those known whom it is done for, in one statement for all.
  /// Where a UUID is another's, that is no more than a dead letter.
  ///
  /// Nobody is made known by a message that is refused or put back, nor before the sender's key is looked up: who was erased since
  /// the message came for the first time stays erased.
  func admit(
    _ items: [BatchEntry<ContestedItem>],
    of batch: IngestBatch,
    by resolver: IngestResolver,
    into plan: inout IngestPlan
  ) async throws {
    guard !items.isEmpty else { return }
    // Before a key stands for a message: its sender may correct it.
    let refused = try await identifiers.check(items.flatMap(\.value.users))
    var resolved: [BatchEntry<IngestOutcome>] = []
    var keyed: [BatchEntry<KeyedSubmission>] = []
    for entry in items {
      if let refusal = refusal(of: entry.value, refused) {
        plan.add(refusal, at: entry.index)
        continue
      }
      switch resolver.resolve(entry.value.item, from: batch.deliveries[entry.index].message) {
      case .outcome(let outcome): resolved.append(BatchEntry(index: entry.index, value: outcome))
      case .keyed(let submission): keyed.append(BatchEntry(index: entry.index, value: submission))
      }
    }
    resolved += try await identify(keyed, of: batch, by: resolver)
    // Of two in a batch that come to one UUID the first has it.
    resolved.sort { $0.index < $1.index }
    try await claim(resolved, items, now: resolver.now, into: &plan)
  }

  /// Makes those known who are named by what goes on.
  private func claim(
    _ resolved: [BatchEntry<IngestOutcome>],
    _ items: [BatchEntry<ContestedItem>],
    now: Date,
    into plan: inout IngestPlan
  ) async throws {
    let items = Dictionary(items.map { ($0.index, $0.value) }) { $1 }
    let claims = resolved.flatMap { entry -> [(identifier: UserIdentifier, asked: Date)] in
      guard let asked = entry.value.asked(now: now) else { return [] }
      return (items[entry.index]?.users ?? []).map { ($0, asked) }
    }
    let refused = try await identifiers.claim(claims)
    for entry in resolved {
      let outcome = items[entry.index].flatMap { refusal(of: $0, refused) } ?? entry.value
      plan.add(outcome, at: entry.index)
    }
  }

  /// A dead letter for who is named by a refused id; else nil.
  private func refusal(of item: ContestedItem, _ refused: Set<UserIdentifier>) -> IngestOutcome? {
    item.users.first(where: refused.contains).map { user in
      .deadLetter(reason: "invalid: the UUID that stands for the user id '\(user)' belongs to another")
    }
  }
}

extension IngestOutcome {
  /// When those whom the message names were asked for, at the latest now; nil where nothing is done for them.
  fileprivate func asked(now: Date) -> Date? {
    switch self {
    case .route(let job): min(job.order.requestId.time ?? now, now)
    case .schedule(let send): min(send.id.time ?? now, now)
    case .evaluate(let event): min(event.event.intake, now)
    // Of what is only passed on nothing is stored.
    case .relay, .routeOrder, .stamp, .postpone, .refuse, .deadLetter, .finished: nil
    }
  }
}
