import BelfryClientTesting
import Foundation
import BelfryJSON
import Testing

@testable import BelfryClient

/// A gateway and its hub for one user, in memory: keeps an inbox, and calls the connections as Belfry does.
final class FakeServer: HTTPTransport, LiveTransport {
  struct State: Sendable {
    var items: [UUID: BelfryNotification] = [:]
    var lastSeq = 0
    /// What changed, by the `seq` after which it did.
    var changes: [(seq: Int, id: UUID)] = []
    var requests: [HTTPRequest] = []
    var channels: [TestChannel] = []
    /// Says what becomes of a request before it is carried out.
    var fault: (@Sendable (HTTPRequest) throws -> HTTPResponse?)?
    /// Whether answers are lost after what was asked has been done.
    var losesAnswers = false
    var isDown = false
    var opened = 0

    var unread: Int { items.values.count { $0.isUnread } }

    func list(_ filter: (BelfryNotification) -> Bool = { _ in true }) -> [BelfryNotification] {
      items.values.filter(filter).sorted { $1.id.precedes($0.id) }
    }
  }

  let state = Locked(State())
  let clock: TestClock
  var name: String { "ServerSentEvents" }

  init(_ clock: TestClock, notifications: Int = 0) {
    self.clock = clock
    state.withLock { state in
      for number in 0..<notifications { state.items[notificationID(number + 1)] = notification(number + 1) }
      state.lastSeq = notifications
    }
  }

  func configuration() throws -> BelfryConfiguration {
    try testConfiguration(self, live: self, clock: clock)
  }

  /// Those that are open.
  var channels: [TestChannel] { state.withLock { $0.channels.filter { !$0.isClosed } } }
  var unread: Int { state.withLock { $0.unread } }
  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func requests(_ method: String, _ path: String) -> [HTTPRequest] {
    requests.filter { $0.method == method && $0.url.path() == path }
  }

  // MARK: What happens on the server

  /// A new notification.
  @discardableResult
  func notify() -> BelfryNotification {
    let (item, unread) = state.withLock { state in
      state.lastSeq += 1
      let item = notification(state.lastSeq)
      state.items[item.id] = item
      return (item, state.unread)
    }
    for channel in channels { channel.call("ReceiveNotification", item.text) }
    for channel in channels { channel.call("UnreadCountChanged", String(unread)) }
    return item
  }

  /// Something is done to a notification, on whatever device; nil deletes it.
  func change(_ id: UUID, _ change: (BelfryNotification) -> BelfryNotification?) {
    let (item, unread) = state.withLock { state -> (BelfryNotification?, Int) in
      let item = state.items[id].flatMap(change)
      state.items[id] = item
      state.changes.append((state.lastSeq, id))
      return (item, state.unread)
    }
    for channel in channels {
      if let item {
        channel.call("NotificationChanged", item.text)
      } else {
        channel.call("NotificationDeleted", "\"\(id.wireText)\"")
      }
      channel.call("UnreadCountChanged", String(unread))
    }
  }

  func cut() {
    for channel in channels { channel.cut() }
  }

  // MARK: The hub

  func open(_ url: URL, token: String, via http: any HTTPTransport) async throws -> any LiveChannel {
    if state.withLock({ $0.isDown }) { throw BelfryError(.unavailable) }
    let channel = TestChannel { [weak self] channel, message in self?.answer(message, on: channel) }
    state.withLock { state in
      state.channels = state.channels.filter { !$0.isClosed } + [channel]
      state.opened += 1
    }
    return channel
  }

  private func answer(_ message: JSONValue, on channel: TestChannel) {
    if message["protocol"] != nil { return channel.say("{}") }
    if message["type"]?.integer == 6 { return channel.say(#"{"type":6}"#) }
    guard message["target"]?.string == "Resume", let since = message["arguments"]?.array?.first?.integer else { return }
    let (missed, changed, unread) = state.withLock { state in
      let missed = state.list { Int($0.seq ?? 0) > since }.reversed()
      let ids = Set(state.changes.filter { $0.seq >= since }.map(\.id))
      return (Array(missed), ids.map { ($0, state.items[$0]) }, state.unread)
    }
    for item in missed { channel.say(#"{"type":2,"invocationId":"1","item":\#(item.text)}"#) }
    for (id, item) in changed where Int(item?.seq ?? 0) <= since {
      if let item {
        channel.call("NotificationChanged", item.text)
      } else {
        channel.call("NotificationDeleted", "\"\(id.wireText)\"")
      }
    }
    channel.call("UnreadCountChanged", String(unread))
    channel.say(#"{"type":3,"invocationId":"1"}"#)
  }

  // MARK: The gateway

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let (fault, isDown) = state.withLock { state in
      state.requests.append(request)
      return (state.fault, state.isDown)
    }
    if isDown { throw BelfryError(.offline) }
    if let answer = try fault?(request) { return answer }
    let answer = answer(request)
    if state.withLock({ $0.losesAnswers }) { throw BelfryError(.unavailable) }
    return answer
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    let path = request.url.path()
    let parts = path.split(separator: "/").map(String.init)
    switch (request.method, parts.dropFirst(3).first) {
    case _ where path == "/bell/config.json":
      return HTTPResponse(json: #"{"hub":"/hubs/notifications","limits":{"pageSize":50,"notificationIds":1000}}"#)
    case _ where path.hasSuffix("/negotiate"):
      return HTTPResponse(
        json: #"{"negotiateVersion":1,"connectionToken":"c","availableTransports":[{"transport":"ServerSentEvents"}]}"#
      )
    case ("GET", nil): return page(request.url)
    case ("GET", "changes"): return changes(request.url)
    case ("POST", "read"): return mark(request) { $0.isRead = true }
    case ("POST", "seen"): return mark(request) { $0.seenAt = $0.seenAt ?? Date(timeIntervalSince1970: 0) }
    case (_, let id?):
      guard let id = UUID(uuidString: id), state.withLock({ $0.items[id] }) != nil else {
        return HTTPResponse(status: 404)
      }
      return one(request, id, parts.dropFirst(4).first)
    default: return HTTPResponse(status: 404)
    }
  }

  private func one(_ request: HTTPRequest, _ id: UUID, _ verb: String?) -> HTTPResponse {
    switch verb {
    case nil where request.method == "DELETE": change(id) { _ in nil }
    case "read": change(id) { $0.with { $0.isRead = true } }
    case "unread": change(id) { $0.with { $0.isRead = false } }
    case "archive": change(id) { $0.with { $0.archivedAt = Date(timeIntervalSince1970: 1_800_000_000) } }
    case "unarchive": change(id) { $0.with { $0.archivedAt = nil } }
    case "snooze": change(id) { $0.with { $0.snoozedUntil = Date(timeIntervalSince1970: 1_900_000_000) } }
    case "opened": change(id) { $0.with { $0.openedAt = Date(timeIntervalSince1970: 1_800_000_000) } }
    default: break
    }
    guard let item = state.withLock({ $0.items[id] }), request.method == "PATCH" else {
      return HTTPResponse(status: 204)
    }
    return HTTPResponse(json: item.text)
  }

  private func mark(_ request: HTTPRequest, _ change: (inout BelfryNotification) -> Void) -> HTTPResponse {
    let body = try? JSONParser.parse(Array(request.body ?? Data()))
    let ids = body?["notificationIds"]?.array?.compactMap { $0.string.flatMap(UUID.init(uuidString:)) }
    let all = ids ?? state.withLock { Array($0.items.keys) }
    for id in all where state.withLock({ $0.items[id] }) != nil { self.change(id) { $0.with(change) } }
    return HTTPResponse(json: #"{"markedCount":\#(all.count)}"#)
  }

  private func page(_ url: URL) -> HTTPResponse {
    let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    let place: NotificationPlace = value("archived") != nil ? .archived : value("snoozed") != nil ? .snoozed : .inbox
    let before = value("before").flatMap(UUID.init(uuidString:))
    let size = value("pageSize").flatMap { Int($0) } ?? 20
    return state.withLock { state in
      let all = state.list { item in
        item.place == place && !(value("unreadOnly") != nil && item.isRead)
          && (before.map { item.id.precedes($0) } ?? true)
      }
      let items = all.prefix(size).map(\.text).joined(separator: ",")
      return HTTPResponse(
        json:
          #"{"notifications":[\#(items)],"unreadCount":\#(state.unread),"totalCount":\#(all.count),"hasMore":\#(all.count > size)}"#
      )
    }
  }

  private func changes(_ url: URL) -> HTTPResponse {
    let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let since = query.first { $0.name == "since" }?.value.flatMap { Int($0) } ?? 0
    return state.withLock { state in
      let ids = Set(state.changes.filter { $0.seq >= since }.map(\.id))
      let changed = ids.compactMap { state.items[$0] }.filter { Int($0.seq ?? 0) <= since }.map(\.text)
      let deleted = ids.filter { state.items[$0] == nil }.map { "\"\($0.wireText)\"" }
      return HTTPResponse(
        json: """
          {"notifications":[],"seq":\(state.lastSeq),"unreadCount":\(state.unread),"hasMore":false,\
          "changed":[\(changed.joined(separator: ","))],"deleted":[\(deleted.joined(separator: ","))],\
          "change":\(state.changes.count),"isComplete":true}
          """
      )
    }
  }
}

extension BelfryNotification {
  /// As the server writes it.
  var text: String {
    var members = [
      JSONMember("id", id.wireText), JSONMember("seq", seq.map { Int($0) }), JSONMember("type", type),
      JSONMember("typeName", typeName), JSONMember("category", category), JSONMember("title", title),
      JSONMember("body", body), JSONMember("isRead", isRead), JSONMember("createdAt", WireDate.text(createdAt)),
      JSONMember("actions", .array([])),
    ]
    let dates = [
      ("readAt", readAt), ("seenAt", seenAt), ("openedAt", openedAt), ("archivedAt", archivedAt),
      ("snoozedUntil", snoozedUntil),
    ]
    members += dates.map { JSONMember($0.0, $0.1.map(WireDate.text)) }
    return JSONWriter.text(.object(members))
  }
}
