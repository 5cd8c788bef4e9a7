import Foundation
import NotificationModel
import NotificationStore

/// Takes claimed work to its end: decides it afresh, settles that, publishes it, and then removes it from what waits.
///
/// A crash between any two of these leaves the rows, and with them what was settled: whoever claims them next goes on from
/// there, and decides nothing twice.
struct HeldProcessor {
  var store: any HeldSource
  let recipients: any RecipientSource
  let viewers: Viewers
  let withdrawals: any WithdrawalSource
  let outcomes: any OutcomeKeeping
  let outbox: Outbox
  let catalogue: Catalogue
  var channels = Channel.routing
  /// Up to so many pushes that come due together go out one by one.
  var composeAbove = 3
  var spread = DueSpread()
  var metrics: RouterMetrics?
  var clock: @Sendable () -> Date = { Date.now }

  /// Returns once the broker has confirmed what there was to tell.
  func process(_ claim: HeldClaim) async throws {
    var claim = claim
    // Those of another version's channels stay, until their claim ends.
    claim.entries.removeAll { channels.routing(of: $0.key.channel) == nil }
    guard !claim.entries.isEmpty else { return }
    let now = clock()
    var wanted: Set<HeldEntry.Key> = []
    for entry in claim.entries {
      var key = entry.key
      if let composition = entry.composedIn { key.notification = composition }
      wanted.insert(key)
    }
    let contents = try await store.contents(of: wanted.map { ($0.user, $0.notification) })
    async let withdrawn = withdrawals.cancelled(among: Set(contents.values.map(\.request)))
    var round = HeldRound(
      claim.entries,
      contents: contents,
      catalogue: catalogue,
      channels: channels,
      recipients: try await people(of: claim, contents),
      withdrawn: try await withdrawn,
      now: now,
      spread: spread
    )
    let windowKeys = round.windowKeys
    let claims = round.decide(windowKeys.isEmpty ? [:] : try await store.windows(windowKeys, now: now))
    if !claims.isEmpty { round.apply(try await store.count(claims, now: now), to: claims) }
    let settlement = round.settlement(
      composeAbove: composeAbove,
      texts: CompositionTexts(catalogue.composition)
    )
    let result = try await store.settle(settlement, of: claim)
    metrics?.settled(settlement, result)
    let (routed, messages) = round.routed(after: result)
    let dispatches = DispatchBuilder(contents: messages, channels: channels).dispatches(routed)
    try await outcomes.record(dispatches, metrics: metrics)
    try await outbox.send(dispatches.messages)
    // What was let go of may be another router's by now.
    claim.entries.removeAll { result.released.contains($0.key) }
    try await store.finish(claim)
  }

  private func people(
    of claim: HeldClaim,
    _ contents: [NotificationID: HeldContent]
  ) async throws -> [RecipientStore.Key: Recipient] {
    let keys = Set(
      claim.entries.compactMap { entry in
        catalogue.type(.code(entry.type)).map { entry.recipientKey(of: $0, contents[entry.key.notification]) }
      }
    )
    let about = claim.entries.lazy.filter { contents[$0.key.notification]?.relatedEntityID != nil }
    async let viewing = viewers.look(for: Set(about.map(\.key.user)))
    var people = try await recipients.recipients(for: keys)
    for (user, viewed) in await viewing {
      for key in keys where key.user == user { people[key]?.viewing = viewed }
    }
    return people
  }
}

extension HeldEntry {
  /// What must be known of its recipient.
  ///
  /// - Parameter content: Nil if it was deleted meanwhile.
  func recipientKey(of type: NotificationType, _ content: HeldContent?) -> RecipientStore.Key {
    RecipientStore.Key(user: key.user, type: type.code, category: type.category, entity: content?.relatedEntity)
  }
}
