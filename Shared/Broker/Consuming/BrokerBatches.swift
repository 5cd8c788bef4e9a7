/// Deliveries in the order they arrive, in batches: all that is there, never none, at most the consumer's maximum.
///
/// No delay is added to fill a batch. One iterator at a time. The sequence ends after `stop` and when the task is
/// cancelled; a lost connection is mended meanwhile, and what was delivered but not acknowledged comes again.
public struct BrokerBatches: AsyncSequence, Sendable {
  public typealias Element = [BrokerDelivery]
  public typealias Failure = Never

  let core: ConsumerCore

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(core: core) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let core: ConsumerCore

    public mutating func next() async -> [BrokerDelivery]? { await core.next() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> [BrokerDelivery]? { await core.next() }
  }
}
