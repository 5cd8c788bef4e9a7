import Foundation
import NotificationModel
import Testing

@testable import NotificationStore
@testable import Router

/// What waits, in memory: as the real one settles it, all or nothing, under the claim's name.
extension InMemoryStores {
  struct Held {
    var entry: HeldEntry
    var claimedUntil: Date?

    func isFree(at now: Date) -> Bool { entry.due <= now && claimedUntil.map { $0 <= now } ?? true }
  }

  struct Use {
    var candidate: HeldStore.ThrottleCandidate
    var at: Date
  }

  /// What waits, by due time.
  var waiting: [HeldEntry] {
    held.values.map(\.entry).sorted { ($0.due, $0.key.notification) < ($1.due, $1.key.notification) }
  }

  static func hold(
    _ notification: NewNotification,
    _ content: NotificationContent,
    in held: inout [HeldEntry.Key: Held]
  ) {
    for entry in notification.plan.entries {
      guard case .hold(let until, let reason) = entry.value, entry.channel != .inApp else { continue }
      let key = HeldEntry.Key(user: notification.userID, notification: notification.id, channel: entry.channel)
      guard held[key] == nil else { continue }
      held[key] = Held(
        entry: HeldEntry(
          key: key,
          due: until,
          reason: reason,
          type: content.type,
          digestKey: notification.waiting?.digest,
          throttleKey: notification.waiting?.throttle,
          collapseKey: content.collapseKey
        )
      )
    }
  }
}

extension InMemoryStores.Connection: HeldStoring {
  func windows(
    _ keys: Set<HeldStore.WindowKey>,
    now: Date
  ) async throws -> [HeldStore.WindowKey: DigestWindow] {
    try await step(.held) { state in
      var windows: [HeldStore.WindowKey: DigestWindow] = [:]
      for row in state.held.values where row.entry.reason == .digest && row.entry.due > now {
        let (entry, key) = (row.entry, row.entry.key)
        let window = HeldStore.WindowKey(
          user: key.user,
          channel: key.channel,
          type: entry.type,
          key: entry.digestKey ?? ""
        )
        guard keys.contains(window) else { continue }
        windows[window] = DigestWindow(until: min(windows[window]?.until ?? .distantFuture, entry.due))
      }
      return windows
    }
  }

  func count(_ candidates: [HeldStore.ThrottleCandidate], now: Date) async throws -> [HeldStore.ThrottleAnswer] {
    try await step(.held) { state in
      candidates.map { candidate in
        if state.uses[candidate.notification] != nil { return .granted(isNew: false) }
        let since = now - Double(candidate.throttle.per)
        let same = state.uses.values.filter { use in
          let former = use.candidate
          return former.user == candidate.user && former.type == candidate.type && former.key == candidate.key
            && use.at > since
        }
        if same.count < candidate.throttle.atMost {
          state.uses[candidate.notification] = .init(candidate: candidate, at: now)
          return .granted(isNew: true)
        }
        return .refused(until: (same.map(\.at).min() ?? now) + Double(candidate.throttle.per))
      }
    }
  }

  func discount(_ candidates: [HeldStore.ThrottleCandidate]) async throws {
    try await step(.held) { state in for candidate in candidates { state.uses[candidate.notification] = nil } }
  }

  func claim(types: [Int], limit: Int, now: Date, until: Date) async throws -> HeldClaim {
    try await step(.held) { state in
      let keys = state.held.filter { $0.value.isFree(at: now) && types.contains($0.value.entry.type) }.keys
      for key in keys { state.held[key]?.claimedUntil = until }
      let entries = keys.compactMap { state.held[$0]?.entry }.sorted {
        ($0.key.user, $0.key.channel, $0.key.notification) < ($1.key.user, $1.key.channel, $1.key.notification)
      }
      return HeldClaim(until: until, entries: entries)
    }
  }

  func reread(_ claim: HeldClaim) async throws -> HeldClaim {
    try await step(.held) { state in
      let rows = claim.entries.compactMap { state.held[$0.key] }.filter { $0.claimedUntil == claim.until }
      return HeldClaim(until: claim.until, entries: rows.map(\.entry))
    }
  }

  func contents(of notifications: [(user: UserID, id: NotificationID)]) async throws -> [NotificationID: HeldContent] {
    try await step(.held) { state in
      var contents: [NotificationID: HeldContent] = [:]
      for (user, id) in notifications {
        guard let row = state.rows[id] else { continue }
        contents[id] = HeldContent(
          requestID: row.notification.requestID,
          owner: row.notification.owner,
          row.content,
          plan: row.notification.plan,
          inbox: row.isRead ? .read : .unread,
          unread: state.unread[user, default: 0]
        )
      }
      return contents
    }
  }

  func settle(_ settlement: HeldSettlement, of claim: HeldClaim) async throws -> HeldSettlement.Result {
    try await step(.held) { state in
      var result = HeldSettlement.Result()
      for entry in claim.entries where state.held[entry.key]?.claimedUntil == claim.until {
        result.owned.insert(entry.key)
      }
      func change(_ key: HeldEntry.Key, _ change: DecisionChange) {
        guard state.rows[change.id]?.notification.plan[key.channel]?.code == change.from.code else { return }
        state.rows[change.id]?.notification.plan[key.channel] = change.to
        result.changed[key.channel, default: []].insert(change.id)
      }
      for composition in settlement.compositions {
        let isFree =
          state.rows[composition.id] == nil && composition.members.allSatisfy { result.owned.contains($0.entry.key) }
        if isFree {
          result.composed.insert(composition.id)
          state.rows[composition.id] = .init(composition)
        }
        for (entry, former) in composition.members where result.owned.contains(entry.key) {
          guard isFree else {
            state.held[entry.key]?.entry.due = settlement.now
            state.held[entry.key]?.claimedUntil = nil
            continue
          }
          let id = entry.key.notification
          change(entry.key, .init(id: id, userID: entry.key.user, from: former, to: .skip(.composed)))
          state.held[entry.key]?.entry.composedIn = composition.id
        }
      }
      for item in settlement.changes where result.owned.contains(item.entry.key) {
        change(item.entry.key, item.change)
        guard case .hold(let until, let reason) = item.change.to else { continue }
        state.held[item.entry.key]?.entry.due = until
        state.held[item.entry.key]?.entry.reason = reason
        state.held[item.entry.key]?.claimedUntil = nil
      }
      return result
    }
  }

  func finish(_ claim: HeldClaim) async throws {
    try await step(.held) { state in
      for entry in claim.entries where state.held[entry.key]?.claimedUntil == claim.until {
        state.held[entry.key] = nil
      }
    }
  }

  func unknownTypes(knowing types: [Int], now: Date) async throws -> Set<Int> {
    try await step(.held) { state in
      Set(state.held.values.filter { $0.isFree(at: now) && !types.contains($0.entry.type) }.map(\.entry.type))
    }
  }

  func putOff(knowing types: [Int], now: Date) async throws -> Set<Int> {
    try await step(.held) { state in
      let rows = state.held.filter { $0.value.isFree(at: now) && !types.contains($0.value.entry.type) }
      for key in rows.keys { state.held[key]?.entry.due = now + 600 }
      return Set(rows.values.map(\.entry.type))
    }
  }
}
