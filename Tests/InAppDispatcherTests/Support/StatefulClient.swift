import NotificationModel
import SignalRProtocol
import Testing

/// A client of stateful reconnect, which loses its WebSocket now and then.
final class StatefulClient {
  let hub: TestHub
  let token: String
  let target: String
  let hubProtocol: HubProtocol
  var socket: TestConnection
  /// The number of the last numbered message that came.
  private(set) var received: Int64 = 0

  /// Negotiates, connects and shakes hands.
  init(
    _ hub: TestHub,
    _ user: UserID,
    as hubProtocol: HubProtocol = .json,
    isNegotiated: Bool = true,
    version: Int = 2
  ) async throws {
    self.hub = hub
    self.hubProtocol = hubProtocol
    token = try await TestHub.token(user)
    target = "/hubs/notifications?id=\(try await hub.negotiate(token, isStateful: isNegotiated))"
    socket = try await hub.open()
    guard try await socket.upgrade(target, token: token).status == 101 else { throw TestConnection.Closed() }
    try await socket.shakeHands(as: hubProtocol, version: version)
  }

  /// Comes back over a new WebSocket; answers the number with which the hub begins.
  func reattach(beginningAt sequence: Int64 = 1) async throws -> Int64 {
    socket = try await hub.open()
    guard try await socket.upgrade(target, token: token).status == 101 else { throw TestConnection.Closed() }
    try await send(.sequence(sequenceID: sequence))
    guard case .sequence(let first) = try await socket.message(as: hubProtocol) else {
      throw TestConnection.Unexpected(what: "no Sequence")
    }
    received = min(received, first - 1)
    return first
  }

  func send(_ message: HubMessage) async throws {
    try await socket.send(message, as: hubProtocol)
  }

  /// The next numbered message, and acknowledgements before it left out.
  func numbered() async throws -> HubMessage {
    while true {
      for message in try hubProtocol.messages(in: await socket.frame().payload) where message.isNumbered {
        received += 1
        return message
      }
    }
  }

  func expect(_ counts: ClosedRange<Int>) async throws {
    for count in counts {
      let expected = HubMessage.invocation(
        id: nil,
        target: "UnreadCountChanged",
        arguments: [.integer(Int64(count))]
      )
      #expect(try await numbered() == expected)
    }
  }
}
