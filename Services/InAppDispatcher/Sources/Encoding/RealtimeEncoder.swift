import Foundation
import BelfryJSON
import NIOCore
import NotificationModel
import NotificationQueue
import SignalRProtocol

/// Turns the events of one realtime message into bytes: each event once for each form that is wanted, and what events share
/// only once for all.
struct RealtimeEncoder {
  private let contents: [NotificationContent]
  private let catalogue: Catalogue?
  private let now: Date
  /// Of each content what its recipients share, as far as it was needed.
  private var shared: [[HubProtocol: EncodedMembers]]

  /// - Parameters:
  ///   - catalogue: Knows the types' categories and actions; nil: nobody does.
  ///   - now: What `timeAgo` counts to.
  init(contents: [NotificationContent], catalogue: Catalogue?, now: Date = .now) {
    self.contents = contents
    self.catalogue = catalogue
    self.now = now
    shared = Array(repeating: [:], count: contents.count)
  }

  /// The event's hub messages; none when its content is missing.
  ///
  /// Each may have to be sent again by itself: the count of a read mark is an event of its own.
  mutating func encode(_ event: RealtimeMessage.Event, for forms: FormSet) -> [EncodedEvent] {
    let unread = PerProtocol(forms) { Self.message("UnreadCountChanged", [.number(String(event.unread))], $0) }
    switch event.kind {
    case .notification(let id, let seq, let content):
      guard contents.indices.contains(content) else { return [] }
      let notification = PerProtocol(forms) { hubProtocol in
        let own = NotificationDTO.Own(id: id, seq: seq).members
        let argument = sharedMembers(of: content, as: hubProtocol).object(after: own)
        return PayloadMessage.invocation("ReceiveNotification", [argument], as: hubProtocol)
      }
      let kind = seq.map { EncodedEvent.Kind.notification(seq: $0) } ?? .other
      return [
        EncodedEvent(
          kind,
          messages: 2,
          frames: Self.frames(forms) { form, _ in [notification[form.hubProtocol], unread[form.hubProtocol]] }
        )
      ]
    case .read(let id):
      let read = PerProtocol(forms) { Self.message("NotificationRead", [.string(id.description)], $0) }
      return [Self.event(.change, read, forms), Self.event(.unread, unread, forms)]
    case .unread:
      return [Self.event(.unread, unread, forms)]
    }
  }

  /// What became of a notification; nothing when its content is missing. It has no place in the order of new ones, and the unread
  /// count comes as an event of its own.
  mutating func encode(_ change: RealtimeMessage.Change, for forms: FormSet) -> [EncodedEvent] {
    let message: PerProtocol
    switch change.state {
    case .deleted(let id):
      message = PerProtocol(forms) { Self.message("NotificationDeleted", [.string(id.description)], $0) }
    case .changed(let own, let content):
      guard contents.indices.contains(content) else { return [] }
      message = PerProtocol(forms) { hubProtocol in
        let argument = sharedMembers(of: content, as: hubProtocol).object(after: own.members)
        return PayloadMessage.invocation("NotificationChanged", [argument], as: hubProtocol)
      }
    }
    return [Self.event(.change, message, forms)]
  }

  /// A backend's own event. On `/hub/family` its payload is always one object; elsewhere the catalogue may name members
  /// that become arguments of their own.
  static func encode(_ relay: RealtimeMessage.Relay, for forms: FormSet) -> EncodedEvent {
    let whole = PerProtocol(forms) { hubProtocol in
      let payload = PayloadMessage.payload(relay.payload, amounts: relay.amounts, as: hubProtocol)
      return PayloadMessage.invocation(relay.name, [payload], as: hubProtocol)
    }
    let parts =
      relay.arguments.isEmpty
      ? whole
      : PerProtocol(forms) { hubProtocol in
        let arguments = relay.arguments.map { name in
          let isAmount = relay.amounts.contains(name)
          return PayloadMessage.payload(relay.payload[name] ?? .null, isAmount: isAmount, as: hubProtocol)
        }
        return PayloadMessage.invocation(relay.name, arguments, as: hubProtocol)
      }
    return EncodedEvent(
      .other,
      frames: frames(forms) { form, path in
        [(path == .family ? whole : parts)[form.hubProtocol]]
      }
    )
  }

  private static func message(_ target: String, _ arguments: [JSONValue], _ hubProtocol: HubProtocol) -> [UInt8] {
    PayloadMessage.invocation(target, arguments.map { PayloadMessage.payload($0, as: hubProtocol) }, as: hubProtocol)
  }

  private mutating func sharedMembers(of content: Int, as hubProtocol: HubProtocol) -> EncodedMembers {
    if let known = shared[content][hubProtocol] { return known }
    let members = EncodedMembers(
      NotificationDTO.Shared(contents[content], catalogue: catalogue).members(now: now),
      as: hubProtocol
    )
    shared[content][hubProtocol] = members
    return members
  }

  // MARK: Forms

  /// One hub message, alike on every path.
  private static func event(_ kind: EncodedEvent.Kind, _ message: PerProtocol, _ forms: FormSet) -> EncodedEvent {
    EncodedEvent(kind, frames: frames(forms) { form, _ in [message[form.hubProtocol]] })
  }

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
}
