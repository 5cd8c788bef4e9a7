import BelfryClient
import Foundation

/// The texts of a device's row.
struct DeviceRow: Sendable, Equatable {
  let title: String
  let detail: String
  /// A name of SF Symbols.
  let image: String

  init(
    _ device: RegisteredDevice,
    installation: UUID?,
    calendar: Calendar = .autoupdatingCurrent,
    locale: Locale = .autoupdatingCurrent
  ) {
    self.init(
      platform: device.platform,
      name: device.deviceName,
      isActive: device.isActive,
      lastUsedAt: device.lastUsedAt,
      isThisOne: installation != nil && device.installationId == installation,
      calendar: calendar,
      locale: locale
    )
  }

  init(
    platform: Int,
    name: String?,
    isActive: Bool,
    lastUsedAt: Date?,
    isThisOne: Bool,
    calendar: Calendar,
    locale: Locale
  ) {
    let (kind, image) =
      switch platform {
      case 1: ("iPhone or iPad", "iphone")
      case 2: ("Android device", "candybarphone")
      case 3: ("Browser", "globe")
      default: ("Device", "questionmark.circle")
      }
    self.image = image
    title = name.flatMap { $0.isEmpty ? nil : $0 } ?? kind
    let style = Date.FormatStyle(
      date: .abbreviated,
      time: .omitted,
      locale: locale,
      calendar: calendar,
      timeZone: calendar.timeZone
    )
    detail = [
      isThisOne ? "This device" : nil,
      isActive ? nil : "Gets no pushes",
      lastUsedAt.map { "Last used \($0.formatted(style))" },
    ]
    .compactMap(\.self).joined(separator: " · ")
  }
}
