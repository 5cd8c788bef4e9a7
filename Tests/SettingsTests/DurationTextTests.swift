import Settings
import Testing

@Suite struct DurationTextTests {
  @Test(
    arguments: [
      ("250ms", .milliseconds(250)), ("30s", .seconds(30)), ("30 s", .seconds(30)), (" 30s", .seconds(30)),
      ("10min", .seconds(600)), ("1h", .seconds(3_600)), ("7d", .seconds(604_800)), ("0s", .zero),
      ("007s", .seconds(7)),
    ] as [(String, Duration)]
  )
  func `a number with a unit is a span of time`(_ text: String, _ duration: Duration) {
    #expect(Duration(settingText: text) == duration)
  }

  @Test(
    arguments: [
      "", "s", "5", "5m", "5S", "-5s", "+5s", "1.5s", "1 0s", "5 s s", "1h30min", "5minutes", "٣s", "½s", "1e3s",
      "1000000001s", "99999999999999999999s",
    ]
  )
  func `anything else is refused`(_ text: String) {
    #expect(Duration(settingText: text) == nil)
  }

  @Test(
    arguments: [
      (.zero, "0ms"), (.milliseconds(250), "250ms"), (.milliseconds(1_500), "1500ms"), (.seconds(30), "30s"),
      (.seconds(90), "90s"), (.seconds(600), "10min"), (.seconds(5_400), "90min"), (.seconds(3_600), "1h"),
      (.seconds(86_400), "1d"), (.seconds(90_000), "25h"),
    ] as [(Duration, String)]
  )
  func `a span of time is written in its largest whole unit and reads back the same`(_ span: Duration, _ text: String) {
    #expect(span.settingText == text)
    #expect(Duration(settingText: text) == span)
  }
}
