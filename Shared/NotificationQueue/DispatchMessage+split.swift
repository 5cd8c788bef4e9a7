import BelfryJSON
public import NotificationModel

extension DispatchMessage {
  /// Bytes of an encoded message, with all that tries again add to it.
  public static let maximumSize = 256 * 1_024

  /// Deliveries in messages.
  public struct Parts: Sendable {
    /// Of up to ``maximumDeliveries`` and ``maximumSize``, in the deliveries' order.
    public var messages: [DispatchMessage] = []
    /// Those that are larger than a message may be, each by itself.
    public var tooLarge: [Delivery] = []

    public init() {}
  }

  /// Puts deliveries into messages, each of which carries the contents that it points at. The same deliveries make the same
  /// messages; what it takes grows with their number and size alone.
  public static func split(_ deliveries: [Delivery], of contents: [NotificationContent], recheck: Bool) -> Parts {
    var parts = Parts()
    guard !deliveries.isEmpty else { return parts }
    let whole = DispatchMessage(recheck: recheck, contents: contents, deliveries: [])
    // By content: what it takes, and in which message it is already.
    var sizes = [Int](repeating: 0, count: contents.count)
    var places = [Int](repeating: -1, count: contents.count)
    var taken: [Delivery] = []
    var size = envelope
    func close() {
      guard !taken.isEmpty else { return }
      parts.messages.append(whole.keeping(taken, attempt: 0, failingSince: nil, recheck: recheck))
      taken.removeAll(keepingCapacity: true)
      size = envelope
    }
    for delivery in deliveries {
      let content = delivery.content
      if sizes[content] == 0 { sizes[content] = contents[content].encodedSize }
      let own = delivery.encodedSize
      guard envelope + own + sizes[content] <= maximumSize else {
        parts.tooLarge.append(delivery)
        continue
      }
      let added = places[content] == parts.messages.count ? own : own + sizes[content]
      if taken.count == maximumDeliveries || size + added > maximumSize { close() }
      size += places[content] == parts.messages.count ? own : own + sizes[content]
      places[content] = parts.messages.count
      taken.append(delivery)
    }
    close()
    return parts
  }

  /// Bytes of a message without contents and deliveries, with the highest count of attempts.
  private static let envelope = 256
}

// Bytes that the values take in a message, with the comma behind them: as they are written, but for numbers, for which there is
// always room.

extension DispatchMessage.Delivery {
  fileprivate var encodedSize: Int {
    targets.reduce(256) { size, target in
      size + 64 + target.id.encodedSize + target.address.encodedSize + (target.name?.encodedSize ?? 0)
        + (target.credentials.map { 48 + $0.p256dh.encodedSize + $0.auth.encodedSize } ?? 0)
        + (target.apns.map { 96 + ($0.topic?.encodedSize ?? 0) } ?? 0) + (target.vapidKey?.encodedSize ?? 0) + 32
        + (target.locale.map { 16 + $0.encodedSize } ?? 0) + (target.zone.map { 16 + $0.encodedSize } ?? 0)
    }
  }
}

extension NotificationContent {
  fileprivate var encodedSize: Int {
    let texts = [
      title, body, typeName, category, relatedEntityType, relatedEntityId, collapseKey, sound, locale, analyticsLabel,
    ]
    let fixed = texts.reduce(512) { $0 + ($1?.encodedSize ?? 0) }
    let listed = listing.map { $0.texts.reduce(64) { $0 + $1.encodedSize + 12 } } ?? 0
    return data.reduce(fixed + listed) { $0 + $1.key.encodedSize + $1.value.encodedSize + 2 }
  }
}

extension String {
  /// With quotes and escapes.
  fileprivate var encodedSize: Int {
    var text = self
    return text.withUTF8 { bytes in
      var size = bytes.count + 2
      for index in 0..<bytes.count {
        let byte = bytes[index]
        if byte < 0x20 { size += 5 } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { size += 1 }
      }
      return size
    }
  }
}
