import NotificationModel
import Testing

@Suite struct LocalizedTemplateTests {
  private func type(_ fields: String, locale: String = "en") throws -> NotificationType {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        defaultLocale: \(locale)
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        types: [{ code: 900, name: A, category: X, \(fields) }]
        """
    )
    return try #require(catalogue.type(.code(900)))
  }

  private func body(_ template: LocalizedTemplate, _ data: [String: String] = [:], _ locale: String? = nil) -> String {
    template.render(title: nil, body: nil, data: data, locale: locale).body
  }

  @Test(
    arguments: [
      ("de-AT", "Servus"), ("de_at", "Servus"), ("de-CH", "Hallo"), ("de", "Hallo"), ("DE", "Hallo"),
      ("en-US", "Hello"),
      ("fr", "Hello"), ("", "Hello"), ("not a locale", "Hello"), (nil, "Hello"),
    ]
  )
  func `a reader gets the locale, else its language, else the default`(locale: String?, text: String) throws {
    let template = try type("body: { en: Hello, de: Hallo, de-AT: Servus }").template
    #expect(body(template, [:], locale) == text)
    #expect(template.locales == ["de", "de-AT", "en"])
  }

  @Test func `the default is the catalogue's`() throws {
    let template = try type("title: { en: Hello, de: Hallo }", locale: "de").template
    #expect(template.render(title: nil, body: nil, data: [:]).title == "Hallo")
    #expect(template.render(title: nil, body: nil, data: [:], locale: "fr").title == "Hallo")
  }

  @Test func `a button has its text in the reader's language`() throws {
    let action = try #require(try type("actions: [{ id: V, title: { en: View, de: Ansehen } }]").actions.first)
    #expect(action.title.text(locale: "de-CH") == "Ansehen")
    #expect(action.title.text(locale: nil) == "View")
  }

  @Test(
    arguments: [
      ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"), ("🇩🇪🇦🇹🇨🇭🇫🇷", "🇩🇪🇦🇹🇨🇭"), ("e\u{301}e\u{301}e\u{301}e\u{301}", "e\u{301}e\u{301}e\u{301}"),
      ("abcd", "abc"), ("abc", "abc"), ("a\r\nb", "a\r\nb"), ("👍🏽👍🏽👍🏽!", "👍🏽👍🏽👍🏽"),
    ]
  )
  func `a body has so many characters as a person counts them`(text: String, cut: String) throws {
    let template = try type("body: '{{text}}', maximumBodyLength: 3").template
    #expect(body(template, ["text": text]) == cut)
    #expect(template.render(title: nil, body: text, data: [:]).body == text)
  }

  @Test func `a section is left out for nothing, for an empty text, and for false`() throws {
    let template = try type("body: 'A{{#b}} and {{.}}{{/b}}{{^b}} alone{{/b}}'").template
    #expect(body(template) == "A alone")
    #expect(body(template, ["b": ""]) == "A alone")
    #expect(body(template, ["b": "false"]) == "A alone")
    #expect(body(template, ["b": "B"]) == "A and B")
  }

  @Test func `a section for a value is shown for that value, and needs what is in it`() throws {
    let template = try type("body: '{{#p=day}}{{spent}} today{{/p=day}}{{^p=day}}later{{/p=day}}'").template
    #expect(template.missing(in: [:]) == ["p"])
    #expect(template.missing(in: ["p": "day"]) == ["spent"])
    #expect(template.missing(in: ["p": "week"]).isEmpty)
    #expect(body(template, ["p": "day", "spent": "5"]) == "5 today")
    #expect(body(template, ["p": "week"]) == "later")
  }

  @Test(
    arguments: [
      "{{a}}", "{{ a }}, {{{b}}} and {{& a}}.", "a {{a}}{{b}} <&> é 👍🏽", "{{a}}\n{{b}}\n", "{{b|number}} {{a|money}}!",
      "{ {{a}} }", "{{! nothing }}{{a}}", "\n{{a}}",
    ],
    [
      ["a": "1.5", "b": "x <y>"], ["a": "", "b": "false"], ["a": "{{b}}", "b": "true"], ["b": "é 👍🏽"], [:],
    ]
  )
  func `a text without sections reads as one whose section is left out`(text: String, data: [String: String]) throws {
    let parts = try [text, "\(text){{#never}}!{{/never}}"].map { try NotificationTemplate.Part($0) }
    #expect(parts[0].render(data) == parts[1].render(data))
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
  func `a title is one line`(lineBreak: String) throws {
    let template = try type("title: '{{text}}'").template
    let text = "\(lineBreak)Ä\(lineBreak)\(lineBreak)b"
    #expect(template.render(title: nil, body: nil, data: ["text": text]).title == "Ä b")
  }
}
