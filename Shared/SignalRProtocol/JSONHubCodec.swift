import BelfryJSON

/// The JSON hub protocol: one object for each message.
enum JSONHubCodec {
  private static let ping = Array(#"{"type":6}"#.utf8)

  /// Reads one record as a client sent it. JavaScript clients may cut an emoji in two; that ends no connection.
  static func parse(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONParser.parse(record, loneSurrogates: .replaced)
    } catch {
      throw .malformedJSON(offset: error.offset)
    }
  }

  // MARK: Encoding

  static func encode(_ message: HubMessage) -> [UInt8] {
    if case .ping = message { return ping }
    var writer = JSONWriter(capacity: 256)
    writer.object { writer in
      writer.field("type", Int(message.type.rawValue))
      write(message, to: &writer)
    }
    return writer.bytes
  }

  private static func write(_ message: HubMessage, to writer: inout JSONWriter) {
    switch message {
    case .invocation(let id, let target, let arguments, let streamIDs):
      write(id: id, target, arguments, streamIDs, to: &writer)
    case .streamInvocation(let id, let target, let arguments, let streamIDs):
      write(id: id, target, arguments, streamIDs, to: &writer)
    case .streamItem(let id, let item):
      writer.field("invocationId", id)
      writer.key("item")
      writer.value(item)
    case .completion(let id, let result):
      writer.field("invocationId", id)
      switch result {
      case .void: break
      case .value(let value):
        writer.key("result")
        writer.value(value)
      case .error(let error):
        writer.field("error", error)
      }
    case .cancelInvocation(let id):
      writer.field("invocationId", id)
    case .ping:
      break
    case .close(let error, let allowReconnect):
      writer.optionalField("error", error)
      if allowReconnect { writer.field("allowReconnect", true) }
    case .ack(let sequenceID), .sequence(let sequenceID):
      writer.field("sequenceId", Int(sequenceID))
    }
  }

  private static func write(
    id: String?,
    _ target: String,
    _ arguments: [HubValue],
    _ streamIDs: [String],
    to writer: inout JSONWriter
  ) {
    writer.optionalField("invocationId", id)
    writer.field("target", target)
    writer.array("arguments") { writer in for argument in arguments { writer.value(argument) } }
    guard !streamIDs.isEmpty else { return }
    writer.array("streamIds") { writer in for id in streamIDs { writer.string(id) } }
  }

  // MARK: Decoding

  static func decode(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> HubMessage? {
    // What idle clients send all the time.
    if record.elementsEqual(ping) { return .ping }
    let object = try parse(record)
    guard let type = object["type"]?.integer else { throw .malformedMessage(member: "type") }
    switch HubMessageType(rawValue: Int64(type)) {
    case .invocation:
      return .invocation(
        id: try optionalID(object),
        target: try target(object),
        arguments: try arguments(object),
        streamIDs: try streamIDs(object)
      )
    case .streamItem:
      return .streamItem(id: try id(object), item: object["item"].map(HubValue.init) ?? .null)
    case .completion:
      return .completion(id: try id(object), result(object))
    case .streamInvocation:
      return .streamInvocation(
        id: try id(object),
        target: try target(object),
        arguments: try arguments(object),
        streamIDs: try streamIDs(object)
      )
    case .cancelInvocation:
      return .cancelInvocation(id: try id(object))
    case .ping:
      return .ping
    case .close:
      return .close(error: object["error"]?.string, allowReconnect: object["allowReconnect"]?.boolean ?? false)
    case .ack:
      return .ack(sequenceID: try sequenceID(object))
    case .sequence:
      return .sequence(sequenceID: try sequenceID(object))
    case nil:
      return nil
    }
  }

  private static func optionalID(_ object: JSONValue) throws(HubProtocolError) -> String? {
    guard let member = object["invocationId"] else { return nil }
    guard let id = member.string else { throw .malformedMessage(member: "invocationId") }
    return id
  }

  private static func id(_ object: JSONValue) throws(HubProtocolError) -> String {
    guard let id = try optionalID(object) else { throw .malformedMessage(member: "invocationId") }
    return id
  }

  private static func target(_ object: JSONValue) throws(HubProtocolError) -> String {
    guard let target = object["target"]?.string else { throw .malformedMessage(member: "target") }
    return target
  }

  private static func arguments(_ object: JSONValue) throws(HubProtocolError) -> [HubValue] {
    guard let member = object["arguments"] else { return [] }
    guard let values = member.array else { throw .malformedMessage(member: "arguments") }
    return values.map(HubValue.init)
  }

  private static func streamIDs(_ object: JSONValue) throws(HubProtocolError) -> [String] {
    guard let member = object["streamIds"] else { return [] }
    guard let values = member.array else { throw .malformedMessage(member: "streamIds") }
    let ids = values.compactMap(\.string)
    guard ids.count == values.count else { throw .malformedMessage(member: "streamIds") }
    return ids
  }

  private static func sequenceID(_ object: JSONValue) throws(HubProtocolError) -> Int64 {
    guard let id = object["sequenceId"]?.integer else { throw .malformedMessage(member: "sequenceId") }
    return Int64(id)
  }

  private static func result(_ object: JSONValue) -> HubResult {
    if let error = object["error"]?.string { return .error(error) }
    guard let member = object.members?.last(where: { $0.name == "result" }) else { return .void }
    return .value(HubValue(member.value))
  }
}
