/// The JSON hub protocol: one object and the record separator for each message.
enum JSONHubCodec {
  private static let ping = Array(#"{"type":6}"#.utf8)

  static func encode(_ message: HubMessage) -> [UInt8] {
    var writer = HubJSONWriter()
    switch message {
    case .invocation(let id, let target, let arguments, let streamIDs):
      begin(HubMessageType.invocation, id: id, into: &writer)
      call(target, arguments, streamIDs, into: &writer)
    case .streamItem(let id, let item):
      begin(HubMessageType.streamItem, id: id, into: &writer)
      writer.raw(#","item":"#)
      writer.value(item)
    case .completion(let id, let result):
      begin(HubMessageType.completion, id: id, into: &writer)
      switch result {
      case .void: break
      case .value(let value):
        writer.raw(#","result":"#)
        writer.value(value)
      case .error(let error):
        writer.raw(#","error":"#)
        writer.string(error)
      }
    case .streamInvocation(let id, let target, let arguments, let streamIDs):
      begin(HubMessageType.streamInvocation, id: id, into: &writer)
      call(target, arguments, streamIDs, into: &writer)
    case .cancelInvocation(let id):
      begin(HubMessageType.cancelInvocation, id: id, into: &writer)
    case .ping:
      begin(HubMessageType.ping, id: nil, into: &writer)
    case .close(let error, let allowReconnect):
      begin(HubMessageType.close, id: nil, into: &writer)
      if let error {
        writer.raw(#","error":"#)
        writer.string(error)
      }
      if allowReconnect { writer.raw(#","allowReconnect":true"#) }
    case .ack(let sequenceID):
      begin(HubMessageType.ack, id: nil, into: &writer)
      writer.raw(#","sequenceId":"#)
      writer.integer(sequenceID)
    case .sequence(let sequenceID):
      begin(HubMessageType.sequence, id: nil, into: &writer)
      writer.raw(#","sequenceId":"#)
      writer.integer(sequenceID)
    }
    writer.raw("}\u{1E}")
    return writer.bytes
  }

  private static func begin(_ type: Int64, id: String?, into writer: inout HubJSONWriter) {
    writer.raw(#"{"type":"#)
    writer.integer(type)
    guard let id else { return }
    writer.raw(#","invocationId":"#)
    writer.string(id)
  }

  private static func call(
    _ target: String,
    _ arguments: [HubValue],
    _ streamIDs: [String],
    into writer: inout HubJSONWriter
  ) {
    writer.raw(#","target":"#)
    writer.string(target)
    writer.raw(#","arguments":"#)
    writer.array(arguments)
    guard !streamIDs.isEmpty else { return }
    writer.raw(#","streamIds":"#)
    writer.array(streamIDs.map(HubValue.string))
  }

  static func decode(_ record: ArraySlice<UInt8>) throws(HubProtocolError) -> HubMessage? {
    // What idle clients send all the time.
    if record.elementsEqual(ping) { return .ping }
    let object = try HubValue.parse(record)
    guard let type = object["type"]?.integerValue else { throw .malformedMessage(member: "type") }
    switch type {
    case HubMessageType.invocation:
      return .invocation(
        id: object["invocationId"]?.stringValue,
        target: try target(object),
        arguments: try arguments(object),
        streamIDs: try streamIDs(object)
      )
    case HubMessageType.streamItem:
      return .streamItem(id: try id(object), item: object["item"] ?? .null)
    case HubMessageType.completion:
      return .completion(id: try id(object), result(object))
    case HubMessageType.streamInvocation:
      return .streamInvocation(
        id: try id(object),
        target: try target(object),
        arguments: try arguments(object),
        streamIDs: try streamIDs(object)
      )
    case HubMessageType.cancelInvocation:
      return .cancelInvocation(id: try id(object))
    case HubMessageType.ping:
      return .ping
    case HubMessageType.close:
      return .close(
        error: object["error"]?.stringValue,
        allowReconnect: object["allowReconnect"]?.boolValue ?? false
      )
    case HubMessageType.ack:
      return .ack(sequenceID: try sequenceID(object))
    case HubMessageType.sequence:
      return .sequence(sequenceID: try sequenceID(object))
    default:
      return nil
    }
  }

  private static func id(_ object: HubValue) throws(HubProtocolError) -> String {
    guard let id = object["invocationId"]?.stringValue else { throw .malformedMessage(member: "invocationId") }
    return id
  }

  private static func target(_ object: HubValue) throws(HubProtocolError) -> String {
    guard let target = object["target"]?.stringValue else { throw .malformedMessage(member: "target") }
    return target
  }

  private static func arguments(_ object: HubValue) throws(HubProtocolError) -> [HubValue] {
    guard let arguments = object["arguments"] else { return [] }
    guard let values = arguments.arrayValue else { throw .malformedMessage(member: "arguments") }
    return values
  }

  private static func streamIDs(_ object: HubValue) throws(HubProtocolError) -> [String] {
    guard let member = object["streamIds"] else { return [] }
    guard let values = member.arrayValue else { throw .malformedMessage(member: "streamIds") }
    let ids = values.compactMap(\.stringValue)
    guard ids.count == values.count else { throw .malformedMessage(member: "streamIds") }
    return ids
  }

  private static func sequenceID(_ object: HubValue) throws(HubProtocolError) -> Int64 {
    guard let id = object["sequenceId"]?.integerValue else { throw .malformedMessage(member: "sequenceId") }
    return id
  }

  private static func result(_ object: HubValue) -> HubResult {
    if let error = object["error"]?.stringValue { return .error(error) }
    guard case .object(let members) = object, let result = members.last(where: { $0.name == "result" }) else {
      return .void
    }
    return .value(result.value)
  }
}
