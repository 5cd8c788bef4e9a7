/// What there is to do about the message at one position of a batch.
struct BatchEntry<Value> {
  /// Among the batch's deliveries.
  let index: Int
  let value: Value
}

extension BatchEntry: Sendable where Value: Sendable {}
