public import NotificationModel

/// A part of a large group's send, put back on `belfry.ingest` so that the parts spread over routers and survive a crash.
public struct GroupChunk: Sendable {
  /// AMQP `type` of these messages.
  public static let messageType = "belfry.chunk"

  public var v = QueueCoder.version
  public var requestId: RequestID
  public var content: NotificationContent
  public var channels: Set<Channel>?
  public var users: [UserID]

  public init(requestId: RequestID, content: NotificationContent, channels: Set<Channel>?, users: [UserID]) {
    self.requestId = requestId
    self.content = content
    self.channels = channels
    self.users = users
  }
}
