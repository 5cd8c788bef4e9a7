/// What the broker said, copied out of the library's memory.
enum LinkEvent {
  /// The broker has stored a publish, or with `multiple` all up to and including it.
  case confirmed(tag: UInt64, multiple: Bool)
  case refused(tag: UInt64, multiple: Bool)
  /// A mandatory message reached no queue; its confirm follows.
  case returned(sequence: UInt64, reason: String)
  case delivered(BrokerDelivery)
  /// The answer to `get` when the queue has nothing ready.
  case queueIsEmpty
  case blocked(reason: String)
  case unblocked
  /// The broker ended the consumer, e.g. because its queue was deleted.
  case consumerCancelled
  /// The broker closed the channel or the connection; nothing more will come.
  case closed(BrokerError)
}
