/// The outbound side of stateful reconnect: keeps what was sent until the client acknowledges it, and sends it again
/// over a new WebSocket.
///
/// Messages are numbered from 1 in the order in which they are appended. Every operation takes constant time, averaged
/// over the frames. Source: HubProtocol.md of ASP.NET Core, "Stateful reconnect".
public struct ReplayBuffer<Frame: Sendable>: Sendable {
  private struct Entry: Sendable {
    /// Nil once it is acknowledged.
    var frame: Frame?
    /// The number of its last message.
    let last: Int64
    let size: Int
  }

  private let capacity: Int
  /// Acknowledged frames, which are gone but for their places, then frames in flight, then waiting ones.
  private var entries: [Entry] = []
  /// The place of the oldest frame that is not acknowledged.
  private var head = 0
  /// The place of the frame to send next.
  private var cursor = 0
  /// The number of the last message that was dropped, appended, ever sent.
  private var dropped: Int64 = 0
  private var appended: Int64 = 0
  private var sent: Int64 = 0
  private var bytesInFlight = 0
  /// The size of everything that is unacknowledged or waiting, in bytes.
  public private(set) var bufferedBytes = 0

  /// - Parameter capacity: How much may be sent without an acknowledgement, in bytes.
  public init(capacity: Int = 100_000) {
    self.capacity = capacity
  }

  /// Queues a frame behind all others.
  ///
  /// - Parameters:
  ///   - messages: How many numbered messages are in it, at least one. They are acknowledged together.
  ///   - size: In bytes.
  public mutating func append(_ frame: Frame, messages: Int, size: Int) {
    appended += Int64(messages)
    bufferedBytes += size
    entries.append(Entry(frame: frame, last: appended, size: size))
  }

  /// The next frame that may be sent now; nil if there is none or the client has too much to acknowledge.
  ///
  /// One frame may always be in flight, however large it is.
  public mutating func next() -> Frame? {
    guard cursor < entries.count, cursor == head || bytesInFlight < capacity else { return nil }
    let entry = entries[cursor]
    cursor += 1
    bytesInFlight += entry.size
    sent = max(sent, entry.last)
    return entry.frame
  }

  /// Drops the frames whose last message has this number or a lower one.
  ///
  /// - Throws: ``HubProtocolError/acknowledgementTooHigh(_:)`` for a number never sent; then nothing is dropped.
  public mutating func acknowledge(_ id: Int64) throws(HubProtocolError) {
    guard (0...sent).contains(id) else { throw .acknowledgementTooHigh(id) }
    while head < entries.count, entries[head].last <= id {
      let entry = entries[head]
      entries[head].frame = nil
      bufferedBytes -= entry.size
      // After a rewind a frame may be acknowledged that was not sent again yet.
      if head < cursor { bytesInFlight -= entry.size } else { cursor += 1 }
      dropped = entry.last
      head += 1
    }
    releaseStorage()
  }

  /// Begins a new WebSocket: everything that is not acknowledged will be sent again.
  ///
  /// - Returns: The number of the first message that ``next()`` will give, or of the next one to come: what the
  ///   Sequence message says that goes before all.
  public mutating func rewind() -> Int64 {
    cursor = head
    bytesInFlight = 0
    return dropped + 1
  }

  private mutating func releaseStorage() {
    if head == entries.count {
      entries = []
      head = 0
      cursor = 0
    } else if head > 16, head > entries.count / 2 {
      // Moves fewer frames than were dropped since the last time.
      entries.removeFirst(head)
      cursor -= head
      head = 0
    }
  }
}
