public import Foundation

/// A value in a message's headers or a queue's arguments.
///
/// Every kind of RabbitMQ's field table has a place here; on the way out integers are 64 bits wide, on the way in all
/// widths become `integer`, both floats `double`, and a long string that isn't UTF-8 becomes `bytes`.
/// https://www.rabbitmq.com/amqp-0-9-1-errata#section_3
public enum BrokerValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case boolean(Bool)
  case double(Double)
  /// Whole seconds: the protocol carries no fraction.
  case timestamp(Date)
  case bytes([UInt8])
  case table([String: BrokerValue])
  case array([BrokerValue])
  case null
}

extension BrokerValue {
  /// The text of a `string`, else nil.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number of an `integer`, else nil.
  public var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The elements of an `array`, else nil.
  public var arrayValue: [BrokerValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The entries of a `table`, else nil.
  public var tableValue: [String: BrokerValue]? {
    if case .table(let value) = self { value } else { nil }
  }
}

extension BrokerValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension BrokerValue: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension BrokerValue: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension BrokerValue: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension BrokerValue: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, BrokerValue)...) {
    self = .table(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension BrokerValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: BrokerValue...) { self = .array(elements) }
}
