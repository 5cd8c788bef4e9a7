import Foundation
import NotificationModel
import Testing

/// What a preview shows is what routing sends.
@Suite struct PreviewTests {
  private static let catalogue = Result {
    try Catalogue(
      overrides: """
        version: 1
        currency: EUR
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        categories: [{ name: X }, { name: News, mail: { unsubscribe: true } }]
        types:
        - { code: 904, name: Letter, category: News }
        - { code: 900, name: Greeting, category: X, title: "{{name}}",
            body: { en: "Hello: {{amount|money}}", de: "Hallo: {{amount|money}}", de-AT: "Servus: {{amount|money}}" } }
        - { code: 903, name: Trip, category: X, title: "{{name}}", body: Body, mail: { subject: "{{name}} in {{city}}" },
            actions: [{ id: GO, title: Go, link: "https://a.example/{{city}}" }] }
        - { code: 902, name: Farewell, category: X, title: "Bye {{name}}", example: { name: Ann } }
        """
    )
  }

  private func render(_ json: String) throws -> Preview.Renderings {
    try FieldReader.read(Preview.self, from: Array(json.utf8)).render(in: try Self.catalogue.get())
  }

  @Test(
    arguments: [
      (nil, "en"), ("en-GB", "en"), ("de", "de"), ("de-CH", "de"), ("de_at", "de-AT"), ("de-AT-1996", "de-AT"),
      ("fr", "en"),
    ]
  )
  func `a preview has the language and the words in which routing notifies the reader`(
    locale: String?,
    language: String
  ) throws {
    let named = locale.map { #","locale":"\#($0)""# } ?? ""
    let renderings = try render(#"{"type":"greeting","data":{"name":"Ann","amount":12.5}\#(named)}"#)
    #expect(renderings.locale == language)
    let type = renderings.type
    #expect(type.code == 900)
    let data = ["name": "Ann", "amount": "12.5"]
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: data),
      data: data,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 0),
      expiresAt: Date(timeIntervalSince1970: 60)
    )
    let worded = try #require(content.worded(Wording(data: data), as: type, for: .init(locale: locale)))
    #expect(renderings.channels.map(\.channel) == Channel.allCases)
    for rendering in renderings.channels {
      #expect(rendering.text == NotificationTemplate.Text(title: worded.title, body: worded.body))
    }
    #expect(worded.title == "Ann")
  }

  @Test func `the mail is shown as it is sent, and what its own words lack is named`() throws {
    let mail = try #require(try render(#"{"type":903,"data":{"name":"Ann","city":"Graz"},"locale":"de"}"#).mail)
    #expect(mail.subject == "Ann in Graz" && mail.text == "Body\n\nGo: https://a.example/Graz\n")
    #expect(mail.html.contains(">Ann in Graz</h1>") && mail.html.contains(#"href="https://a.example/Graz""#))
    #expect(!mail.html.contains("/unsubscribe/"))
    let letter = try #require(try render(#"{"type":904}"#).mail)
    let link = "https://belfry.example/unsubscribe/example"
    #expect(letter.text.hasSuffix(": \(link)\n") && letter.html.contains("href=\"\(link)\""))
    let refusal = #expect(throws: ValidationError.self) { try render(#"{"type":903,"data":{"name":"Ann"}}"#) }
    #expect(refusal?.errors == [FieldError("data.city", "is required by the mail of Trip")])
  }

  @Test func `without data the type's example is filled in, and what is given counts alone`() throws {
    #expect(try render(#"{"type":"Farewell"}"#).channels.first?.text.title == "Bye Ann")
    #expect(try render(#"{"type":902,"data":{"name":"Bob"}}"#).channels.first?.text.title == "Bye Bob")
    let refusal = #expect(throws: ValidationError.self) { try render(#"{"type":902,"data":{}}"#) }
    #expect(refusal?.errors.map(\.field) == ["data.name"])
  }

  @Test(
    arguments: [
      (#"{"type":900}"#, ["data.amount", "data.name"]),
      (#"{"type":900,"data":{"name":"Ann","amount":null}}"#, ["data.amount"]),
      (#"{"type":901,"data":{}}"#, ["type"]), (#"{"type":"Nothing"}"#, ["type"]), (#"{"type":[]}"#, ["type"]),
      (#"{"data":{}}"#, ["type"]), (#"{"type":900,"data":{"a":{}}}"#, ["data.a"]),
      (#"{"type":900,"locale":"a language"}"#, ["locale"]), (#"{"type":900,"locale":""}"#, ["locale"]),
      (#"{"type":900,"locale":7}"#, ["locale"]), (#"{"type":900,"langauge":"de"}"#, ["langauge"]),
      (#"{"type":{},"locale":"!","data":[]}"#, ["data", "locale", "type"]),
    ]
  )
  func `what cannot be worded is refused by name`(_ json: String, _ fields: [String]) throws {
    let refusal = #expect(throws: ValidationError.self) { try render(json) }
    #expect(refusal?.errors.map(\.field).sorted() == fields)
  }
}
