import NIOCore

/// How far a client is behind with reading: bounded in bytes and in time.
struct Backlog {
  private var blockedSince: NIODeadline?
  /// Bytes written since the channel said that it can take no more.
  private var bytes = 0

  var isBlocked: Bool { blockedSince != nil }

  mutating func setBlocked(_ isBlocked: Bool, at now: NIODeadline) {
    bytes = 0
    blockedSince = isBlocked ? now : nil
  }

  /// - Returns: False if the client is too far behind for so many more.
  mutating func add(_ count: Int, limit: Int) -> Bool {
    guard blockedSince != nil else { return true }
    bytes += count
    return bytes <= limit
  }

  /// Whether the client has read nothing for so long.
  func isStuck(at now: NIODeadline, patience: TimeAmount) -> Bool {
    guard let blockedSince else { return false }
    return now - blockedSince >= patience
  }
}

/// How many times a client has sent something in the present second.
struct ReceiveRate {
  private var second: UInt32 = 0
  private var count: UInt32 = 0

  /// - Returns: False beyond the limit.
  mutating func count(_ messages: Int = 1, at now: NIODeadline, limit: Int) -> Bool {
    let present = UInt32(truncatingIfNeeded: now.uptimeNanoseconds / 1_000_000_000)
    if present != second { (second, count) = (present, 0) }
    count += UInt32(clamping: messages)
    return count <= limit
  }
}
