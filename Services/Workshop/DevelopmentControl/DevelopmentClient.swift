import NIOCore
import NIOPosix

/// Asks `belfry-dev run` over its socket.
public struct DevelopmentClient: Sendable {
  private let path: String
  private let patience: TimeAmount

  /// - Parameters:
  ///   - path: Of the socket.
  ///   - patience: Within which a question is answered.
  public init(path: String, patience: Duration = .seconds(60)) {
    self.path = path
    self.patience = TimeAmount(patience)
  }

  /// Asks one question.
  public func ask(_ question: DevelopmentQuestion) async throws -> DevelopmentAnswer {
    let channel = try await connect()
    let limit = channel.channel.eventLoop.scheduleTask(in: patience) { channel.channel.close(promise: nil) }
    defer { limit.cancel() }
    return try await DevelopmentConnection.using(channel) { connection in
      try await connection.send(.ask(question))
      for try await case .answer(let answer) in connection.messages { return answer }
      throw DevelopmentSocketError.noAnswer
    }
  }

  /// Runs the body with a connection on which events come and sightings go.
  public func watch(_ body: @Sendable (DevelopmentConnection) async throws -> Void) async throws {
    try await DevelopmentConnection.using(try await connect()) { connection in
      try await connection.send(.watch)
      try await body(connection)
    }
  }

  private func connect() async throws -> DevelopmentConnection.Channel {
    guard path.utf8.count <= 107 else { throw DevelopmentSocketError.pathTooLong(path) }
    return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(unixDomainSocketPath: path) { channel in
        channel.eventLoop.makeCompletedFuture { try DevelopmentConnection.wrap(channel) }
      }
  }
}
