import Foundation
import NotificationModel

/// Choices that go from on to off.
extension StatStore {
  /// Type code of tallies that are of no type.
  static let noType = 0

  /// The master switch counts with the notification. A category counts once on each channel, of no type; a type on each channel
  /// where its category does not already. What the catalogue says counts as chosen: who switches off what is off by default
  /// unsubscribes from nothing.
  static func unsubscribed(
    from former: UserSettings,
    to settings: UserSettings,
    in catalogue: [NotificationType],
    at now: Date
  ) -> [Tally] {
    var tallies: [Tally] = []
    if former.isEnabled, !settings.isEnabled { tallies.append(unsubscribedFromAll(at: now)) }
    guard former.rows != settings.rows else { return tallies }
    for (category, types) in Dictionary(grouping: catalogue, by: \.category) {
      let left = switchedOff(
        from: former.rows.chosen(category: category, among: types),
        to: settings.rows.chosen(category: category, among: types)
      )
      tallies += left.map { unsubscribed(type: noType, channel: $0, at: now) }
      for type in types {
        let channels = switchedOff(from: former.rows.effective(type), to: settings.rows.effective(type))
        tallies += channels.subtracting(left).map { unsubscribed(type: type.code, channel: $0, at: now) }
      }
    }
    return tallies
  }

  static func unsubscribedFromAll(at now: Date) -> Tally { unsubscribed(type: noType, channel: nil, at: now) }

  private static func unsubscribed(type: Int, channel: Channel?, at now: Date) -> Tally {
    var counts = Counts()
    counts.unsubscribed = 1
    return Tally(at: now, type: type, channel: channel, counts: counts)
  }

  private static func switchedOff(from former: ChannelChoices, to choices: ChannelChoices) -> Set<Channel> {
    Set(former.channels.filter { former[$0] == true && choices[$0] == false })
  }
}
