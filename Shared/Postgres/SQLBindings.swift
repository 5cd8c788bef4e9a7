/// The parameters of a statement, encoded one after the other into one buffer.
struct SQLBindings: Sendable {
  /// What a statement can have at most: the protocol counts them in 16 bits.
  static let maximumCount = 65_535

  private(set) var types: [UInt32] = []
  /// Length of each value; -1 is NULL.
  private(set) var lengths: [Int32] = []
  private(set) var bytes: [UInt8] = []

  var count: Int { types.count }

  mutating func reserve(_ count: Int) {
    types.reserveCapacity(count)
    lengths.reserveCapacity(count)
    bytes.reserveCapacity(count * 16)
  }

  mutating func append<T: PostgresEncodable>(_ value: T) {
    types.append(T.postgresType.rawValue)
    guard !value.isPostgresNull else { return lengths.append(-1) }
    let start = bytes.count
    value.encode(into: &bytes)
    lengths.append(Int32(clamping: bytes.count - start))
  }
}
