public import NotificationModel
public import NotificationQueue

/// A delivery on its way to one of its targets, with what it says. A class, for it goes through many hands and has some twenty texts.
public final class TargetedDelivery: Sendable {
  public let delivery: DispatchMessage.Delivery
  public let target: DispatchMessage.Target
  public let content: NotificationContent

  public init(delivery: DispatchMessage.Delivery, target: DispatchMessage.Target, content: NotificationContent) {
    self.delivery = delivery
    self.target = target
    self.content = content
  }
}

extension DispatchMessage {
  /// The deliveries of a consistent message to each of their targets, in order, each made when it is asked for.
  public var targetedDeliveries: some Sequence<TargetedDelivery> {
    deliveries.lazy.flatMap { delivery in
      delivery.targets.lazy.map {
        TargetedDelivery(delivery: delivery, target: $0, content: contents[delivery.content])
      }
    }
  }
}
