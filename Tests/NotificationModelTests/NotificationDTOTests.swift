import Foundation
import BelfryJSON
import NotificationModel
import Testing

/// Data as text and as an object.
struct NotificationDTOTests {
  private func members(_ data: [String: String], literals: Set<String> = []) throws -> (
    text: JSONValue?, object: JSONValue?
  ) {
    let type = try #require(try Catalogue().type(.code(10)))
    let content = NotificationContent(
      type: type,
      text: .init(title: "T", body: "B"),
      data: data,
      literals: literals,
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now + 60
    )
    let members = NotificationDTO.Shared(content, catalogue: nil).members(now: .now)
    try #require(members.count { $0.name == "dataObject" } == 1)
    return (members["data"], members["dataObject"])
  }

  @Test func `what came as a number or boolean is one in the object, and a text in the text`() throws {
    let data = ["amount": "10.50", "id": "007", "on": "true", "off": "false", "count": "3", "answer": "true"]
    let (text, object) = try members(data, literals: ["amount", "on", "off", "count", "not there"])
    #expect(text == .string(#"{"amount":"10.50","answer":"true","count":"3","id":"007","off":"false","on":"true"}"#))
    #expect(
      try #require(object.map(JSONWriter.text))
        == #"{"amount":10.50,"answer":"true","count":3,"id":"007","off":false,"on":true}"#
    )
  }

  @Test func `without numbers the text is the object's`() throws {
    let (text, object) = try members(["b": "x \"y\"\n", "a": "1"])
    #expect(text?.string == #"{"a":"1","b":"x \"y\"\u000a"}"#)
    #expect(object.map(JSONWriter.text) == text?.string)
  }

  @Test func `without data both are null`() throws {
    let (text, object) = try members([:], literals: ["a"])
    #expect(text == nil && object == nil)
  }

  @Test(arguments: [
    "01", "1e3", "-", "+1", "1.", ".5", "NaN", "1 ", "-0", "-0.00", "", "\",\"x\":1", "١", "TRUE", "1.2.3",
  ])
  func `a text that is no literal, or none that a database keeps, stays a text whatever is said of it`(_ text: String)
    throws
  {
    #expect(!DataLiteral.isKept(text))
    let (_, object) = try members(["a": text], literals: ["a"])
    #expect(object?["a"] == .string(text))
  }

  @Test(arguments: ["0", "1", "-1", "0.0", "-0.5", "10.50", "12345678901234567890", "true", "false"])
  func `a literal is read back as it was written`(_ text: String) throws {
    #expect(DataLiteral.isKept(text))
    let object = JSONValue(data: ["a": text, "b": text], literals: ["a"])
    #expect(object["a"] != .string(text) && object["b"] == .string(text))
    let (texts, literals) = try JSONParser.parse(Array(JSONWriter.text(object).utf8)).data
    #expect(texts == ["a": text, "b": text])
    #expect(literals == ["a"])
  }
}
