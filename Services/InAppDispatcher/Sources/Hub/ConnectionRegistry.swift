import NIOCore
import NotificationModel

/// The connections of one event loop; used on that loop only, hence without a lock.
final class ConnectionRegistry {
  let loop: Int
  private let directory: ConnectionDirectory
  private var requests: [ObjectIdentifier: HTTPHandler] = [:]
  private var connections: [ObjectIdentifier: HubConnectionHandler] = [:]
  /// The connections that may receive events.
  private var users: [UserID: [HubConnectionHandler]] = [:]
  private var emptied: EventLoopPromise<Void>?

  init(loop: Int, directory: ConnectionDirectory) {
    self.loop = loop
    self.directory = directory
  }

  // MARK: Coming and going

  func add(_ request: HTTPHandler) { requests[ObjectIdentifier(request)] = request }

  func remove(_ request: HTTPHandler) {
    requests[ObjectIdentifier(request)] = nil
    announceIfEmpty()
  }

  func add(_ connection: HubConnectionHandler) { connections[ObjectIdentifier(connection)] = connection }

  func remove(_ connection: HubConnectionHandler) {
    connections[ObjectIdentifier(connection)] = nil
    announceIfEmpty()
  }

  /// From now on the connection receives its user's events.
  func subscribe(_ connection: HubConnectionHandler) {
    users[connection.user, default: []].append(connection)
    if users[connection.user]?.count == 1 { directory.attach(connection.user, loop: loop) }
  }

  func unsubscribe(_ connection: HubConnectionHandler) {
    guard var others = users.removeValue(forKey: connection.user) else { return }
    others.removeAll { $0 === connection }
    if others.isEmpty {
      directory.detach(connection.user, loop: loop)
    } else {
      users[connection.user] = others
    }
  }

  // MARK: Events

  /// Writes each frame to all connections of its user and flushes each connection once.
  ///
  /// - Returns: How many frames were written, counted once for each connection.
  func deliver(_ events: [UserFrame]) -> Int {
    var written = 0
    var touched: [HubConnectionHandler] = []
    for event in events {
      guard let connections = users[event.user] else { continue }
      for connection in connections where connection.write(event.frame) {
        written += 1
        if connection.markForFlush() { touched.append(connection) }
      }
    }
    for connection in touched { connection.flush() }
    return written
  }

  // MARK: Time

  /// Pings, timeouts and stalled requests; called about once a second.
  func tick(at now: NIODeadline, requestTimeout: TimeAmount) {
    for connection in connections.values { connection.tick(at: now) }
    for request in requests.values where now - request.waitingSince > requestTimeout { request.close() }
  }

  /// Says goodbye to every connection, in even portions over the period; completes when all are gone.
  func drain(over period: TimeAmount, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
    let promise = eventLoop.makePromise(of: Void.self)
    emptied = promise
    for request in requests.values { request.close() }
    let all = Array(connections.values)
    let portions = 20
    let isolated = eventLoop.assumeIsolated()
    for portion in 0..<portions {
      isolated.scheduleTask(in: .nanoseconds(period.nanoseconds / Int64(portions) * Int64(portion))) {
        for connection in all[(all.count * portion / portions)..<(all.count * (portion + 1) / portions)] {
          connection.drain()
        }
      }
    }
    announceIfEmpty()
    return promise.futureResult
  }

  /// Ends what is left without a word.
  func closeAll() {
    for request in requests.values { request.close() }
    for connection in connections.values { connection.abort() }
  }

  private func announceIfEmpty() {
    guard let emptied, connections.isEmpty, requests.isEmpty else { return }
    self.emptied = nil
    emptied.succeed()
  }
}

/// A frame for every connection of a user.
struct UserFrame: Sendable {
  let user: UserID
  let frame: ByteBuffer
}
