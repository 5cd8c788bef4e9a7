import Foundation
import WallClock

/// Spreads what is due for a whole zone at the same moment over some time. A user always has the same place in it.
public struct DueSpread: Sendable, Equatable {
  /// 0 for none.
  public var seconds: Int

  public init(seconds: Int = 60) {
    self.seconds = seconds
  }

  /// Seconds that a user waits longer: 0..<seconds, in thousandths.
  func delay(of user: UserID) -> TimeInterval {
    guard seconds > 0 else { return 0 }
    let (high, low) = withUnsafeBytes(of: user.uuid.uuid) {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    // The finaliser of SplitMix64: ids may be counted up, and their first bits be a time.
    var mixed = high.littleEndian ^ low.littleEndian &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return TimeInterval(mixed.multipliedFullWidth(by: UInt64(seconds) * 1_000).high) / 1_000
  }

  /// When a user's quiet window is said to be over: its end and the delay, or its end where the next window has begun by
  /// then.
  func end(of window: Range<Date>, hours: QuietHours, user: UserID) -> Date {
    let end = window.upperBound
    let spread = end + delay(of: user)
    return hours.window(at: spread) == nil ? spread : end
  }
}
