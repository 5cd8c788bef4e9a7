/// The actor that works with a connection while there is one.
protocol LinkOwner: Actor {
  /// Takes over a fresh connection.
  func attach(_ link: sending AMQPLink)

  /// Waits until the connection is lost, and says why; nil once the owner is closed for good.
  func untilDetached() async -> BrokerError?
}
