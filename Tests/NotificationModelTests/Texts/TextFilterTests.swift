import Foundation
import NotificationModel
import Testing

@Suite struct TextFilterTests {
  /// German puts a no-break space before the sign.
  @Test(
    arguments: [
      ("money", "12.5", "en-US", "USD", "$12.50"), ("money", "1234567.891", "en", "USD", "$1,234,567.89"),
      ("money", "-3", "en", "USD", "-$3.00"), ("money", "12.5", "de", "EUR", "12,50\u{A0}€"),
      ("money", "1200", "de-DE", "EUR", "1.200,00\u{A0}€"), ("money", "12.5", "de", "USD", "12,50\u{A0}$"),
      ("money", "1200", "de-AT", "EUR", "€\u{A0}1.200,00"), ("money", "1500", "en", "JPY", "¥1,500"),
      ("money:EUR", "12.5", "en", "USD", "€12.50"), ("price", "15", "en", "USD", "$15"),
      ("price", "15.00", "en", "USD", "$15"), ("price", "15.99", "en", "USD", "$15.99"),
      ("price", "1200", "de", "EUR", "1.200\u{A0}€"), ("number", "1234.50", "en", "USD", "1,234.5"),
      ("number", "1e2", "en", "USD", "100"), ("number", "-0.5E+1", "en", "USD", "-5"),
      ("number", "007", "en", "USD", "7"),
      ("number", "1234.50", "de", "USD", "1.234,5"), ("date", "2026-11-22", "en", "USD", "November 22, 2026"),
      ("date", "2026-11-22", "de", "USD", "22. November 2026"),
      ("date", "2026-11-22T23:30:00Z", "de", "USD", "23. November 2026"), ("inDays", "3", "en", "USD", "in 3 days"),
      ("inDays", "1", "en", "USD", "tomorrow"), ("inDays", "0", "en", "USD", "today"),
      ("inDays", "-1", "en", "USD", "yesterday"), ("inDays", "-2", "en", "USD", "2 days ago"),
      ("inDays", "3", "de", "USD", "in 3 Tagen"), ("inDays", "1", "de-AT", "USD", "morgen"),
    ]
  )
  func `a value is written as its reader would`(
    filter: String,
    value: String,
    locale: String,
    currency: String,
    text: String
  ) throws {
    let zone = TimeZone(identifier: "Europe/Berlin")
    let formats = TextFormats(locale: locale, timeZone: zone, currency: currency)
    #expect(try TextFilter(filter).text(value, formats) == text)
  }

  @Test(
    arguments: [
      ("money", "$10.00"), ("money", "12 apples"), ("money", ""), ("price", "NaN"), ("number", "1,5"),
      ("number", "1."), ("number", ".5"), ("number", "1e"), ("number", "1e100"), ("number", "--1"), ("number", "+1"),
      ("number", "\u{FF11}"), ("number", " 1"), ("number", "1 "), ("number", "-"),
      ("date", "2026-02-30"), ("date", "Friday"), ("inDays", "3.5"), ("inDays", "99999999999"),
    ]
  )
  func `a value of another kind stays as it came`(filter: String, value: String) throws {
    #expect(try TextFilter(filter).text(value, TextFormats(locale: "en", currency: "USD")) == value)
  }

  @Test func `an amount is in the data's currency, or in that of the variable the filter names`() throws {
    let data = ["amount": "5", "currency": "EUR", "own": "GBP", "bad": "pounds"]
    let part = try NotificationTemplate.Part("{{amount|money}} {{amount|money:@own}} {{amount|money:@bad}}")
    #expect(part.render(data) == "€5.00 £5.00 $5.00")
    #expect(part.variables == ["amount"])
  }

  @Test func `numbers follow the reader, words the language of the text`() throws {
    let formats = TextFormats(locale: "de-AT", language: "en", currency: "EUR")
    #expect(try TextFilter("money").text("5", formats) == "€\u{A0}5,00")
    #expect(try TextFilter("inDays").text("1", formats) == "tomorrow")
    #expect(try TextFilter("date").text("2026-11-22", formats) == "November 22, 2026")
  }
}
