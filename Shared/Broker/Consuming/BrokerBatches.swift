/// Deliveries in the order they arrive, in batches: all that is there, never none, at most the consumer's maximum.
///
/// No delay is added to fill a batch. One iterator at a time. The sequence ends after `stop` and when the task is
/// cancelled; a lost connection is mended meanwhile, and what was delivered but not acknowledged comes again.
public struct BrokerBatches: AsyncSequence, Sendable {
  public typealias Element = [BrokerDelivery]
  public typealias Failure = Never

  private let take: @Sendable () async -> [BrokerDelivery]?

  /// - Parameter take: Answers the next batch; nil ends the sequence.
  package init(_ take: @escaping @Sendable () async -> [BrokerDelivery]?) {
    self.take = take
  }

  init(core: ConsumerCore) {
    self.init { await core.next() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(take: take) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let take: @Sendable () async -> [BrokerDelivery]?

    public mutating func next() async -> [BrokerDelivery]? { await take() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> [BrokerDelivery]? { await take() }
  }
}
