import JSON
import SignalRProtocol

/// Hub messages around values that are encoded already, as the protocol has them.
enum PayloadMessage {
  /// A value for one of these messages.
  static func payload(_ value: JSONValue, as hubProtocol: HubProtocol) -> [UInt8] {
    switch hubProtocol {
    case .json:
      var writer = JSONWriter()
      writer.value(value)
      return writer.bytes
    case .messagePack:
      var writer = MessagePackWriter()
      writer.value(value)
      return writer.bytes
    }
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
