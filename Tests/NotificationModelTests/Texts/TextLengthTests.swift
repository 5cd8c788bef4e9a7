import Foundation
import BelfryJSON
import Testing
import WallClock

@testable import NotificationModel

/// Texts have limits once they are filled in, and no more is put together than it takes to see that they are exceeded.
@Suite struct TextLengthTests {
  private let large = ["x": String(repeating: "a", count: 3_900)]

  private func excess(_ title: String, _ body: String, _ data: [String: String]) throws -> [TextField] {
    let text = try LocalizedTemplate(title: title, body: body).render(title: nil, body: nil, data: data)
    if !text.excess.isEmpty { #expect(text.title.isEmpty && text.body.isEmpty) }
    return text.excess
  }

  @Test func `a text of one character more than the limit is sent to nobody, accents or not`() throws {
    for (character, count) in [("a", 3_999), ("e\u{301}", 3_999), ("👩‍👧", 100)] {
      let data = ["x": String(repeating: character, count: count)]
      #expect(try excess("T", "{{x}}!", data).isEmpty)
    }
    #expect(try excess("T", "{{x}}!!", ["x": String(repeating: "a", count: 3_999)]) == [.body])
    #expect(try excess("{{x}}", "B", ["x": String(repeating: "ä", count: 200)]).isEmpty)
    #expect(try excess("{{x}}!", "B", ["x": String(repeating: "ä", count: 200)]) == [.title])
    #expect(try excess("{{x}}", "{{x}}{{x}}", large) == [.title, .body])
  }

  @Test func `what is shown counts, whatever stands in other sections`() throws {
    let hidden = "{{^x}}{{x}}{{x}}{{/x}}{{#y}}{{x}}{{x}}{{/y}}{{#x=b}}{{x}}{{x}}{{/x=b}}"
    #expect(try excess("T", hidden + "{{#x}}{{.}}{{/x}}", large).isEmpty)
    #expect(try excess("T", hidden + "{{#x}}{{.}}{{x}}{{/x}}", large) == [.body])
    #expect(try excess("T", hidden.replacing("^x", with: "#x").replacing("/y", with: "/y"), large) == [.body])
  }

  @Test func `three megabytes are not put together to see that they are too much`() throws {
    let part = try NotificationTemplate.Part(String(repeating: "{{x}}", count: 790))
    #expect(part.render(large) == nil)
    let sections = try NotificationTemplate.Part(String(repeating: "{{#x}}{{x}}{{/x}}", count: 230))
    #expect(sections.render(large) == nil)
    #expect(part.render(large, within: 790 * 3_900)?.utf8.count == 790 * 3_900)
    #expect(try NotificationTemplate.Part("plain").render([:], within: 4) == nil)
  }

  @Test func `a filter is asked once for a text, however often its value stands there`() throws {
    let filtered = String(repeating: "{{n|money:EUR}} {{n|number}} ", count: 130)
    let part = try NotificationTemplate.Part(filtered)
    #expect(part.render(["n": "1"]) == String(repeating: "€1.00 1 ", count: 130))
    let mixed = try NotificationTemplate.Part(filtered + "{{#n}}!{{/n}}")
    #expect(mixed.render(["n": "1"]) == String(repeating: "€1.00 1 ", count: 130) + "!")
  }

  @Test func `a body that its type cuts is cut as before`() throws {
    let template = try LocalizedTemplate(title: "T", body: "{{x}}{{x}}")
    var short = template
    short.maximumBodyLength = 10
    #expect(short.render(title: nil, body: nil, data: large).body == "aaaaaaaaaa")
    #expect(short.render(title: nil, body: nil, data: large).excess.isEmpty)
    #expect(template.render(title: nil, body: nil, data: large).excess == [.body])
  }

  @Test func `a key is its text, or a hash of its values where it is long`() throws {
    let part = try NotificationTemplate.Part("{{x}}:{{y}}")
    #expect(part.key(["x": "1", "y": "2"]) == "1:2")
    let long = part.key(["x": large["x"]!, "y": "2"])
    #expect(long.hasPrefix("sha256:") && long.utf8.count == 71)
    #expect(long == part.key(["x": large["x"]!, "y": "2", "z": "other"]))
    #expect(long != part.key(["x": large["x"]!, "y": "3"]))
  }

  private static let catalogue = Result {
    try Catalogue(
      overrides: """
        version: 1
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
        types:
        - { code: 900, name: Long, category: X, title: "{{a}}", body: { en: "{{x}}", de: "{{x}}{{x}}" }, maximumBodyLength: 4000 }
        - { code: 901, name: German, category: X, title: { en: "{{a}}", de: "Neu: {{a}}" } }
        """
    )
  }

  private func problems(_ fields: String) throws -> [String] {
    let json = #"{"to":{"group":"g"},\#(fields)}"#
    let catalogue = try Self.catalogue.get()
    do throws(ValidationError) {
      try FieldReader.read(SendRequest.self, from: Array(json.utf8)).accept(in: catalogue)
      return []
    } catch {
      return error.errors.map { "\($0.field): \($0.message)" }
    }
  }

  @Test func `a send is refused by the name of what would be too long, in whatever language`() throws {
    let words = String(repeating: "a", count: 198)
    #expect(try problems(#""type":901,"data":{"a":"short"}"#).isEmpty)
    let tooLong = "title: has more than 200 characters, or 800 bytes, once it is filled in"
    #expect(try problems(#""type":901,"data":{"a":"\#(words)"}"#) == [tooLong])
    #expect(try problems(#""type":901,"title":"Own","data":{"a":"\#(words)"}"#).isEmpty)
    // German has more than 4,000 characters before it is cut.
    #expect(try problems(#""type":900,"data":{"a":"A","x":"\#(String(repeating: "a", count: 3_900))"}"#).isEmpty)
  }

  private func schedule(_ fields: String) throws -> Schedule {
    let json = #"{"to":{"group":"g"},"recurrence":"FREQ=DAILY","time":"19:00","type":12,\#(fields)}"#
    return try FieldReader.read(ScheduleDefinition.self, from: Array(json.utf8))
      .resolve(in: Self.catalogue.get(), startingOn: .first)
  }

  @Test(arguments: [
    (#""title":"{{x}}","body":"B""#, ["title"]), (#""title":"{{x}}","body":"{{x}}{{x}}""#, ["title", "body"]),
    (#""body":"{{x}} {{due|date}}""#, []), (#""title":"{{date} now""#, ["title"]),
    (#""body":"date}} {{x}}""#, ["body"]),
  ])
  func `a new schedule is refused for what one that is stored goes on with`(_ fields: String, _ names: [String]) throws
  {
    // It can be read, and sent in part.
    let schedule = try schedule(#"\#(fields),"data":{"x":"\#(String(repeating: "a", count: 3_900))"}"#)
    let catalogue = try Self.catalogue.get()
    do throws(ValidationError) {
      try schedule.checkTexts(in: catalogue)
      #expect(names.isEmpty)
    } catch {
      #expect(error.errors.map(\.field) == names)
    }
  }
}
