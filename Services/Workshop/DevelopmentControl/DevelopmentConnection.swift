public import NIOCore

/// One connection of the socket, as messages.
public struct DevelopmentConnection: Sendable {
  public typealias Messages = AsyncThrowingMapSequence<NIOAsyncChannelInboundStream<ByteBuffer>, DevelopmentMessage>

  /// What the other side says, to the end of the connection: for one loop.
  public let messages: Messages
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

  public func send(_ message: DevelopmentMessage) async throws {
    try await outbound.write(ByteBuffer(bytes: message.line))
  }

  typealias Channel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// To be called on the channel's event loop.
  static func wrap(_ channel: any NIOCore.Channel) throws -> Channel {
    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(LineDecoder()))
    return try Channel(wrappingChannelSynchronously: channel)
  }

  /// Wraps an accepted channel, which does not read by itself yet, and runs the body with its connection.
  static func serving(
    _ channel: any NIOCore.Channel,
    _ body: (DevelopmentConnection) async throws -> Void
  ) async throws {
    let wrapped: Channel
    do {
      wrapped = try await channel.eventLoop.submit { try wrap(channel) }.get()
    } catch {
      try? await channel.close()
      throw error
    }
    try await using(wrapped) { connection in
      try await channel.setOption(.autoRead, value: true).get()
      try await body(connection)
    }
  }

  /// Runs the body with a channel's connection, which is closed afterwards.
  static func using<Result: Sendable>(
    _ channel: Channel,
    _ body: (DevelopmentConnection) async throws -> Result
  ) async throws -> Result {
    try await channel.executeThenClose { inbound, outbound in
      let messages = inbound.map { try DevelopmentMessage(line: Array(buffer: $0)) }
      return try await body(DevelopmentConnection(messages: messages, outbound: outbound))
    }
  }
}
