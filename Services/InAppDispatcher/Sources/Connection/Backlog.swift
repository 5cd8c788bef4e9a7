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
