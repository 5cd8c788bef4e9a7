import CRabbitMQ
import Foundation

/// A private header that tells which publish a returned message belongs to: `basic.return` carries no delivery tag.
/// Taken out again on delivery. Headers exchanges ignore names that begin with `x-`.
let sequenceHeader = "x-publish-sequence"

extension BrokerMessage {
  /// The properties for the library; the strings live in `arena`.
  func properties(in arena: CallArena, sequence: UInt64?) -> amqp_basic_properties_t {
    var properties = amqp_basic_properties_t()
    var flags = AMQP_BASIC_DELIVERY_MODE_FLAG
    properties.delivery_mode = isPersistent ? 2 : 1
    func set(_ text: String?, _ flag: Int32, _ field: WritableKeyPath<amqp_basic_properties_t, amqp_bytes_t>) {
      guard let text else { return }
      properties[keyPath: field] = arena.bytes(text)
      flags |= flag
    }
    set(messageID, AMQP_BASIC_MESSAGE_ID_FLAG, \.message_id)
    set(contentType, AMQP_BASIC_CONTENT_TYPE_FLAG, \.content_type)
    set(type, AMQP_BASIC_TYPE_FLAG, \.type)
    set(appID, AMQP_BASIC_APP_ID_FLAG, \.app_id)
    set(correlationID, AMQP_BASIC_CORRELATION_ID_FLAG, \.correlation_id)
    set(expiration.map { String(max(0, $0.milliseconds)) }, AMQP_BASIC_EXPIRATION_FLAG, \.expiration)
    if let timestamp {
      properties.timestamp = timestamp.wholeSeconds
      flags |= AMQP_BASIC_TIMESTAMP_FLAG
    }
    if sequence != nil || !headers.isEmpty {
      let mark = sequence.map { (key: sequenceHeader, value: BrokerValue.integer(Int64(bitPattern: $0))) }
      properties.headers = arena.table(headers, and: mark)
      flags |= AMQP_BASIC_HEADERS_FLAG
    }
    properties._flags = amqp_flags_t(flags)
    return properties
  }

  /// Copies the properties out of the library's memory; the body is filled in later.
  init(_ properties: amqp_basic_properties_t) {
    func has(_ flag: Int32) -> Bool { properties._flags & amqp_flags_t(flag) != 0 }
    func text(_ flag: Int32, _ bytes: amqp_bytes_t) -> String? { has(flag) ? bytes.text : nil }
    self.init(
      body: [],
      messageID: text(AMQP_BASIC_MESSAGE_ID_FLAG, properties.message_id),
      contentType: text(AMQP_BASIC_CONTENT_TYPE_FLAG, properties.content_type),
      type: text(AMQP_BASIC_TYPE_FLAG, properties.type),
      appID: text(AMQP_BASIC_APP_ID_FLAG, properties.app_id),
      correlationID: text(AMQP_BASIC_CORRELATION_ID_FLAG, properties.correlation_id),
      timestamp: has(AMQP_BASIC_TIMESTAMP_FLAG)
        ? Date(timeIntervalSince1970: Double(properties.timestamp)) : nil,
      isPersistent: has(AMQP_BASIC_DELIVERY_MODE_FLAG) && properties.delivery_mode == 2,
      expiration: text(AMQP_BASIC_EXPIRATION_FLAG, properties.expiration).flatMap { Int64($0) }
        .map { .milliseconds($0) },
      headers: has(AMQP_BASIC_HEADERS_FLAG) ? properties.headers.values() : [:]
    )
  }

  /// Refuses what the library would only notice with half a message on the wire.
  func validate(exchange: String, routingKey: String, maximumMessage: Int, maximumFrame: Int) throws(BrokerError) {
    guard body.count <= maximumMessage else {
      throw BrokerError(
        .messageTooLarge,
        "The message has \(body.count) bytes; at most \(maximumMessage) are allowed."
      )
    }
    func check(_ text: String?, _ name: StaticString) throws(BrokerError) {
      guard let text, text.utf8.count > 255 else { return }
      throw BrokerError(.invalidMessage, "The message's \(name) is longer than 255 bytes.")
    }
    try check(exchange, "exchange")
    try check(routingKey, "routing key")
    try check(messageID, "message id")
    try check(contentType, "content type")
    try check(type, "type")
    try check(appID, "app id")
    try check(correlationID, "correlation id")
    guard !headers.isEmpty else { return }
    guard headers[sequenceHeader] == nil else {
      throw BrokerError(.invalidMessage, "The header \(sequenceHeader) is the driver's own.")
    }
    guard BrokerValue.hasValidKeys(headers) else {
      throw BrokerError(.invalidMessage, "The name of a header is longer than 128 bytes.")
    }
    // Seven short strings of 256 bytes, the frame's and the header's fixed parts, and the sequence header.
    let available = maximumFrame - 2_048
    let size = BrokerValue.table(headers).encodedSize
    guard size <= available else {
      throw BrokerError(.messageTooLarge, "The headers take \(size) bytes; at most \(available) fit into a frame.")
    }
  }
}

extension BrokerValue {
  /// Bytes on the wire, type letter included.
  fileprivate var encodedSize: Int {
    switch self {
    case .string(let text): 5 + text.utf8.count
    case .bytes(let data): 5 + data.count
    case .integer, .double, .timestamp: 9
    case .boolean: 2
    case .null: 1
    case .table(let entries): entries.reduce(5) { $0 + 1 + $1.key.utf8.count + $1.value.encodedSize }
    case .array(let elements): elements.reduce(5) { $0 + $1.encodedSize }
    }
  }

  fileprivate static func hasValidKeys(_ entries: [String: BrokerValue]) -> Bool {
    entries.allSatisfy { key, value in key.utf8.count <= 128 && value.hasValidKeys }
  }

  private var hasValidKeys: Bool {
    switch self {
    case .table(let entries): Self.hasValidKeys(entries)
    case .array(let elements): elements.allSatisfy(\.hasValidKeys)
    default: true
    }
  }
}
