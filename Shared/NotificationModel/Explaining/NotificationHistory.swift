public import Foundation

/// What was decided of one notification, and what came of it, as it is stored.
public struct NotificationHistory: Sendable {
  /// The outcome of one target of one channel.
  public struct Delivery: Sendable, Equatable {
    public var channel: Channel
    /// Id of the device, or mail address.
    public var target: String
    /// ``DeliveryOutcome``, those of other versions included.
    public var outcome: Int16
    /// The provider's code or our own reason; nil for a plain success.
    public var reason: String?
    /// The provider's id of the message.
    public var providerID: String?
    public var attempts: Int
    public var finishedAt: Date

    public init(
      channel: Channel,
      target: String,
      outcome: Int16,
      reason: String?,
      providerID: String?,
      attempts: Int,
      finishedAt: Date
    ) {
      self.channel = channel
      self.target = target
      self.outcome = outcome
      self.reason = reason
      self.providerID = providerID
      self.attempts = attempts
      self.finishedAt = finishedAt
    }
  }

  public var id: NotificationID
  public var requestID: RequestID
  /// Code of the type.
  public var type: Int
  public var plan: RoutingPlan
  public var createdAt: Date
  public var expiresAt: Date
  public var readAt: Date?
  /// By channel and target.
  public var deliveries: [Delivery]

  public init(
    id: NotificationID,
    requestID: RequestID,
    type: Int,
    plan: RoutingPlan,
    createdAt: Date,
    expiresAt: Date,
    readAt: Date?,
    deliveries: [Delivery] = []
  ) {
    self.id = id
    self.requestID = requestID
    self.type = type
    self.plan = plan
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.readAt = readAt
    self.deliveries = deliveries
  }

  public func deliveries(on channel: Channel) -> [Delivery] { deliveries.filter { $0.channel == channel } }
}
