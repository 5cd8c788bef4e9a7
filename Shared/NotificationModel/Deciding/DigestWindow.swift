public import Foundation

/// The time in which a user's notifications of one type and key gather on the digest's channel.
///
/// No table has it: it is open until the earliest due time of what waits in it.
public struct DigestWindow: Sendable, Equatable {
  public var until: Date

  public init(until: Date) {
    self.until = until
  }

  /// The window after a decision, which may have opened it: for what follows in the same batch.
  public static func after(_ decision: ChannelDecision?, _ window: DigestWindow?) -> DigestWindow? {
    guard case .hold(let until, .digest) = decision else { return window }
    return DigestWindow(until: until)
  }
}
