import Cryptography
public import Foundation
public import WallClock

extension Identifier where Subject == RequestTag {
  /// The id of what a schedule sends on a date: the same for all zones, and however often it is sent.
  ///
  /// - Parameters: `owner` and `key` name the schedule.
  public init(schedule key: String, of owner: String, on date: LocalDate) {
    self.init(key, owner, "\(date)", at: Zone.utc.instant(of: date, at: .midnight))
  }

  /// The id of what a schedule sends at an instant, however often it is sent.
  public init(schedule key: String, of owner: String, at instant: Date) {
    self.init(key, owner, instant.rfc3339, at: instant)
  }

  private init(_ key: String, _ owner: String, _ occurrence: String, at instant: Date) {
    // None contains a control character.
    let hash = SHA256.hash(Array("schedule\n\(owner)\n\(key)\n\(occurrence)".utf8))
    self.init(hash.withUnsafeBytes { UUID(time: instant, entropy: $0) })
  }
}

extension LocalDate {
  /// The ids of all that can be sent of this date, wherever in the world.
  public var notificationIDs: Range<NotificationID> {
    let midnight = Zone.utc.instant(of: self, at: .midnight)
    let margin = OccurrenceWindow.widest
    return NotificationID(firstAt: midnight - margin)..<NotificationID(firstAt: midnight + 86_400 + margin)
  }
}
