import JSON
import NIOCore
import NotificationModel
import NotificationQueue
import SignalRProtocol

/// Turns the events of one realtime message into bytes: each event once for each form that is wanted, and what events share
/// only once for all.
struct RealtimeEncoder {
  private let contents: [NotificationContent]
  /// The members of `NotificationDto` that don't depend on the recipient, as far as they were needed.
  private var shared: [Members?]

  /// Some members of an object in each protocol.
  private struct Members {
    /// Each member after a comma, and the object's end.
    var json: [UInt8]
    var messagePack: [UInt8]?
  }

  init(contents: [NotificationContent]) {
    self.contents = contents
    shared = Array(repeating: nil, count: contents.count)
  }

  /// The event's hub messages; nil when the event lacks what its kind needs.
  mutating func encode(_ event: RealtimeMessage.Event, for forms: FormSet) -> EncodedEvent? {
    var payload: (target: String, argument: (HubProtocol) -> [UInt8])?
    switch event.kind {
    case .notification:
      guard let id = event.notificationId, let content = event.content, contents.indices.contains(content) else {
        return nil
      }
      let json = notification(id, event.seq, content)
      let messagePack =
        forms.needsMessagePack ? notificationAsMessagePack(id, event.seq, content) : []
      payload = ("ReceiveNotification", { $0.isBinary ? messagePack : json })
    case .read:
      guard let id = event.notificationId else { return nil }
      payload = ("NotificationRead", { Self.text(id.description, $0) })
    case .unread:
      break
    }
    let unread = PerProtocol(forms) { Self.message("UnreadCountChanged", [Self.integer(event.unread, $0)], $0) }
    let first = payload.map { payload in
      PerProtocol(forms) { Self.message(payload.target, [payload.argument($0)], $0) }
    }
    return EncodedEvent(
      seq: event.kind == .notification ? event.seq : nil,
      tellsUnread: true,
      messages: first == nil ? 1 : 2,
      frames: Self.frames(forms) { form, _ in
        [first?[form.hubProtocol], unread[form.hubProtocol]].compactMap(\.self)
      }
    )
  }

  /// A backend's own event. On `/hub/family` its payload is always one object; elsewhere the catalogue may name members
  /// that become arguments of their own.
  static func encode(_ relay: RealtimeMessage.Relay, for forms: FormSet) -> EncodedEvent {
    let whole = PerProtocol(forms) { message(relay.name, [value(relay.payload, $0)], $0) }
    let parts =
      relay.arguments.isEmpty
      ? whole
      : PerProtocol(forms) { hubProtocol in
        message(relay.name, relay.arguments.map { value(relay.payload[$0] ?? .null, hubProtocol) }, hubProtocol)
      }
    return EncodedEvent(
      seq: nil,
      tellsUnread: false,
      messages: 1,
      frames: frames(forms) { form, path in
        [(path == .family ? whole : parts)[form.hubProtocol]]
      }
    )
  }

  // MARK: Forms

  private static func frames(_ forms: FormSet, _ records: (WireForm, HubPath) -> [[UInt8]]) -> [ByteBuffer?] {
    var frames: [ByteBuffer?] = []
    frames.reserveCapacity(FormSet.count)
    for path in HubPath.allCases {
      for form in WireForm.allCases {
        guard forms.contains(FormSet(form, path)) else {
          frames.append(nil)
          continue
        }
        var buffer = ByteBuffer()
        for record in records(form, path) { form.append(record, to: &buffer) }
        frames.append(buffer)
      }
    }
    return frames
  }

  /// A message in the protocols that are wanted.
  private struct PerProtocol {
    private var json: [UInt8] = []
    private var messagePack: [UInt8] = []

    init(_ forms: FormSet, _ encode: (HubProtocol) -> [UInt8]) {
      if forms.needsJSON { json = encode(.json) }
      if forms.needsMessagePack { messagePack = encode(.messagePack) }
    }

    subscript(hubProtocol: HubProtocol) -> [UInt8] { hubProtocol.isBinary ? messagePack : json }
  }

  // MARK: Values

  private static func message(_ target: String, _ arguments: [[UInt8]], _ hubProtocol: HubProtocol) -> [UInt8] {
    PayloadMessage.invocation(target, encoded: arguments, as: hubProtocol)
  }

  private static func text(_ text: String, _ hubProtocol: HubProtocol) -> [UInt8] {
    value(.string(text), hubProtocol)
  }

  private static func integer(_ number: Int, _ hubProtocol: HubProtocol) -> [UInt8] {
    value(.number(String(number)), hubProtocol)
  }

  private static func value(_ value: JSONValue, _ hubProtocol: HubProtocol) -> [UInt8] {
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

  // MARK: NotificationDto

  private mutating func notification(_ id: NotificationID, _ seq: Int?, _ content: Int) -> [UInt8] {
    let members = members(content).json
    var writer = JSONWriter(capacity: members.count + 80)
    writer.raw(#"{"id":"\#(id)","seq":\#(seq.map(String.init) ?? "null")"#)
    return writer.bytes + members
  }

  private mutating func notificationAsMessagePack(_ id: NotificationID, _ seq: Int?, _ content: Int) -> [UInt8] {
    let known = members(content)
    let members = known.messagePack ?? Self.messagePack(of: known.json)
    shared[content]?.messagePack = members
    var writer = MessagePackWriter(capacity: members.count + 64)
    writer.mapHeader(Self.memberCount)
    writer.string("id")
    writer.string(id.description)
    writer.string("seq")
    if let seq { writer.integer(seq) } else { writer.null() }
    writer.raw(members)
    return writer.bytes
  }

  private mutating func members(_ content: Int) -> Members {
    if let known = shared[content] { return known }
    let made = Members(json: Self.members(of: contents[content]))
    shared[content] = made
    return made
  }

  /// The members of `NotificationDto`, with `seq`.
  private static let memberCount = 13

  /// `NotificationDto` without id and seq, each member after a comma, and the object's end.
  private static func members(of content: NotificationContent) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    writer.object { writer in
      writer.field("type", content.type)
      writer.field("typeName", content.typeName)
      writer.field("title", content.title)
      writer.field("body", content.body)
      writer.nullableField("data", content.data.isEmpty ? nil : JSONWriter.object(content.data))
      writer.field("isRead", false)
      writer.nullableField("readAt", nil)
      writer.field("createdAt", content.createdAt.rfc3339)
      writer.nullableField("relatedEntityType", content.relatedEntityType)
      writer.nullableField("relatedEntityId", content.relatedEntityId)
      writer.field("timeAgo", "Just now")
    }
    return [UInt8(ascii: ",")] + writer.bytes.dropFirst()
  }

  /// The same members as MessagePack, without the header of their map.
  private static func messagePack(of json: [UInt8]) -> [UInt8] {
    // A map of 11 members has a header of one byte.
    Array(PayloadMessage.transcoded([UInt8(ascii: "{")] + json.dropFirst()).dropFirst())
  }
}
