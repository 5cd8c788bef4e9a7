public import NotificationModel

/// The durable queue from which the dispatchers of a channel work.
public struct WorkQueue: Sendable, Hashable, CaseIterable {
  public let channel: Channel
  /// Name of the queue, and its routing key on `belfry.dispatch`.
  public let name: String

  public init(_ routing: some RoutingChannel) {
    channel = routing.channel
    name = "belfry.\(routing.name)"
  }

  private init(_ channel: Channel) {
    self.channel = channel
    name = "belfry.\(channel.name)"
  }

  public static let push = WorkQueue(.push)
  public static let email = WorkQueue(.email)

  /// Those of this version's channels.
  public static let allCases = Channel.routing.filter(\.hasQueue).map { WorkQueue($0.channel) }
}
