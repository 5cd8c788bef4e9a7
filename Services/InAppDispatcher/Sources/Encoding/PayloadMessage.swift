import BelfryJSON
import SignalRProtocol

/// Hub messages around values that are encoded already, as the protocol has them.
enum PayloadMessage {
  /// A value for one of these messages.
  ///
  /// - Parameter isAmount: Whether MessagePack gets a number in floating point, whole or not.
  static func payload(_ value: JSONValue, isAmount: Bool = false, as hubProtocol: HubProtocol) -> [UInt8] {
    switch hubProtocol {
    case .json:
      var writer = JSONWriter()
      writer.value(value)
      return writer.bytes
    case .messagePack:
      var writer = MessagePackWriter()
      if isAmount { writer.amount(value) } else { writer.value(value) }
      return writer.bytes
    }
  }

  /// The payload of a backend's event for one of these messages.
  ///
  /// - Parameter amounts: Which of the payload's members are amounts.
  static func payload(_ payload: JSONValue, amounts: [String], as hubProtocol: HubProtocol) -> [UInt8] {
    guard hubProtocol == .messagePack, case .object(let members) = payload else {
      return self.payload(payload, as: hubProtocol)
    }
    var writer = MessagePackWriter()
    writer.mapHeader(members.count)
    for member in members {
      writer.string(member.name)
      if amounts.contains(member.name) { writer.amount(member.value) } else { writer.value(member.value) }
    }
    return writer.bytes
  }

  /// A call of the client's method `target`.
  static func invocation(_ target: String, _ arguments: [[UInt8]], as hubProtocol: HubProtocol) -> [UInt8] {
    switch hubProtocol {
    case .json:
      var writer = JSONWriter(capacity: arguments.reduce(64) { $0 + $1.count })
      writer.object { writer in
        writer.field("type", 1)
        writer.field("target", target)
        writer.array("arguments") { writer in
          for argument in arguments { writer.raw(argument) }
        }
      }
      return hubProtocol.framed(writer.bytes)
    case .messagePack:
      var writer = MessagePackWriter(capacity: arguments.reduce(64) { $0 + $1.count })
      writer.arrayHeader(6)
      writer.integer(1)
      writer.mapHeader(0)
      writer.null()
      writer.string(target)
      writer.arrayHeader(arguments.count)
      for argument in arguments { writer.raw(argument) }
      writer.arrayHeader(0)
      return hubProtocol.framed(writer.bytes)
    }
  }

  /// The result of a client's call: a list.
  static func completion(id: String, list: [[UInt8]], as hubProtocol: HubProtocol) -> [UInt8] {
    switch hubProtocol {
    case .json:
      var writer = JSONWriter(capacity: list.reduce(64) { $0 + $1.count })
      writer.object { writer in
        writer.field("type", 3)
        writer.field("invocationId", id)
        writer.array("result") { writer in
          for element in list { writer.raw(element) }
        }
      }
      return hubProtocol.framed(writer.bytes)
    case .messagePack:
      var writer = MessagePackWriter(capacity: list.reduce(64) { $0 + $1.count })
      writer.arrayHeader(5)
      writer.integer(3)
      writer.mapHeader(0)
      writer.string(id)
      writer.integer(3)
      writer.arrayHeader(list.count)
      for element in list { writer.raw(element) }
      return hubProtocol.framed(writer.bytes)
    }
  }

  /// An item of a stream that the client asked for.
  static func streamItem(id: String, _ item: [UInt8], as hubProtocol: HubProtocol) -> [UInt8] {
    switch hubProtocol {
    case .json:
      var writer = JSONWriter(capacity: 64 + item.count)
      writer.object { writer in
        writer.field("type", 2)
        writer.field("invocationId", id)
        writer.key("item")
        writer.raw(item)
      }
      return hubProtocol.framed(writer.bytes)
    case .messagePack:
      var writer = MessagePackWriter(capacity: 64 + item.count)
      writer.arrayHeader(4)
      writer.integer(2)
      writer.mapHeader(0)
      writer.string(id)
      writer.raw(item)
      return hubProtocol.framed(writer.bytes)
    }
  }
}
