import Foundation
import BelfryJSON
import LocalStack
import Synchronization

/// A SignalR client that mostly listens: connects to the hub over WebSocket, as an app does, and keeps the notifications.
///
/// For the local stack: no TLS, no reconnecting. One thread reads; there are four of these at most.
final class HubListener: Sendable {
  struct Notification: Decodable, Sendable {
    let id: String
    let title: String
  }

  /// A notification, and when it came.
  struct Arrival: Sendable {
    let notification: Notification
    let at: Date
  }

  private struct State {
    var arrivals: [Arrival] = []
    /// What became of calls: nil is well.
    var completions: [String: String?] = [:]
    var lastCall = 0
    var isOpen = true
  }

  let user: String
  private let socket: WebSocketConnection
  private let state = Mutex(State())
  /// A hub that goes on sending does not fill this process: the oldest give way.
  private static let kept = 1_000

  private init(user: String, socket: WebSocketConnection) {
    self.user = user
    self.socket = socket
  }

  /// Connects and completes the protocol's handshake.
  static func connect(port: Int, token: String, user: String) async throws -> HubListener {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        do {
          // Without a negotiated id the hub makes a new connection at once.
          let socket = try WebSocketConnection(port: port, path: "/hubs/notifications", token: token)
          try socket.send(#"{"protocol":"json","version":1}"# + HubRecords.separator)
          var records = HubRecords()
          try records.append(socket.receive())
          guard let answer = records.next(), answer == "{}" else { throw HubError.handshakeRefused }
          let listener = HubListener(user: user, socket: socket)
          continuation.resume(returning: listener)
          listener.listen(&records)
        } catch {
          continuation.resume(throwing: error)
        }
      }
      thread.name = "belfry.hub"
      thread.start()
    }
  }

  /// What has arrived and was not taken.
  func received() -> [Notification] { state.withLock { $0.arrivals.map(\.notification) } }

  /// What has arrived since it was asked last.
  func take() -> [Arrival] {
    state.withLock { state in
      defer { state.arrivals = [] }
      return state.arrivals
    }
  }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func close() { socket.close() }

  /// Calls a method of the hub, and waits until it is done: 5 seconds at most.
  func call(_ method: String, _ arguments: [String]) async throws {
    let id = state.withLock { state in
      state.lastCall += 1
      return String(state.lastCall)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("type", 1)
      writer.field("invocationId", id)
      writer.field("target", method)
      writer.strings("arguments", arguments)
    }
    try socket.send(writer.text + HubRecords.separator)
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(5)
    while clock.now < deadline {
      if let outcome = state.withLock({ $0.completions.removeValue(forKey: id) }) {
        guard let failure = outcome else { return }
        throw HubError.callFailed(failure)
      }
      guard isOpen else { break }
      try await clock.sleep(for: .milliseconds(10))
    }
    throw HubError.closed
  }

  private func listen(_ records: inout HubRecords) {
    do {
      while true {
        while let record = records.next() { take(record) }
        try records.append(socket.receive())
      }
    } catch {
      // Closed, by either side: what has arrived stays.
      state.withLock { $0.isOpen = false }
    }
  }

  private func take(_ record: String) {
    struct Message: Decodable {
      let type: Int
      let target: String?
      let invocationId: String?
      let error: String?
    }
    struct Received: Decodable { let arguments: [Notification] }
    let data = Data(record.utf8)
    let decoder = JSONDecoder()
    guard let message = try? decoder.decode(Message.self, from: data) else { return }
    if message.type == 3, let id = message.invocationId {
      state.withLock { $0.completions[id] = .some(message.error) }
    } else if message.type == 1, message.target == "ReceiveNotification",
      let received = try? decoder.decode(Received.self, from: data)
    {
      let now = Date()
      state.withLock { state in
        state.arrivals += received.arguments.map { Arrival(notification: $0, at: now) }
        state.arrivals.removeFirst(max(0, state.arrivals.count - Self.kept))
      }
    }
  }
}

/// What keeps a listener from connecting.
enum HubError: Error, CustomStringConvertible {
  case cannotConnect(port: Int)
  case upgradeRefused(String)
  case handshakeRefused
  case closed
  case callFailed(String)

  var description: String {
    switch self {
    case .cannotConnect(let port): "nobody listens on port \(port)"
    case .upgradeRefused(let status): "the hub refused the WebSocket: \(status)"
    case .handshakeRefused: "the hub refused the protocol's handshake"
    case .closed: "the hub closed the connection"
    case .callFailed(let reason): "the hub refused: \(reason)"
    }
  }
}
