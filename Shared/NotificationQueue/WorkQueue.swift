public import NotificationModel

/// The durable queue from which the dispatchers of a channel, or of one push provider, work.
public struct WorkQueue: Sendable, Hashable, CaseIterable {
  public let channel: Channel
  /// The push provider whose targets are in it; nil of a channel that does not go by providers.
  public let carrier: DevicePlatform.Carrier?
  /// Name of the queue, and its routing key on `belfry.dispatch`.
  public let name: String

  /// FCM's is the channel's own, as when there was no other: what waits and what is dead-lettered in it stays where it is.
  public init(_ carrier: DevicePlatform.Carrier) {
    channel = .push
    self.carrier = carrier
    let channelsOwn = "\(Self.prefix)\(channel.name)"
    name = carrier == .fcm ? channelsOwn : "\(channelsOwn).\(carrier.rawValue.lowercased())"
  }

  private init(_ channel: Channel, named name: String) {
    self.channel = channel
    carrier = nil
    self.name = "\(Self.prefix)\(name)"
  }

  private static let prefix = "belfry."

  /// The name as operators see it, e.g. `push`.
  public var label: String { String(name.dropFirst(Self.prefix.count)) }

  public static let push = WorkQueue(.fcm)
  public static let email = WorkQueue(.email, named: Channel.email.name)

  /// Those of a channel that has any: if it goes by providers, one for each.
  public static func queues(of routing: some RoutingChannel) -> [WorkQueue] {
    routing.providers?.carriers.map { WorkQueue($0) } ?? [WorkQueue(routing.channel, named: routing.name)]
  }

  /// Those of all channels and providers, whichever of them a deployment has: who starts first declares the same as everybody, and
  /// what waits for a provider that a deployment gave up can still be seen (docs/decisions/0098).
  public static let allCases = Channel.routing(pushingBy: PushProviders(DevicePlatform.Carrier.allCases))
    .filter(\.hasQueue).flatMap { queues(of: $0) }
}
