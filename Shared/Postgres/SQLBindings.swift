/// The parameters of a statement, encoded one after the other into one buffer.
@usableFromInline struct SQLBindings: Sendable {
  /// What a statement can have at most: the protocol counts them in 16 bits.
  static let maximumCount = 65_535

  @usableFromInline var types: [UInt32] = []
  /// Length of each value; -1 is NULL.
  @usableFromInline var lengths: [Int32] = []
  @usableFromInline var bytes: [UInt8] = []

  @inlinable var count: Int { types.count }

  mutating func reserve(_ count: Int) {
    types.reserveCapacity(count)
    lengths.reserveCapacity(count)
    bytes.reserveCapacity(count * 16)
  }

  @inlinable mutating func append<T: PostgresEncodable>(_ value: T) {
    types.append(T.postgresType.rawValue)
    guard !value.isPostgresNull else { return lengths.append(-1) }
    let start = bytes.count
    value.encode(into: &bytes)
    lengths.append(Int32(clamping: bytes.count - start))
  }
}
