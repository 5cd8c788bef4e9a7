public import BelfryClient
import Foundation

/// A gateway and its hub for one user, in this process: keeps an inbox, and tells all connections what becomes of it.
public actor Gateway: HTTPTransport, LiveTransport {
  private struct Item {
    let id: UUID
    let seq: Int
    var isRead = false
    var archivedAt: Date?

    var isUnread: Bool { !isRead && archivedAt == nil }
  }

  public nonisolated let name = "ServerSentEvents"
  /// The oldest one first.
  private var items: [Item] = []
  private var lastSeq = 0
  private var changes: [(afterSeq: Int, id: UUID)] = []
  private var channels: [GatewayChannel] = []
  /// Every so many requests one gets this status.
  private var fault: (every: Int, status: Int)?
  private var requests = 0

  public init(notifications: Int = 0) {
    for _ in 0..<notifications {
      lastSeq += 1
      items.append(Item(id: Self.id(lastSeq), seq: lastSeq))
    }
  }

  public nonisolated func configuration(_ timing: ClientTiming = ClientTiming()) throws -> BelfryConfiguration {
    guard let url = URL(string: "http://belfry.test") else { throw URLError(.badURL) }
    return BelfryConfiguration(gateway: url, hub: url.appending(path: "hub"), timing: timing, http: self, live: self)
  }

  // MARK: What happens

  public var unreadCount: Int { items.count { $0.isUnread } }

  /// The ids of the inbox, the newest one first.
  public var inbox: [UUID] { items.reversed().filter { $0.archivedAt == nil }.map(\.id) }

  public func notify(_ count: Int = 1) {
    for _ in 0..<count {
      lastSeq += 1
      let item = Item(id: Self.id(lastSeq), seq: lastSeq)
      items.append(item)
      tell("ReceiveNotification", text(item))
    }
    tell("UnreadCountChanged", String(unreadCount))
  }

  /// Ends all connections, as a lost network does.
  public func cut() {
    for channel in channels { channel.lose() }
    channels = []
  }

  public func refuse(every: Int, with status: Int) { fault = (every, status) }

  public func heal() { fault = nil }

  /// Later ones have greater ids, as Belfry's have.
  private static func id(_ seq: Int) -> UUID {
    func byte(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: seq >> shift) }
    return UUID(uuid: (1, 0xA1, 0, 0, 0, byte(32), 0x70, byte(24), 0x80, byte(16), byte(8), byte(0), 0, 0, 0, 1))
  }

  // MARK: The hub

  public func open(_ url: URL, token: String, via http: any HTTPTransport) -> any LiveChannel {
    let channel = GatewayChannel { [weak self] channel, text in await self?.answer(text, on: channel) }
    channels.append(channel)
    return channel
  }

  private func tell(_ target: String, _ argument: String) {
    for channel in channels { channel.say(#"{"type":1,"target":"\#(target)","arguments":[\#(argument)]}"#) }
  }

  private func answer(_ text: String, on channel: GatewayChannel) {
    let message = (try? JSONSerialization.jsonObject(with: Data(text.dropLast().utf8))) as? [String: Any] ?? [:]
    if message["protocol"] != nil { return channel.say("{}") }
    if message["type"] as? Int == 6 { return channel.say(#"{"type":6}"#) }
    guard message["target"] as? String == "Resume", let call = message["invocationId"] as? String,
      let since = (message["arguments"] as? [Int])?.first
    else { return }
    for item in items where item.seq > since && item.archivedAt == nil {
      channel.say(#"{"type":2,"invocationId":"\#(call)","item":\#(self.text(item))}"#)
    }
    for id in changed(since: since) {
      let (target, argument) =
        place(id).map { ("NotificationChanged", self.text(items[$0])) } ?? (
          "NotificationDeleted", "\"\(id.uuidString.lowercased())\""
        )
      channel.say(#"{"type":1,"target":"\#(target)","arguments":[\#(argument)]}"#)
    }
    channel.say(#"{"type":1,"target":"UnreadCountChanged","arguments":[\#(unreadCount)]}"#)
    channel.say(#"{"type":3,"invocationId":"\#(call)"}"#)
  }

  // MARK: The gateway

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    requests += 1
    if let fault, requests % fault.every == 0 { return HTTPResponse(status: fault.status) }
    let parts = request.url.path().split(separator: "/").map(String.init)
    if parts.last == "negotiate" {
      return answer(#"{"connectionToken":"c","availableTransports":[{"transport":"ServerSentEvents"}]}"#)
    }
    switch (request.method, parts.dropFirst(3).first) {
    case ("GET", nil): return answer(page(request.url))
    case ("GET", "changes"): return answer(changesText(request.url))
    case ("POST", "read"), ("POST", "seen"):
      let body = (try? JSONSerialization.jsonObject(with: request.body ?? Data())) as? [String: [String]]
      let ids = body?["notificationIds"]?.compactMap(UUID.init(uuidString:)) ?? items.map(\.id)
      if parts.last == "read" { for id in ids { change(id) { $0.isRead = true } } }
      return answer(#"{"markedCount":\#(ids.count)}"#)
    case (_, let id?):
      guard let id = UUID(uuidString: id), let index = place(id) else { return HTTPResponse(status: 404) }
      if request.method == "DELETE" {
        items.remove(at: index)
        tell("NotificationDeleted", "\"\(id.uuidString.lowercased())\"")
        changes.append((lastSeq, id))
        tell("UnreadCountChanged", String(unreadCount))
        return HTTPResponse(status: 204)
      }
      change(id) { item in
        switch parts.last {
        case "read": item.isRead = true
        case "unread": item.isRead = false
        case "archive": item.archivedAt = Date(timeIntervalSince1970: 1_800_000_000)
        default: item.archivedAt = nil
        }
      }
      return answer(text(items[index]))
    default: return HTTPResponse(status: 404)
    }
  }

  private func answer(_ json: String) -> HTTPResponse { HTTPResponse(status: 200, body: Data(json.utf8)) }

  private func change(_ id: UUID, _ change: (inout Item) -> Void) {
    guard let index = place(id) else { return }
    change(&items[index])
    changes.append((lastSeq, id))
    tell("NotificationChanged", text(items[index]))
    tell("UnreadCountChanged", String(unreadCount))
  }

  private func place(_ id: UUID) -> Int? { items.firstIndex { $0.id == id } }

  private func changed(since seq: Int) -> Set<UUID> {
    Set(changes.filter { $0.afterSeq >= seq }.map(\.id)).filter { id in place(id).map { items[$0].seq <= seq } ?? true }
  }

  private func page(_ url: URL) -> String {
    let query = Dictionary(
      URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.map { ($0.name, $0.value ?? "") } ?? []
    ) { $1 }
    // What the last page ended with may be gone.
    let before = query["before"].flatMap(UUID.init(uuidString:))?.uuidString
    let end = before.flatMap { before in items.firstIndex { $0.id.uuidString >= before } } ?? items.count
    let matching = items[..<end].reversed().filter { ($0.archivedAt != nil) == (query["archived"] != nil) }
    let size = query["pageSize"].flatMap { Int($0) } ?? 20
    let texts = matching.prefix(size).map(text).joined(separator: ",")
    return #"{"notifications":[\#(texts)],"unreadCount":\#(unreadCount),"hasMore":\#(matching.count > size)}"#
  }

  private func changesText(_ url: URL) -> String {
    let since = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "since" }
    let ids = changed(since: since?.value.flatMap { Int($0) } ?? 0)
    let (there, gone) = (ids.compactMap(place), ids.filter { place($0) == nil })
    return """
      {"notifications":[],"seq":\(lastSeq),"unreadCount":\(unreadCount),"hasMore":false,\
      "changed":[\(there.map { text(items[$0]) }.joined(separator: ","))],\
      "deleted":[\(gone.map { "\"\($0.uuidString.lowercased())\"" }.joined(separator: ","))],\
      "change":\(changes.count),"isComplete":true}
      """
  }

  /// As long as those of a real app.
  private func text(_ item: Item) -> String {
    """
    {"id":"\(item.id.uuidString.lowercased())","seq":\(item.seq),"type":10,"typeName":"AllowanceDeposit",\
    "category":"Allowance","title":"Allowance received","body":"You received $\(item.seq).00. Your balance is $42.00.",\
    "data":"{\\"amount\\":\\"$\(item.seq).00\\",\\"balance\\":\\"$42.00\\"}",\
    "dataObject":{"amount":"$\(item.seq).00","balance":"$42.00"},"priority":"normal","isRead":\(item.isRead),\
    "readAt":null,"createdAt":"2026-01-01T12:00:00.123456Z","timeAgo":"Just now","relatedEntityType":"goal",\
    "relatedEntityId":"goal-\(item.seq)","actions":[{"id":"VIEW_GOALS","title":"View goals"}],\
    "archivedAt":\(item.archivedAt == nil ? "null" : "\"2027-01-15T08:00:00Z\"")}
    """
  }
}

private final class GatewayChannel: LiveChannel {
  let incoming: AsyncThrowingStream<String, any Error>
  private let continuation: AsyncThrowingStream<String, any Error>.Continuation
  private let hear: @Sendable (GatewayChannel, String) async -> Void

  init(_ hear: @escaping @Sendable (GatewayChannel, String) async -> Void) {
    (incoming, continuation) = AsyncThrowingStream.makeStream()
    self.hear = hear
  }

  func say(_ message: String) { continuation.yield(message + "\u{1E}") }
  func lose() { continuation.finish(throwing: BelfryError(.unavailable)) }
  func close() { continuation.finish() }

  func send(_ text: String) async throws { await hear(self, text) }
}
