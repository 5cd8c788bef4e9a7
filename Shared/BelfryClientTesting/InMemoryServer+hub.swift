public import BelfryClient
import BelfryJSON
public import Foundation
import SignalRProtocol

/// The hub.
extension InMemoryServer: LiveTransport {
  public nonisolated var name: String { "ServerSentEvents" }

  /// Opens a connection of the user whose token it is.
  ///
  /// - Throws: ``BelfryError`` `unavailable`, with status 401 for a token that is refused.
  public func open(_ url: URL, token: String, via http: any HTTPTransport) async throws -> any LiveChannel {
    if faults.isOffline { throw BelfryError(.unavailable) }
    guard let user = tokens.user(of: token) else { throw BelfryError(.unavailable, status: 401) }
    let number = nextLine()
    let queue = HubQueue(clock as? TestClock) { [weak self] in
      Task { await self?.forget(number) }
    }
    lines[number] = HubLine(number: number, user: user, queue: queue)
    return InMemoryChannel(incoming: queue.incoming, queue: queue) { [weak self] text in
      guard let self else { throw BelfryError(.unavailable) }
      try await self.take(text, on: number)
    }
  }

  private func forget(_ line: Int) {
    lines[line] = nil
    note()
  }

  // MARK: What clients say

  private func take(_ text: String, on number: Int) throws {
    note()
    for record in text.utf8.split(separator: RecordBuffer.separator) {
      guard lines[number] != nil else { throw BelfryError(.unavailable) }
      let bytes = Array(record)[...]
      guard lines[number]?.isReady == true else {
        guard (try? HandshakeRequest.decode(bytes))?.protocolName == "json" else {
          throw BelfryError(.unavailable, detail: "The in-memory hub speaks JSON alone.")
        }
        lines[number]?.isReady = true
        lines[number]?.say(HandshakeResponse.accepted)
        continue
      }
      guard let message = try? HubProtocol.json.decode(bytes) else { continue }
      answer(message, number)
    }
  }

  private func answer(_ message: HubMessage, _ number: Int) {
    guard let line = lines[number] else { return }
    switch message {
    // Only whoever pings is answered: a stopped clock asks for no pings of the hub's own.
    case .ping: line.say(.ping)
    case .streamInvocation(let id, let target, let arguments, _) where target.lowercased() == "resume":
      resume(line, id, since: arguments.first?.integerValue ?? 0)
    case .invocation(let id, let target, let arguments, _):
      let isKnown = carryOut(target.lowercased(), arguments, number)
      guard let id else { return }
      line.say(.completion(id: id, isKnown ? .void : .error("There is no method \(target).")))
    case .streamInvocation, .streamItem, .completion, .cancelInvocation, .close, .ack, .sequence: break
    }
  }

  private func carryOut(_ target: String, _ arguments: [HubValue], _ number: Int) -> Bool {
    guard let user = lines[number]?.user else { return false }
    let texts = arguments.compactMap(\.stringValue)
    switch target {
    case "startviewing":
      guard texts.count == 2 else { return false }
      lines[number]?.viewing = RelatedEntity(type: texts[0], id: texts[1])
    case "stopviewing": lines[number]?.viewing = nil
    case "markasread": apply(.read, to: texts.compactMap(UUID.init(uuidString:)), of: user)
    case "markallasread": apply(.read, to: nil, of: user)
    case "markallasseen": apply(.seen, to: nil, of: user)
    default: return false
    }
    return true
  }

  private func resume(_ line: HubLine, _ id: String, since: Int64) {
    wake(line.user)
    let inbox = users[line.user]?.inbox ?? ServedInbox()
    for item in inbox.missed(since: since) { line.say(.streamItem(id: id, item: HubValue(item.json(now: nil)))) }
    let (changed, deleted, _) = inbox.changed(since: since)
    for item in changed { line.call("NotificationChanged", [HubValue(item.json(now: nil))]) }
    for id in deleted { line.call("NotificationDeleted", [.string(id.wireText)]) }
    line.call("UnreadCountChanged", [.integer(Int64(inbox.unread))])
    line.say(.completion(id: id, .void))
  }

  // MARK: What the hub calls

  /// Tells a user's connections what changed: one by one, or, of more than a hundred, the count alone.
  func tell(_ effects: [ServedInbox.Effect], to user: String) {
    if effects.isEmpty { return }
    if effects.count > ServedInbox.maximumTold { return callCount(user) }
    for effect in effects {
      switch effect {
      case .read(let id): call(user, "NotificationRead", [.string(id.wireText)])
      case .changed(let item): call(user, "NotificationChanged", [HubValue(item.json(now: nil))])
      case .deleted(let id): call(user, "NotificationDeleted", [.string(id.wireText)])
      }
      callCount(user)
    }
  }

  func callCount(_ user: String) {
    call(user, "UnreadCountChanged", [.integer(Int64(users[user]?.inbox.unread ?? 0))])
  }

  func call(_ user: String, _ target: String, _ arguments: [HubValue]) {
    for line in lines.values where line.user == user && line.isReady { line.call(target, arguments) }
    note()
  }
}

/// The hub's end of a connection.
struct HubLine: Sendable {
  let number: Int
  let user: String
  let queue: HubQueue
  /// Whether the handshake is over.
  var isReady = false
  var viewing: RelatedEntity?

  func call(_ target: String, _ arguments: [HubValue]) {
    say(.invocation(id: nil, target: target, arguments: arguments))
  }

  func say(_ message: HubMessage) {
    say(HubProtocol.json.encode(message))
  }

  func say(_ record: [UInt8]) {
    queue.say(String(decoding: record, as: UTF8.self))
  }
}

/// The client's end of a connection.
private struct InMemoryChannel: LiveChannel {
  let incoming: AsyncThrowingStream<String, any Error>
  let queue: HubQueue
  let take: @Sendable (String) async throws -> Void

  func send(_ text: String) async throws {
    try await take(text)
  }

  func close() {
    queue.end()
  }
}
