/// A message in flight: its method frame came, its header and body frames follow.
struct ContentAssembly {
  enum Purpose {
    case delivery(tag: UInt64, redelivered: Bool, exchange: String, routingKey: String)
    case returned(reason: String)
  }

  let purpose: Purpose
  var message = BrokerMessage(body: [])
  var sequence: UInt64 = 0
  var missing: UInt64 = 0

  init(_ purpose: Purpose) { self.purpose = purpose }

  /// The event once the last byte is here.
  func event(generation: UInt64) -> LinkEvent {
    switch purpose {
    case .returned(let reason):
      return .returned(sequence: sequence, reason: reason)
    case .delivery(let tag, let redelivered, let exchange, let routingKey):
      // A sender may have set it, where the broker has not.
      let count = Int32(clamping: message.headers["x-delivery-count"]?.integerValue ?? 0)
      return .delivered(
        BrokerDelivery(
          message: message,
          exchange: exchange,
          routingKey: routingKey,
          redelivered: redelivered,
          deliveryCount: Int(max(0, count)),
          tag: tag,
          generation: generation
        )
      )
    }
  }
}
