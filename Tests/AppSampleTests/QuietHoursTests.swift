import Foundation
import Testing

@testable import AppSample

struct QuietHoursTests {
  private let night = QuietHours(start: 22 * 60, end: 7 * 60)

  @Test(
    arguments: [
      ("00:00", 0), ("07:05", 425), ("22:00:00", 1_320), ("23:59:59", 1_439),
    ]
  )
  func `times of the server are read`(text: String, minute: Int) {
    #expect(QuietHours.minute(text) == minute)
  }

  @Test(
    arguments: ["", "7:00", "24:00", "12:60", "12", "12:00:00:00", "-1:00", "１２:00", "ab:cd", "+1:00"]
  )
  func `what is no time is not read`(text: String) {
    #expect(QuietHours.minute(text) == nil)
  }

  @Test func `times are written as the server takes them`() {
    let hours = QuietHours(start: 5, end: 23 * 60 + 45)
    #expect(hours.wireText(.start) == "00:05")
    #expect(hours.wireText(.end) == "23:45")
  }

  @Test func `a night goes across midnight`() {
    #expect(night.isAcrossMidnight)
    #expect(night.length == 9 * 60)
    #expect([1_319, 1_320, 0, 419, 420].map(night.contains) == [false, true, true, true, false])
    let noon = QuietHours(start: 720, end: 780)
    #expect(!noon.isAcrossMidnight)
    #expect([719, 720, 779, 780, 0].map(noon.contains) == [false, true, true, false, false])
  }

  @Test func `start and end are never the same`() {
    #expect(QuietHours(start: 600, end: 600).length == 15)
    #expect(QuietHours(start: 600, end: 600 + QuietHours.day).length == 15)
    var hours = night
    hours.move(.start, to: 7 * 60 + 3)
    #expect(hours == night)
    hours.move(.end, to: 22 * 60 - 7)
    #expect(hours == night)
  }

  @Test(
    arguments: [
      (0, 0), (7, 0), (8, 15), (22, 15), (23, 30), (1_432, 1_425), (1_433, 0), (1_440, 0), (-1, 0), (-8, 1_425),
    ]
  )
  func `an edge snaps to quarters of an hour`(minute: Int, snapped: Int) {
    var hours = QuietHours(start: 600, end: 660)
    hours.move(.start, to: minute)
    #expect(hours.start == snapped)
    #expect(hours.end == 660)
  }

  @Test func `a step goes around midnight, to the next quarter, and over the other edge`() {
    var hours = QuietHours(start: 1_425, end: 15)
    hours.adjust(.start, forward: true)
    #expect(hours.start == 0)
    hours.adjust(.start, forward: true)
    #expect(hours.start == 30)
    hours.adjust(.start, forward: false)
    #expect(hours.start == 0)
    hours.adjust(.start, forward: false)
    #expect(hours.start == 1_425)
    hours.adjust(.end, forward: false)
    #expect(hours.end == 0)
    hours = QuietHours(start: 610, end: 700)
    hours.adjust(.start, forward: true)
    #expect(hours.start == 615)
    hours = QuietHours(start: 610, end: 700)
    hours.adjust(.start, forward: false)
    #expect(hours.start == 600)
  }

  @Test func `a day of steps comes back to where it began`() {
    var hours = QuietHours(start: 0, end: 450)
    var seen: Set<Int> = []
    for _ in 0..<95 {
      hours.adjust(.start, forward: true)
      seen.insert(hours.start)
    }
    #expect(hours.start == 0)
    #expect(seen.count == 95)
  }

  // MARK: Texts

  @Test func `the line says times, the next day and how long`() {
    let times = "\(night.text(.start, locale: locale)) to \(night.text(.end, locale: locale))"
    #expect(times.hasPrefix("22:00 to ") && times.hasSuffix("7:00"))
    #expect(night.text(locale: locale) == "\(times) on the next day, 9 hours")
    #expect(QuietHours(start: 720, end: 735).text(locale: locale) == "12:00 to 12:15, 15 minutes")
    #expect(QuietHours(start: 22 * 60, end: 0).text(locale: locale).hasSuffix("0:00, 2 hours"))
    #expect(QuietHours(start: 0, end: 61).text(locale: locale).hasSuffix("1:01, 1 hour 1 minute"))
  }

  @Test func `times are as the region writes them`() {
    let text = night.text(.start, locale: Locale(identifier: "en_US"))
    #expect(text.hasPrefix("10:00") && text.hasSuffix("PM"))
  }

  @Test func `the zone is said, and the device's is offered`() {
    let mine = QuietHoursZone(chosen: "America/New_York", effective: "America/New_York", device: "Europe/Berlin")
    #expect(mine.text == "Times in America/New York.")
    #expect(mine.offer == "Use this device’s time zone: Europe/Berlin")
    let theirs = QuietHoursZone(chosen: nil, effective: "UTC", device: "UTC")
    #expect(theirs.text == "Times in UTC, the service’s time zone.")
    #expect(theirs.offer == nil)
  }
}
