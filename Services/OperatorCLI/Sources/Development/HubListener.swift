import Foundation
import LocalStack
import Synchronization

/// A SignalR client that only listens: connects to the hub over WebSocket, as an app does, and keeps the notifications.
///
/// For the local stack: no TLS, no reconnecting. One thread reads; there are three of these at most.
final class HubListener: Sendable {
  struct Notification: Decodable, Sendable {
    let id: String
    let title: String
  }

  let user: String
  private let socket: WebSocketConnection
  private let notifications = Mutex<[Notification]>([])
  /// A hub that goes on sending does not fill this process.
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

  /// What has arrived so far.
  func received() -> [Notification] { notifications.withLock { $0 } }

  func close() { socket.close() }

  private func listen(_ records: inout HubRecords) {
    do {
      while true {
        while let record = records.next() { take(record) }
        try records.append(socket.receive())
      }
    } catch {
      // Closed, by either side: what has arrived stays.
    }
  }

  private func take(_ record: String) {
    struct Invocation: Decodable {
      let type: Int
      let target: String?
    }
    struct Received: Decodable { let arguments: [Notification] }
    let data = Data(record.utf8)
    let decoder = JSONDecoder()
    guard let invocation = try? decoder.decode(Invocation.self, from: data), invocation.type == 1,
      invocation.target == "ReceiveNotification", let received = try? decoder.decode(Received.self, from: data)
    else { return }
    notifications.withLock { if $0.count < Self.kept { $0 += received.arguments } }
  }
}

/// What keeps a listener from connecting.
enum HubError: Error, CustomStringConvertible {
  case cannotConnect(port: Int)
  case upgradeRefused(String)
  case handshakeRefused
  case closed

  var description: String {
    switch self {
    case .cannotConnect(let port): "nobody listens on port \(port)"
    case .upgradeRefused(let status): "the hub refused the WebSocket: \(status)"
    case .handshakeRefused: "the hub refused the protocol's handshake"
    case .closed: "the hub closed the connection"
    }
  }
}
