import Foundation
import NotificationModel
import NotificationStore

/// Takes claimed work to its end: decides it afresh, stores that, publishes it, and then removes it from what waits.
///
/// A crash between any two of these leaves the rows, and with them what was stored. Their next claimant goes on from there,
/// and decides nothing twice.
struct HeldProcessor {
  var store: any HeldStoring
  let recipients: any RecipientStoring
  let viewers: Viewers
  let withdrawals: any WithdrawalStoring
  let outcomes: any OutcomeStoring
  let publisher: RouterPublisher
  let types: HeldTypes
  let channels: [any RoutingChannel]
  /// Up to so many pushes that come due together go out one by one.
  var composeAbove = 3
  var spread = DueSpread()
  var metrics: RouterMetrics?
  let clock: @Sendable () -> Date

  /// Returns once the broker has confirmed everything that went out.
  func process(_ claim: HeldClaim) async throws {
    var claim = claim
    // Those of another version's channels stay, until their claim ends.
    claim.entries.removeAll { channels.routing(of: $0.key.channel) == nil }
    guard !claim.entries.isEmpty else { return }
    let now = clock()
    let release = try await release(of: claim, by: types.known(), now: now)
    let result = try await store.settle(release.settlement, of: claim)
    metrics?.settled(release.settlement, result)
    let (routed, contents) = release.routed(after: result)
    let dispatches = DispatchBuilder(contents: contents, channels: channels).dispatches(routed)
    try await outcomes.record(dispatches, metrics: metrics)
    try await publisher.send(dispatches.messages)
    // What was let go of may be another router's by now.
    claim.entries.removeAll { result.released.contains($0.key) }
    try await store.finish(claim)
  }

  private func release(
    of claim: HeldClaim,
    by types: HeldTypes.Known,
    now: Date
  ) async throws -> ReleasePlan.Release {
    let plan = ReleasePlan(try await work(of: claim, by: types, now: now))
    let windowKeys = plan.windowKeys
    let decided = plan.decided(with: windowKeys.isEmpty ? [:] : try await store.windows(windowKeys, now: now))
    let candidates = decided.candidates
    let limited = decided.limited(by: candidates.isEmpty ? [] : try await store.count(candidates, now: now))
    return limited.composed(above: composeAbove, texts: CompositionTexts(types.catalogue.composition))
  }

  private func work(of claim: HeldClaim, by types: HeldTypes.Known, now: Date) async throws -> ClaimedWork {
    var wanted: Set<HeldEntry.Key> = []
    for entry in claim.entries {
      var key = entry.key
      if let composition = entry.composedIn {
        // A mail lists what it delivers.
        if key.channel == .email { wanted.insert(key) }
        key.notification = composition
      }
      wanted.insert(key)
    }
    let contents = try await store.contents(of: wanted.map { ($0.user, $0.notification) })
    async let withdrawn = withdrawals.withdrawn(among: Set(contents.values.map(\.request)))
    return ClaimedWork(
      entries: claim.entries,
      contents: contents,
      types: types,
      channels: channels,
      recipients: try await people(of: claim, contents, types),
      withdrawn: try await withdrawn,
      now: now,
      spread: spread
    )
  }

  private func people(
    of claim: HeldClaim,
    _ contents: [NotificationID: HeldContent],
    _ types: HeldTypes.Known
  ) async throws -> [RecipientStore.Key: Recipient] {
    let keys = Set(
      claim.entries.compactMap { entry in
        types.type(entry.type).map { entry.recipientKey(of: $0, contents[entry.key.notification]) }
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
