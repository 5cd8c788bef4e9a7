import BelfryClient
import Foundation

extension QuietHours {
  /// A time as clocks in the user's region show it: `22:00`, `10:00 PM`.
  func text(_ edge: Edge, locale: Locale = .autoupdatingCurrent) -> String {
    let style = Date.FormatStyle(date: .omitted, time: .shortened, locale: locale, timeZone: .gmt)
    return Date(timeIntervalSinceReferenceDate: Double(self[edge]) * 60).formatted(style)
  }

  /// For a line below the bar, and for VoiceOver.
  func text(locale: Locale = .autoupdatingCurrent) -> String {
    let times = "\(text(.start, locale: locale)) to \(text(.end, locale: locale))"
    return isAcrossMidnight && end > 0 ? "\(times) on the next day, \(lengthText)" : "\(times), \(lengthText)"
  }

  private var lengthText: String {
    let (hours, minutes) = (length / 60, length % 60)
    let texts = [
      hours > 0 ? "\(hours) \(hours == 1 ? "hour" : "hours")" : nil,
      minutes > 0 ? "\(minutes) \(minutes == 1 ? "minute" : "minutes")" : nil,
    ]
    return texts.compactMap(\.self).joined(separator: " ")
  }
}

extension QuietHours.Edge {
  /// What VoiceOver calls the handle.
  var title: String {
    switch self {
    case .start: "Quiet from"
    case .end: "Quiet until"
    }
  }
}

/// Whose clocks the quiet hours mean.
struct QuietHoursZone: Sendable, Equatable {
  /// An IANA zone.
  let zone: String
  /// Whether the user chose it.
  let isChosen: Bool
  /// The device's, where that is another one.
  let offered: String?

  init(_ preferences: Preferences, device: TimeZone = .autoupdatingCurrent) {
    self.init(
      chosen: preferences.timezone,
      effective: preferences.effectiveTimezone,
      device: device.identifier
    )
  }

  init(chosen: String?, effective: String, device: String) {
    zone = chosen ?? effective
    isChosen = chosen != nil
    offered = device == zone ? nil : device
  }

  var text: String {
    isChosen ? "Times in \(Self.name(zone))." : "Times in \(Self.name(zone)), the service’s time zone."
  }

  /// What the button says that takes the device's zone.
  var offer: String? {
    offered.map { "Use this device’s time zone: \(Self.name($0))" }
  }

  private static func name(_ zone: String) -> String {
    zone.replacing("_", with: " ")
  }
}
