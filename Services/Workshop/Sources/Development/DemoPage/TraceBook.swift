import Foundation
import NotificationModel
import WallClock

/// The traces of the latest sends, and the account of all. Pure.
struct TraceBook: Sendable {
  static let maximumTraces = 60
  /// What was seen before its send was known is kept for it: the answer of the gateway may come later than a push.
  static let maximumEarly = 500

  /// Something that was seen of a notification.
  struct Seen: Sendable {
    enum What: Sendable {
      case arrived(Channel, isSeenTwice: Bool)
      case refused(status: Int?)
    }

    let notification: NotificationID
    let at: Date
    let what: What
  }

  private(set) var traces: [DemoTrace] = []
  /// Of traces that were given up.
  private var settled = DemoLedger()
  /// Of each trace, as long as nothing changes of it.
  private var accounts: [String: DemoLedger] = [:]
  /// Ids of traces that were seen to have ended, and have not changed since.
  private var ended: Set<String> = []
  private var early: [Seen] = []
  /// Ids of traces that have grown since they were published.
  private var changed: Set<String> = []

  /// The account of all traces.
  mutating func ledger() -> DemoLedger {
    var ledger = settled
    for trace in traces {
      let account = accounts[trace.id] ?? DemoLedger(trace)
      accounts[trace.id] = account
      ledger.add(account)
    }
    return ledger
  }

  /// The traces that have not ended.
  mutating func unfinished(now: Date) -> [DemoTrace] {
    for trace in traces where !ended.contains(trace.id) && trace.status(now: now) == .done {
      ended.insert(trace.id)
      // Whoever watches is notified that it has ended.
      changed.insert(trace.id)
    }
    return traces.filter { !ended.contains($0.id) }
  }

  mutating func begin(_ trace: DemoTrace) {
    // Polling may have found it before the gateway's answer came.
    traces.removeAll { !Set($0.requests).isDisjoint(with: trace.requests) }
    traces.append(trace)
    touch(traces.count - 1)
    if traces.count > Self.maximumTraces { settle(traces.removeFirst()) }
    let waiting = early.filter { trace.parts[$0.notification] != nil }
    early.removeAll { trace.parts[$0.notification] != nil }
    for seen in waiting { see(seen) }
  }

  mutating func see(_ seen: Seen) {
    guard let index = index(of: seen.notification) else {
      early.append(seen)
      early.removeFirst(max(0, early.count - Self.maximumEarly))
      return
    }
    switch seen.what {
    case .arrived(let channel, let isSeenTwice):
      traces[index].arrived(seen.notification, on: channel, at: seen.at, isSeenTwice: isSeenTwice)
    case .refused(let status): traces[index].refused(seen.notification, status: status, at: seen.at)
    }
    touch(index)
  }

  /// What the database says of somebody's latest notifications.
  ///
  /// - Parameters:
  ///   - since: Older ones of no known send are none of the demo's.
  ///   - catalogue: By which they are named.
  mutating func learn(
    _ histories: [NotificationHistory],
    of member: DemoPerson,
    in zone: Zone,
    since: Date,
    catalogue: Catalogue,
    now: Date
  ) {
    for history in histories.reversed() {
      let name = catalogue.name(of: history)
      guard let place = index(of: history.id) ?? place(of: history, since: since, name: name) else { continue }
      let known = traces[place].parts[history.id]?.history
      guard known?.plan != history.plan || known?.deliveries != history.deliveries else { continue }
      traces[place].learn(history, of: member, type: catalogue.type(.code(history.type)), in: zone, now: now)
      touch(place)
      let waiting = early.filter { $0.notification == history.id }
      early.removeAll { $0.notification == history.id }
      for seen in waiting { see(seen) }
    }
  }

  mutating func tapped(_ notification: NotificationID, action: String?, at time: Date) {
    guard let index = index(of: notification) else { return }
    traces[index].tapped(notification, action: action, at: time)
    touch(index)
  }

  /// The ids that were to be published.
  mutating func takeChanged() -> Set<String> {
    defer { changed = [] }
    return changed
  }

  private func index(of notification: NotificationID) -> Int? {
    traces.lastIndex { $0.parts[notification] != nil }
  }

  private mutating func touch(_ index: Int) {
    let id = traces[index].id
    changed.insert(id)
    accounts[id] = nil
    ended.remove(id)
  }

  private mutating func settle(_ trace: DemoTrace) {
    settled.add(DemoLedger(trace))
    accounts[trace.id] = nil
    ended.remove(trace.id)
  }

  /// Of a send from elsewhere the trace begins with what is stored.
  private mutating func place(of history: NotificationHistory, since: Date, name: String) -> Int? {
    if let known = traces.lastIndex(where: { $0.requests.contains(history.requestID) }) { return known }
    guard let sentAt = history.requestID.time, sentAt >= since else { return nil }
    begin(
      DemoTrace(
        requests: [history.requestID],
        name: name,
        label: name,
        sentAt: sentAt,
        acceptedAt: nil,
        recipients: []
      )
    )
    return traces.count - 1
  }
}

extension Catalogue {
  /// How a notification's type is called, also where the catalogue does not have it any more.
  func name(of history: NotificationHistory) -> String {
    type(.code(history.type))?.name ?? "type \(history.type)"
  }
}
