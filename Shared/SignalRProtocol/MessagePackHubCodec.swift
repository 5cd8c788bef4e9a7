/// The MessagePack hub protocol: one array for each message.
///
/// Source: HubProtocol.md of ASP.NET Core, "MessagePack (MsgPack) encoding". Headers are skipped unread, whatever they
/// hold.
enum MessagePackHubCodec {
  private static let ping: [UInt8] = [0x91, 0x06]

  /// The kinds of completion as they travel.
  private enum ResultKind: Int64 {
    case error = 1
    case void = 2
    case value = 3
  }

  // MARK: Encoding

  static func encode(_ message: HubMessage) -> [UInt8] {
    if case .ping = message { return ping }
    var writer = MessagePackWriter()
    switch message {
    case .invocation(let id, let target, let arguments, let streamIDs):
      write(id: id, target, arguments, streamIDs, of: message.type, to: &writer)
    case .streamInvocation(let id, let target, let arguments, let streamIDs):
      write(id: id, target, arguments, streamIDs, of: message.type, to: &writer)
    case .streamItem(let id, let item):
      begin(message.type, count: 4, id: id, to: &writer)
      writer.value(item)
    case .completion(let id, .void):
      begin(message.type, count: 4, id: id, to: &writer)
      writer.integer(ResultKind.void.rawValue)
    case .completion(let id, .value(let value)):
      begin(message.type, count: 5, id: id, to: &writer)
      writer.integer(ResultKind.value.rawValue)
      writer.value(value)
    case .completion(let id, .error(let error)):
      begin(message.type, count: 5, id: id, to: &writer)
      writer.integer(ResultKind.error.rawValue)
      writer.string(error)
    case .cancelInvocation(let id):
      begin(message.type, count: 3, id: id, to: &writer)
    case .ping:
      break
    case .close(let error, let allowReconnect):
      writer.arrayHeader(3)
      writer.integer(message.type.rawValue)
      if let error { writer.string(error) } else { writer.null() }
      writer.bool(allowReconnect)
    case .ack(let sequenceID), .sequence(let sequenceID):
      writer.arrayHeader(2)
      writer.integer(message.type.rawValue)
      writer.integer(sequenceID)
    }
    return writer.bytes
  }

  private static func begin(_ type: HubMessageType, count: Int, id: String?, to writer: inout MessagePackWriter) {
    writer.arrayHeader(count)
    writer.integer(type.rawValue)
    writer.mapHeader(0)
    if let id { writer.string(id) } else { writer.null() }
  }

  private static func write(
    id: String?,
    _ target: String,
    _ arguments: [HubValue],
    _ streamIDs: [String],
    of type: HubMessageType,
    to writer: inout MessagePackWriter
  ) {
    begin(type, count: 6, id: id, to: &writer)
    writer.string(target)
    writer.arrayHeader(arguments.count)
    for argument in arguments { writer.value(argument) }
    writer.arrayHeader(streamIDs.count)
    for id in streamIDs { writer.string(id) }
  }

  // MARK: Decoding

  static func decode(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> HubMessage? {
    // What idle clients send all the time.
    if record.elementsEqual(ping) { return .ping }
    var reader = MessagePackReader(record)
    guard let count = try reader.arrayHeader(), count > 0, let number = try reader.value().integerValue else {
      throw .malformedMessage(member: "type")
    }
    let message: HubMessage?
    if let type = HubMessageType(rawValue: number) {
      message = try read(type, count: count, from: &reader)
    } else {
      message = nil
    }
    // What newer versions may have appended. A client that writes wrong lengths is found out here at the latest.
    try reader.finish()
    return message
  }

  private static func read(
    _ type: HubMessageType,
    count: Int,
    from reader: inout MessagePackReader
  ) throws(HubProtocolError) -> HubMessage {
    switch type {
    case .invocation:
      try require(5, of: count, last: "arguments")
      return .invocation(
        id: try optionalID(&reader),
        target: try string("target", &reader),
        arguments: try arguments(&reader),
        streamIDs: count > 5 ? try streamIDs(&reader) : []
      )
    case .streamInvocation:
      try require(5, of: count, last: "arguments")
      return .streamInvocation(
        id: try id(&reader),
        target: try string("target", &reader),
        arguments: try arguments(&reader),
        streamIDs: count > 5 ? try streamIDs(&reader) : []
      )
    case .streamItem:
      try require(4, of: count, last: "item")
      return .streamItem(id: try id(&reader), item: try reader.value())
    case .completion:
      try require(4, of: count, last: "resultKind")
      return .completion(id: try id(&reader), try result(count: count, &reader))
    case .cancelInvocation:
      try require(3, of: count, last: "invocationId")
      return .cancelInvocation(id: try id(&reader))
    case .ping:
      return .ping
    case .close:
      let error = count > 1 ? try reader.value().stringValue : nil
      return .close(error: error, allowReconnect: count > 2 ? try reader.value().boolValue ?? false : false)
    case .ack:
      try require(2, of: count, last: "sequenceId")
      return .ack(sequenceID: try sequenceID(&reader))
    case .sequence:
      try require(2, of: count, last: "sequenceId")
      return .sequence(sequenceID: try sequenceID(&reader))
    }
  }

  private static func require(_ minimum: Int, of count: Int, last member: String) throws(HubProtocolError) {
    guard count >= minimum else { throw .malformedMessage(member: member) }
  }

  /// Reads the headers and the id; an empty id is none.
  private static func optionalID(_ reader: inout MessagePackReader) throws(HubProtocolError) -> String? {
    try reader.skip()
    switch try reader.value() {
    case .null, .string(""): return nil
    case .string(let id): return id
    case .bool, .integer, .double, .data, .array, .object: throw .malformedMessage(member: "invocationId")
    }
  }

  private static func id(_ reader: inout MessagePackReader) throws(HubProtocolError) -> String {
    guard let id = try optionalID(&reader) else { throw .malformedMessage(member: "invocationId") }
    return id
  }

  private static func string(_ member: String, _ reader: inout MessagePackReader) throws(HubProtocolError) -> String {
    guard let string = try reader.value().stringValue else { throw .malformedMessage(member: member) }
    return string
  }

  private static func arguments(_ reader: inout MessagePackReader) throws(HubProtocolError) -> [HubValue] {
    switch try reader.value() {
    case .array(let values): return values
    case .null: return []
    case .bool, .integer, .double, .string, .data, .object: throw .malformedMessage(member: "arguments")
    }
  }

  private static func streamIDs(_ reader: inout MessagePackReader) throws(HubProtocolError) -> [String] {
    let value = try reader.value()
    if value == .null { return [] }
    guard let values = value.arrayValue else { throw .malformedMessage(member: "streamIds") }
    let ids = values.compactMap(\.stringValue)
    guard ids.count == values.count else { throw .malformedMessage(member: "streamIds") }
    return ids
  }

  private static func sequenceID(_ reader: inout MessagePackReader) throws(HubProtocolError) -> Int64 {
    guard let id = try reader.value().integerValue else { throw .malformedMessage(member: "sequenceId") }
    return id
  }

  private static func result(count: Int, _ reader: inout MessagePackReader) throws(HubProtocolError) -> HubResult {
    guard let kind = try reader.value().integerValue.flatMap(ResultKind.init) else {
      throw .malformedMessage(member: "resultKind")
    }
    switch kind {
    case .void:
      return .void
    case .error:
      try require(5, of: count, last: "error")
      return .error(try string("error", &reader))
    case .value:
      try require(5, of: count, last: "result")
      return .value(try reader.value())
    }
  }
}
