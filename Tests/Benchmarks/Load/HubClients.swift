import Foundation
import Glibc
import LocalStack
import Synchronization

/// Apps connected to the hub over WebSocket: one thread reads for all and notes when each notification arrives.
final class HubClients: Sendable {
  private struct State {
    var arrivals: [String: Int64] = [:]
    var lost = 0
    var isClosing = false
  }

  private let state = Mutex(State())
  private let sockets: [Int32]

  private init(_ sockets: [Int32]) {
    self.sockets = sockets
  }

  /// Connects one client for each token, and reads until ``close()``.
  static func connect(port: Int, tokens: [String]) async throws -> HubClients {
    let sockets = try await Threads.run { _ in try tokens.map { try HubHandshake.open(port: port, token: $0) } }
    let clients = HubClients(sockets.flatMap(\.self))
    let thread = Thread { clients.read() }
    thread.name = "bench.hub"
    thread.start()
    return clients
  }

  /// Notifications received so far.
  var count: Int { state.withLock { $0.arrivals.count } }
  /// Connections that the hub has closed.
  var lost: Int { state.withLock { $0.lost } }

  /// When each notification arrived, by its id; forgets them.
  func takeArrivals() -> [String: Int64] {
    state.withLock { state in
      defer { state.arrivals = [:] }
      return state.arrivals
    }
  }

  /// Ends the connections; the reading thread then ends too.
  func close() {
    state.withLock { $0.isClosing = true }
    for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  // MARK: The thread

  private func read() {
    var waiting = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var frames = [FrameBuffer](repeating: FrameBuffer(), count: sockets.count)
    var open = sockets.count
    var pinged = WallTime.now
    while open > 0 {
      poll(&waiting, nfds_t(waiting.count), 1_000)
      for index in waiting.indices where waiting[index].revents != 0 {
        if receive(waiting[index].fd, &frames[index]) { continue }
        Glibc.close(waiting[index].fd)
        // poll(2) passes over negative numbers.
        waiting[index].fd = -1
        open -= 1
        state.withLock { if !$0.isClosing { $0.lost += 1 } }
      }
      // The hub closes clients that are silent for half a minute.
      if WallTime.now - pinged > 10_000_000_000 {
        pinged = WallTime.now
        for client in waiting where client.fd >= 0 { _ = LoopbackSocket.send(HubHandshake.ping, on: client.fd) }
      }
    }
  }

  /// - Returns: False at the end of the connection.
  private func receive(_ socket: Int32, _ frames: inout FrameBuffer) -> Bool {
    guard frames.fill(from: socket) else { return false }
    let now = WallTime.now
    let ids = frames.takeNotificationIDs()
    if !ids.isEmpty { state.withLock { state in for id in ids { state.arrivals[id] = now } } }
    return true
  }
}
