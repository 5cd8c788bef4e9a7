import BelfryJSON
import SignalRProtocol

/// Members of an object as bytes, without what stands around them: what many objects share is encoded once.
struct EncodedMembers {
  private let hubProtocol: HubProtocol
  private let count: Int
  private let bytes: [UInt8]

  init(_ members: [JSONMember], as hubProtocol: HubProtocol) {
    self.hubProtocol = hubProtocol
    count = members.count
    switch hubProtocol {
    case .json:
      var writer = JSONWriter()
      writer.members(members)
      bytes = writer.bytes
    case .messagePack:
      var writer = MessagePackWriter()
      writer.members(members)
      bytes = writer.bytes
    }
  }

  /// The object of some members of its own and these.
  func object(after own: [JSONMember]) -> [UInt8] {
    switch hubProtocol {
    case .json:
      var writer = JSONWriter(capacity: bytes.count + 128)
      writer.object { writer in
        writer.members(own)
        if count > 0 { writer.raw(bytes) }
      }
      return writer.bytes
    case .messagePack:
      var writer = MessagePackWriter(capacity: bytes.count + 128)
      writer.mapHeader(own.count + count)
      writer.members(own)
      writer.raw(bytes)
      return writer.bytes
    }
  }
}

extension MessagePackWriter {
  /// Writes pairs of a map that is begun.
  fileprivate mutating func members(_ members: [JSONMember]) {
    for member in members {
      string(member.name)
      value(member.value)
    }
  }
}
