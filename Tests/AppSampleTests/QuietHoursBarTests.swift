import Testing

@testable import AppSample

struct QuietHoursBarTests {
  /// A point for two minutes.
  private let bar = QuietHoursBar(width: 720)
  private let night = QuietHours(start: 22 * 60, end: 7 * 60)

  @Test func `a night is two parts, a noon is one`() {
    #expect(
      bar.parts(night) == [QuietHoursBar.Part(start: 0, end: 210), QuietHoursBar.Part(start: 660, end: 720)]
    )
    #expect(bar.parts(QuietHours(start: 720, end: 780)) == [QuietHoursBar.Part(start: 360, end: 390)])
  }

  @Test func `midnight is on the left for a start, on the right for an end`() {
    #expect(bar.parts(QuietHours(start: 0, end: 60)) == [QuietHoursBar.Part(start: 0, end: 30)])
    #expect(bar.parts(QuietHours(start: 1_380, end: 0)) == [QuietHoursBar.Part(start: 690, end: 720)])
  }

  @Test func `parts are as wide as the hours are long`() {
    for start in stride(from: 0, to: QuietHours.day, by: 105) {
      for end in stride(from: 0, to: QuietHours.day, by: 45) where start != end {
        let hours = QuietHours(start: start, end: end)
        #expect(bar.parts(hours).map(\.width).reduce(0, +) == Double(hours.length) / 2)
        #expect(bar.parts(hours).allSatisfy { $0.start >= 0 && $0.start < $0.end && $0.end <= 720 })
      }
    }
  }

  @Test func `a finger takes the nearer edge`() {
    #expect(bar.edge(near: 0, of: night) == .end)
    #expect(bar.edge(near: 430, of: night) == .end)
    #expect(bar.edge(near: 440, of: night) == .start)
    #expect(bar.edge(near: 720, of: night) == .start)
  }

  @Test func `an edge follows a finger in quarters of an hour`() {
    #expect(bar.drag(.end, to: 214, of: night) == QuietHours(start: 1_320, end: 435))
    #expect(bar.drag(.end, to: 213, of: night) == night)
    #expect(bar.drag(.start, to: 690, of: night) == QuietHours(start: 1_380, end: 420))
  }

  @Test func `an edge is dragged over the other one, and the hours then cross midnight or not`() {
    let day = bar.drag(.start, to: 60, of: night)
    #expect(day == QuietHours(start: 120, end: 420))
    #expect(!day.isAcrossMidnight)
    #expect(bar.drag(.start, to: 300, of: day).isAcrossMidnight)
    #expect(bar.drag(.start, to: 210, of: day) == day)
  }

  @Test(arguments: [(-50.0, 0, 15), (0, 0, 15), (720, 1_425, 0), (9_999, 1_425, 0)])
  func `no edge leaves the bar or comes out at its other end`(position: Double, start: Int, end: Int) {
    let hours = QuietHours(start: 600, end: 660)
    #expect(bar.drag(.start, to: position, of: hours).start == start)
    #expect(bar.drag(.end, to: position, of: hours).end == end)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a place that is none moves nothing`(position: Double) {
    #expect(bar.drag(.start, to: position, of: night) == night)
  }

  @Test func `what is dragged to where it is stays`() {
    for minute in stride(from: 15, to: QuietHours.day, by: 15) where minute != 600 {
      let hours = QuietHours(start: 600, end: minute)
      #expect(bar.drag(.end, to: bar.position(.end, of: hours), of: hours) == hours)
    }
  }

  @Test func `hours are marked, both midnights too`() {
    #expect(bar.marks.map(\.hour) == [0, 6, 12, 18, 24])
    #expect(bar.marks.map(\.position) == [0, 180, 360, 540, 720])
  }

  @Test func `a bar without width does no harm`() {
    let none = QuietHoursBar(width: 0)
    #expect(none.width == 1)
    #expect(none.drag(.end, to: 5, of: night).end == 0)
  }
}
