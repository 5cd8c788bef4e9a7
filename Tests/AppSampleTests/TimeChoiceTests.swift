import Foundation
import Testing

@testable import AppSample

struct TimeChoiceTests {
  @Test func `in the morning there is an evening`() throws {
    // A Sunday.
    let choices = TimeChoice.snooze(now: try date(2026, 11, 29, 9), calendar: calendar)
    #expect(choices.map(\.title) == ["In an hour", "This evening", "Tomorrow morning", "Next week"])
    #expect(
      choices.map(\.date) == [
        try date(2026, 11, 29, 10), try date(2026, 11, 29, 18), try date(2026, 11, 30, 8), try date(2026, 12, 7, 8),
      ]
    )
  }

  @Test(arguments: [16, 17, 18, 23])
  func `an evening that is near or over is not offered`(hour: Int) throws {
    let choices = TimeChoice.snooze(now: try date(2026, 11, 25, hour), calendar: calendar)
    #expect(choices.map(\.title) == ["In an hour", "Tomorrow morning", "Next week"])
    #expect(choices.last?.date == (try date(2026, 11, 30, 8)))
  }

  @Test func `morning is 8 on the clocks also where they are changed`() throws {
    let choices = TimeChoice.snooze(now: try date(2026, 3, 28, 20), calendar: calendar)
    #expect(choices.first { $0.title == "Tomorrow morning" }?.date == (try date(2026, 3, 29, 8)))
  }

  @Test func `all choices are ahead and in order, and none is named twice`() throws {
    for hour in 0..<24 * 7 {
      let now = try date(2026, 11, 23, 0).addingTimeInterval(Double(hour) * 3_600)
      for choices in [
        TimeChoice.snooze(now: now, calendar: calendar), TimeChoice.pause(now: now, calendar: calendar),
      ] {
        #expect(choices.allSatisfy { $0.date > now })
        #expect(Set(choices.map(\.id)).count == choices.count)
        #expect(choices.map(\.date) == choices.map(\.date).sorted())
      }
    }
  }
}
