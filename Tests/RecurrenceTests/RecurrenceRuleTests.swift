import Recurrence
import Testing

@Suite struct RecurrenceRuleTests {
  @Test(
    arguments: [
      ("FREQ=DAILY", "FREQ=DAILY"), ("RRULE:FREQ=DAILY;INTERVAL=1;WKST=MO", "FREQ=DAILY"),
      ("byday=mo,-1fr;freq=monthly", "FREQ=MONTHLY;BYDAY=-1FR,MO"),
      ("WKST=SU;UNTIL=20261122;FREQ=WEEKLY;INTERVAL=2", "FREQ=WEEKLY;INTERVAL=2;UNTIL=20261122;WKST=SU"),
      ("FREQ=YEARLY;UNTIL=20261122T080000Z", "FREQ=YEARLY;UNTIL=20261122T080000Z"),
      ("FREQ=YEARLY;BYMONTHDAY=31,-31,+2;BYMONTH=12,01", "FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=-31,2,31"),
      ("FREQ=YEARLY;BYDAY=+53MO,-53SU;COUNT=7", "FREQ=YEARLY;COUNT=7;BYDAY=-53SU,53MO"),
    ]
  )
  func `a rule is written in one way, and reads back`(_ text: String, _ canonical: String) throws {
    let rule = try RecurrenceRule(text)
    #expect(rule.description == canonical)
    #expect(try RecurrenceRule(canonical) == rule)
  }

  @Test(
    arguments: [
      ("", "The rule is empty"), ("RRULE:", "The rule is empty"), ("COUNT=3", "FREQ is missing"),
      ("FREQ=DAILY;", "The rule has an empty part"), ("FREQ", "The rule has a part without \"=\""),
      ("FREQ=HOURLY", "FREQ=HOURLY is not supported"), ("FREQ=OFTEN", "FREQ is not a frequency"),
      ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1", "BYSETPOS is not supported"),
      ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO is not supported"),
      ("FREQ=YEARLY;BYYEARDAY=1", "BYYEARDAY is not supported"),
      ("FREQ=DAILY;BYHOUR=9", "BYHOUR is not supported"),
      ("FREQ=DAILY;X-A=9", "X-A is not a part of a recurrence rule"),
      ("FREQ=DAILY;FREQ=DAILY", "FREQ stands there twice"), ("FREQ=DAILY;X=1;x=2", "X stands there twice"),
      ("FREQ=DAILY;COUNT=3;UNTIL=20261122", "UNTIL cannot stand together with COUNT"),
      ("FREQ=DAILY;COUNT=0", "COUNT must be 1 to 10000"), ("FREQ=DAILY;COUNT=1e3", "COUNT must be 1 to 10000"),
      ("FREQ=DAILY;COUNT=99999999999999999999", "COUNT must be 1 to 10000"),
      ("FREQ=DAILY;INTERVAL=0", "INTERVAL must be 1 to 1000"), ("FREQ=DAILY;INTERVAL=+2", "INTERVAL must be 1 to 1000"),
      ("FREQ=DAILY;INTERVAL=1001", "INTERVAL must be 1 to 1000"),
      ("FREQ=DAILY;INTERVAL=", "INTERVAL must be 1 to 1000"),
      ("FREQ=DAILY;UNTIL=2026-11-22", "UNTIL must be a date (20261122) or a time in UTC (20261122T080000Z)"),
      ("FREQ=DAILY;UNTIL=20260230", "UNTIL must be a date (20261122) or a time in UTC (20261122T080000Z)"),
      ("FREQ=DAILY;UNTIL=20261122T080000", "UNTIL must be a date (20261122) or a time in UTC (20261122T080000Z)"),
      ("FREQ=DAILY;UNTIL=20261122T240000Z", "UNTIL must be a date (20261122) or a time in UTC (20261122T080000Z)"),
      ("FREQ=DAILY;WKST=1", "WKST must be one of MO, TU, WE, TH, FR, SA, SU"),
      ("FREQ=DAILY;BYMONTH=13", "BYMONTH cannot have \"13\""), ("FREQ=DAILY;BYMONTH=-1", "BYMONTH cannot have \"-1\""),
      ("FREQ=DAILY;BYMONTH=1,1", "BYMONTH has 1 twice"), ("FREQ=DAILY;BYMONTH=1,", "BYMONTH cannot have \"\""),
      ("FREQ=DAILY;BYMONTHDAY=0", "BYMONTHDAY cannot have \"0\""),
      ("FREQ=DAILY;BYMONTHDAY=32", "BYMONTHDAY cannot have \"32\""),
      ("FREQ=DAILY;BYMONTHDAY=+000000001X", "BYMONTHDAY cannot have \"+000000001X\""),
      ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY cannot have \"0MO\""), ("FREQ=MONTHLY;BYDAY=MON", "BYDAY cannot have \"MON\""),
      ("FREQ=YEARLY;BYDAY=54MO", "BYDAY cannot have \"54MO\""), ("FREQ=MONTHLY;BYDAY=1MO,+1MO", "BYDAY has +1MO twice"),
      ("FREQ=MONTHLY;BYDAY=\u{7}é\u{202E}", "BYDAY cannot have \"???\""),
      ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY can have ordinals (1MO) in monthly and yearly rules only"),
      ("FREQ=DAILY;BYDAY=-1MO", "BYDAY can have ordinals (-1MO) in monthly and yearly rules only"),
      ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY cannot stand in a weekly rule"),
      ("FREQ=MONTHLY;BYDAY=6MO", "BYDAY has 6MO, but no month has more than five of a weekday"),
      ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "BYMONTH with BYMONTHDAY matches no date"),
      ("FREQ=DAILY;BYMONTH=4,6;BYMONTHDAY=31,-31", "BYMONTH with BYMONTHDAY matches no date"),
      ("FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=2MO", "BYMONTHDAY with BYDAY matches no date"),
    ]
  )
  func `what cannot be is refused by name`(_ text: String, _ expected: String) {
    let error = #expect(throws: RecurrenceError.self) { try RecurrenceRule(text) }
    #expect(error?.description == expected)
  }

  @Test func `a text of any length is refused before it is read`() {
    let error = #expect(throws: RecurrenceError.self) {
      try RecurrenceRule("FREQ=DAILY;" + String(repeating: "A=1;", count: 1_000_000))
    }
    #expect(error?.description == "The rule is longer than 1000 bytes")
  }
}
