import Foundation
import NotificationModel
import WallClock

/// One call of a backend's, from the request to what everybody got. Pure: it is given what happened, in any order and more than
/// once, and makes a story of it.
struct DemoTrace: Sendable {
  /// What can happen.
  enum What: String, Sendable {
    case accepted, routed, delivered, held, released, skipped, retried, rejected, removed, exhausted, expired,
      uncertain,
      opened, acted
  }

  struct Fact: Sendable {
    /// Of what a router decided: at the latest, which is whenever the first of what came of it was seen.
    var at: Date
    var notification: NotificationID?
    var user: String?
    var channel: Channel?
    let what: What
    var reason: String?
    var until: Date?
    let words: String
    /// The request with whose decision it came; nil where it has a time of its own.
    var decision: RequestID?
    /// Nobody saw when it was: its time is the latest at which it can have been.
    var isAtMost = false
  }

  /// One notification of one person.
  struct Part: Sendable {
    let member: DemoPerson
    let request: RequestID
    var history: NotificationHistory?
    /// By channel, where it arrived, as seen by who receives it.
    var arrivals: [Channel: Date] = [:]
    var refusals = 0
  }

  /// More steps than a person reads; a push that is refused for an hour has as many.
  static let maximumFacts = 2_000

  let requests: [RequestID]
  let name: String
  let label: String
  let sentAt: Date
  private(set) var parts: [NotificationID: Part] = [:]
  private(set) var facts: [Fact] = []
  /// What a person would see twice, by channel.
  private(set) var twice: [Channel: Int] = [:]
  /// Of that, what came by each push provider.
  private(set) var pushedTwice: [DevicePlatform.Carrier: Int] = [:]

  /// - Parameters:
  ///   - sentAt: Of a request from elsewhere: when the gateway took it, which is in its id.
  ///   - acceptedAt: Nil where nobody saw the gateway's answer.
  ///   - recipients: None where the request came from elsewhere: whoever turns out to have got it.
  init(
    requests: [RequestID],
    name: String,
    label: String,
    sentAt: Date,
    acceptedAt: Date?,
    recipients: [DemoPerson]
  ) {
    self.requests = requests
    self.name = name
    self.label = label
    self.sentAt = sentAt
    for request in requests {
      for member in recipients {
        guard let user = member.user else { continue }
        parts[NotificationID(request: request, recipient: user)] = Part(member: member, request: request)
      }
    }
    let isAtMost = acceptedAt == nil
    facts.append(Fact(at: acceptedAt ?? sentAt, what: .accepted, words: DemoWords.accepted, isAtMost: isAtMost))
  }

  var id: String { requests.first?.description ?? "" }

  // MARK: Learning

  /// What the hub's client or a provider saw arrive.
  mutating func arrived(_ notification: NotificationID, on channel: Channel, at time: Date, isSeenTwice: Bool = false) {
    guard let part = parts[notification] else { return }
    if isSeenTwice {
      twice[channel, default: 0] += 1
      if channel == .push { pushedTwice[part.member.carrier, default: 0] += 1 }
    }
    decided(part.request, by: time)
    if part.arrivals[channel] != nil { timed(notification, on: channel, at: time) }
    delivered(notification, on: channel, at: time)
  }

  /// Of what was known from the database alone it is the time.
  private mutating func timed(_ notification: NotificationID, on channel: Channel, at time: Date) {
    let isMeant = { (fact: Fact) in
      fact.notification == notification && fact.channel == channel && fact.what == .delivered && fact.isAtMost
    }
    guard let index = facts.firstIndex(where: isMeant) else { return }
    facts[index].at = time
    facts[index].decision = nil
    facts[index].isAtMost = false
    parts[notification]?.arrivals[channel] = time
  }

  private mutating func delivered(
    _ notification: NotificationID,
    on channel: Channel,
    at time: Date,
    decision: RequestID? = nil
  ) {
    guard let part = parts[notification], part.arrivals[channel] == nil else { return }
    parts[notification]?.arrivals[channel] = time
    // It may arrive before the database is asked again.
    if case .hold = part.history?.plan[channel] { released(notification, on: channel, at: time) }
    let words = DemoWords.arrival(on: channel, of: part.member)
    add(.delivered, at: time, notification, on: channel, words, decision: decision)
  }

  private mutating func released(_ notification: NotificationID, on channel: Channel, at time: Date) {
    add(.released, at: time, notification, on: channel, DemoWords.released, once: true)
  }

  /// A provider did not take it.
  mutating func refused(_ notification: NotificationID, status: Int?, at time: Date) {
    guard let member = parts[notification]?.member else { return }
    parts[notification]?.refusals += 1
    // FCM and push services of browsers say 404, APNs and these 410.
    if status == 404 || status == 410 {
      add(.rejected, at: time, notification, on: .push, DemoWords.unregistered(member), once: true)
    } else {
      add(.retried, at: time, notification, on: .push, DemoWords.refusal(status, by: member.carrier))
    }
  }

  /// What the database says of a notification.
  ///
  /// - Parameter type: The notification's, if the catalogue has it.
  mutating func learn(
    _ history: NotificationHistory,
    of member: DemoPerson,
    type: NotificationType? = nil,
    in zone: Zone,
    now: Date
  ) {
    let before = parts[history.id]?.history
    // Its first notification shows of a request that a router has decided it.
    let isFirst = !parts.values.contains { $0.request == history.requestID && $0.history != nil }
    if before == nil { forgetExpected(of: history.requestID, for: member, but: history.id) }
    parts[history.id, default: Part(member: member, request: history.requestID)].history = history
    // First what has a time of its own: it says when the rest must have been decided.
    if isFirst {
      // Before all that came of it, of the same millisecond, too.
      let place = facts.firstIndex { $0.notification != nil } ?? facts.endIndex
      let time = decided(history.id, now)
      facts.insert(
        Fact(at: time, what: .routed, words: DemoWords.routed, decision: history.requestID, isAtMost: true),
        at: place
      )
    }
    let known = Set(before?.deliveries.map(Self.key) ?? [])
    for delivery in history.deliveries where !known.contains(Self.key(delivery)) { learn(delivery, of: history.id) }
    for line in history.explanation(in: zone, now: now).lines {
      let earlier = before?.plan[line.channel]
      let words = DemoWords.plain(DemoWords.decided(line, of: type, for: member), zone)
      let (time, decision) = earlier == nil ? (decided(history.id, now), history.requestID) : (now, nil)
      switch line.decision {
      case .deliver:
        if case .hold = earlier { released(history.id, on: line.channel, at: now) }
        if line.channel == .inApp { delivered(history.id, on: .inApp, at: time, decision: decision) }
      case .hold(let until, let reason) where earlier != line.decision:
        let why = reason.name
        add(.held, at: time, history.id, on: line.channel, words, reason: why, until: until, decision: decision)
      // What left the inbox was in it.
      case .leftInbox:
        delivered(history.id, on: .inApp, at: time, decision: decision)
      case .skip(let reason) where earlier != line.decision:
        add(.skipped, at: time, history.id, on: line.channel, words, reason: reason.name, decision: decision)
      case .hold, .skip: break
      }
    }
  }

  /// What was due later than it was sent has another id than the request alone gives.
  private mutating func forgetExpected(of request: RequestID, for member: DemoPerson, but known: NotificationID) {
    for (id, part) in parts where id != known && part.request == request && part.member.id == member.id {
      if part.history == nil, part.arrivals.isEmpty { parts[id] = nil }
    }
  }

  private static func key(_ delivery: NotificationHistory.Delivery) -> String {
    "\(delivery.channel.rawValue) \(delivery.target) \(delivery.outcome)"
  }

  private mutating func learn(_ delivery: NotificationHistory.Delivery, of notification: NotificationID) {
    guard let member = parts[notification]?.member else { return }
    let reason = delivery.reason
    switch DeliveryOutcome(rawValue: delivery.outcome) {
    case .delivered: delivered(notification, on: delivery.channel, at: delivery.finishedAt)
    case .rejected where delivery.channel == .push && Self.isGone(reason):
      add(.rejected, at: delivery.finishedAt, notification, on: .push, DemoWords.unregistered(member), once: true)
      add(.removed, at: delivery.finishedAt, notification, on: .push, DemoWords.removed(member), reason: reason)
    case .rejected:
      let words = "refused for good\(reason.map { ": \($0)" } ?? "")"
      add(.rejected, at: delivery.finishedAt, notification, on: delivery.channel, words, reason: reason)
    case .exhausted:
      add(.exhausted, at: delivery.finishedAt, notification, on: delivery.channel, DemoWords.exhausted, reason: reason)
    case .expired:
      add(.expired, at: delivery.finishedAt, notification, on: delivery.channel, "expired before it could be delivered")
    case .uncertain:
      let words = "handed over and not answered: it may have arrived, and is tried once more"
      add(.uncertain, at: delivery.finishedAt, notification, on: delivery.channel, words, reason: reason)
    case nil: break
    }
  }

  /// Whether a push provider said by this reason that the device is no more.
  private static func isGone(_ reason: String?) -> Bool {
    guard let reason else { return false }
    return ["UNREGISTERED", "Unregistered", "ExpiredToken"].contains(reason) || reason.hasPrefix("HTTP 404")
      || reason.hasPrefix("HTTP 410")
  }

  /// What an app did.
  mutating func tapped(_ notification: NotificationID, action: String?, at time: Date) {
    guard let member = parts[notification]?.member else { return }
    let words = action.map { "\(member.name) tapped \($0)" } ?? "\(member.name) opened it"
    add(action == nil ? .opened : .acted, at: time, notification, on: .push, words)
  }

  /// When the router had decided, at the latest: before anything of it arrived.
  private func decided(_ notification: NotificationID, _ now: Date) -> Date {
    guard let request = parts[notification]?.request else { return now }
    let arrivals = parts.values.filter { $0.request == request }.flatMap(\.arrivals.values)
    return ([now] + arrivals).min() ?? now
  }

  /// Something of a request was there at that time: by then the gateway had taken it, and a router had decided.
  private mutating func decided(_ request: RequestID, by time: Date) {
    for index in facts.indices where facts[index].at > time {
      let fact = facts[index]
      guard fact.what == .accepted || fact.decision == request else { continue }
      facts[index].at = time
      if fact.what == .delivered, let notification = fact.notification, let channel = fact.channel {
        parts[notification]?.arrivals[channel] = time
      }
    }
  }

  private mutating func add(
    _ what: What,
    at time: Date,
    _ notification: NotificationID,
    on channel: Channel,
    _ words: String,
    reason: String? = nil,
    until: Date? = nil,
    once: Bool = false,
    decision: RequestID? = nil
  ) {
    if decision == nil, let request = parts[notification]?.request { decided(request, by: time) }
    guard facts.count < Self.maximumFacts else { return }
    let isKnown = { (fact: Fact) in fact.notification == notification && fact.what == what && fact.channel == channel }
    if once, facts.contains(where: isKnown) { return }
    facts.append(
      Fact(
        at: time,
        notification: notification,
        user: parts[notification]?.member.id,
        channel: channel,
        what: what,
        reason: reason,
        until: until,
        words: words,
        decision: decision,
        isAtMost: decision != nil
      )
    )
  }
}
