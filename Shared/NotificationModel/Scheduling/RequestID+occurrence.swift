import Crypto
import Foundation
public import WallClock

extension Identifier where Subject == RequestTag {
  /// The id of what a schedule tells on a date: the same for all zones, and however often it is told.
  ///
  /// - Parameters: `owner` and `key` name the schedule.
  public init(schedule key: String, of owner: String, on date: LocalDate) {
    var hash = SHA256()
    // Neither contains a control character.
    hash.update(data: Array("schedule\n\(owner)\n\(key)\n\(date)".utf8))
    let midnight = Zone.utc.instant(of: date, at: .midnight)
    self.init(hash.finalize().withUnsafeBytes { UUID(time: midnight, entropy: $0) })
  }
}

extension LocalDate {
  /// The ids of all that can be told of this date, wherever in the world.
  public var notificationIDs: Range<NotificationID> {
    let midnight = Zone.utc.instant(of: self, at: .midnight)
    let margin = Double(ScheduleLook.widest)
    return NotificationID(firstAt: midnight - margin)..<NotificationID(firstAt: midnight + 86_400 + margin)
  }
}
