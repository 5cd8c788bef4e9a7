import BelfryClient
import Foundation
import Testing

@testable import AppSample

/// Berlin's calendar and a British locale: clocks of 24 hours, the week from Monday on.
let locale = Locale(identifier: "en_GB")
let calendar: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
  calendar.locale = locale
  return calendar
}()

/// A time on Berlin's clocks.
func date(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 12, _ minute: Int = 0) throws -> Date {
  try #require(
    calendar.date(from: DateComponents(year: year, month: month, day: day, hour: hour, minute: minute))
  )
}

func sample(
  _ number: Int = 1,
  title: String = "Dinner",
  body: String = "is ready",
  priority: String? = "normal",
  at createdAt: Date = Date(timeIntervalSince1970: 1_800_000_000),
  relatedEntity: RelatedEntity? = nil,
  isRead: Bool = false,
  archivedAt: Date? = nil,
  snoozedUntil: Date? = nil
) -> BelfryNotification {
  let time = UInt64(max(0, createdAt.timeIntervalSince1970 * 1_000))
  let text = String(time, radix: 16)
  let padded = String(repeating: "0", count: max(0, 12 - text.count)) + text
  let tail = String(number, radix: 16)
  let uuid =
    "\(padded.prefix(8))-\(padded.suffix(4))-7000-8000-\(String(repeating: "0", count: 12 - tail.count))\(tail)"
  return BelfryNotification(
    id: UUID(uuidString: uuid) ?? UUID(),
    seq: nil,
    type: 99,
    typeName: "SystemAnnouncement",
    category: "System",
    title: title,
    body: body,
    priority: priority,
    createdAt: createdAt,
    relatedEntity: relatedEntity,
    isRead: isRead,
    archivedAt: archivedAt,
    snoozedUntil: snoozedUntil
  )
}
