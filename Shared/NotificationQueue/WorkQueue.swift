public import NotificationModel

/// The durable queue from which the dispatchers of a channel, of one push provider, or of one stream of mails, work.
public struct WorkQueue: Sendable, Hashable, CaseIterable {
  public let channel: Channel
  /// The push provider whose targets are in it; nil of a channel that does not go by providers.
  public let carrier: DevicePlatform.Carrier?
  /// The stream whose mails are in it; nil of a channel that has none.
  public let stream: MailStream?
  /// Name of the queue, and its routing key on `belfry.dispatch`.
  public let name: String

  /// FCM's is the channel's own, as when there was no other: what waits and what is dead-lettered in it stays where it is.
  public init(_ carrier: DevicePlatform.Carrier) {
    channel = .push
    self.carrier = carrier
    stream = nil
    let channelsOwn = "\(Self.prefix)\(channel.name)"
    name = carrier == .fcm ? channelsOwn : "\(channelsOwn).\(carrier.rawValue.lowercased())"
  }

  /// The transactional stream's is the channel's own, as when there was no other.
  private init(_ channel: Channel, named name: String, stream: MailStream? = nil) {
    self.channel = channel
    self.stream = stream
    carrier = nil
    let channelsOwn = "\(Self.prefix)\(name)"
    self.name = stream.flatMap { $0 == .transactional ? nil : "\(channelsOwn).\($0.rawValue)" } ?? channelsOwn
  }

  /// That of a stream of mails.
  public init(_ stream: MailStream) {
    self.init(.email, named: Channel.email.name, stream: stream)
  }

  private static let prefix = "belfry."

  /// The name as operators see it, e.g. `push`.
  public var label: String { String(name.dropFirst(Self.prefix.count)) }

  public static let push = WorkQueue(.fcm)
  public static let email = WorkQueue(.transactional)
  public static let emailBulk = WorkQueue(.bulk)

  /// Those of a channel that has any: if it goes by providers or in streams, one for each.
  public static func queues(of routing: some RoutingChannel) -> [WorkQueue] {
    if let providers = routing.providers { return providers.carriers.map { WorkQueue($0) } }
    guard !routing.streams.isEmpty else { return [WorkQueue(routing.channel, named: routing.name)] }
    return routing.streams.map { WorkQueue(routing.channel, named: routing.name, stream: $0) }
  }

  /// Those of all channels, providers and streams, whichever of them a deployment has: who starts first declares the same as everybody,
  /// and what waits for a provider that a deployment gave up can still be seen (docs/decisions/0098).
  public static let allCases = Channel.routing(pushingBy: PushProviders(DevicePlatform.Carrier.allCases))
    .filter(\.hasQueue).flatMap { queues(of: $0) }
}
