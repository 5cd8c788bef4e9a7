import Foundation

/// JSON as the gateway reads and writes it.
enum SenderJSON {
  /// The same value gives the same bytes, in every process: an `Idempotency-Key` stands for the bytes of a body.
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(text(date))
    }
    return try encoder.encode(value)
  }

  /// - Throws: `DecodingError`.
  static func decode<Value: Decodable>(_ type: Value.Type, _ response: TransportResponse) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = date(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time of RFC 3339")
      }
      return date
    }
    return try decoder.decode(type, from: response.body)
  }

  /// RFC 3339 in UTC with milliseconds.
  static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// With or without a fraction.
  static func date(_ text: String) -> Date? {
    let whole = try? Date(text, strategy: Date.ISO8601FormatStyle())
    return (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))) ?? whole
  }
}

/// A body that is being built: only a ``CheckedRequest`` becomes one.
indirect enum JSONNode: Encodable, Sendable {
  case text(String)
  case integer(Int64)
  case decimal(Decimal)
  case boolean(Bool)
  case list([JSONNode])
  case object([String: JSONNode])
  case value(any Encodable & Sendable)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text): try text.encode(to: encoder)
    case .integer(let integer): try integer.encode(to: encoder)
    case .decimal(let decimal): try Self.encode(decimal, to: encoder)
    case .boolean(let boolean): try boolean.encode(to: encoder)
    case .list(let nodes): try nodes.encode(to: encoder)
    case .object(let members): try members.encode(to: encoder)
    case .value(let value): try Self.encode(value, to: encoder)
    }
  }

  /// By a container, which knows dates and decimals; `encode(to:)` of those does not.
  private static func encode(_ value: any Encodable, to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
