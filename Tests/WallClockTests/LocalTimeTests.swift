import Testing
import WallClock

@Suite struct LocalTimeTests {
  @Test(arguments: [("00:00", 0), ("07:00:00", 25_200), ("22:15", 80_100), ("23:59:59", 86_399)])
  func `a time is read with or without seconds and written with them`(_ text: String, _ second: Int) throws {
    let time = try #require(LocalTime(text))
    #expect(time.secondOfDay == second)
    #expect(LocalTime(time.description) == time)
    #expect(time.description == (text.utf8.count == 5 ? text + ":00" : text))
  }

  @Test(
    arguments: [
      "", "7:00", "07:0", "24:00", "23:60", "23:59:60", "07-00", "07:00:", "07:00:0", "07:00:000", "07:00-00", " 07:00",
      "07:00 ", "+7:00", "07:00Z", "０７:00", "07:00:00.5",
    ]
  )
  func `what no clock shows is refused`(_ text: String) {
    #expect(LocalTime(text) == nil)
  }

  @Test func `every second of the day reads back`() {
    #expect((0..<86_400).allSatisfy { LocalTime(secondOfDay: $0)?.secondOfDay == $0 })
    #expect(LocalTime(secondOfDay: 86_400) == nil)
    #expect(LocalTime(secondOfDay: -1) == nil)
  }
}
