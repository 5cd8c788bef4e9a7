public import Foundation

extension String: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .text }
  public static var postgresArrayType: PostgresType { .textArray }
  public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
  public init(from cell: PostgresCell) throws(PostgresError) { self = try cell.text() }
}

extension UUID: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .uuid }
  public static var postgresArrayType: PostgresType { .uuidArray }

  public func encode(into bytes: inout [UInt8]) {
    Swift.withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
  }

  public init(from cell: PostgresCell) throws(PostgresError) {
    let bytes = try cell.bytes(of: .uuid)
    guard bytes.count == 16 else { throw PostgresError(.decoding, "a UUID of \(bytes.count) bytes") }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

/// `timestamptz`: microseconds since 2000-01-01 UTC. `infinity` becomes the distant future and past.
extension Date: PostgresArrayElement, PostgresDecodable {
  public static var postgresType: PostgresType { .timestamptz }
  public static var postgresArrayType: PostgresType { .timestamptzArray }

  /// 2000-01-01 in seconds since 2001-01-01, Foundation's reference date (2000 was a leap year).
  private static let epoch: TimeInterval = -366 * 86_400

  public func encode(into bytes: inout [UInt8]) {
    let microseconds = ((timeIntervalSinceReferenceDate - Self.epoch) * 1_000_000).rounded()
    let value: Int64 =
      switch self {
      case .distantFuture...: .max
      case ...Date.distantPast: .min
      default: Int64(exactly: microseconds) ?? .max  // not a number
      }
    bytes.appendBigEndian(value)
  }

  public init(from cell: PostgresCell) throws(PostgresError) {
    let bytes = try cell.bytes(of: .timestamptz)
    guard bytes.count == 8 else { throw PostgresError(.decoding, "a timestamp of \(bytes.count) bytes") }
    switch Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)) {
    case .max: self = .distantFuture
    case .min: self = .distantPast
    case let value: self.init(timeIntervalSinceReferenceDate: Double(value) / 1_000_000 + Self.epoch)
    }
  }
}
