import Foundation
import NotificationModel
import Testing

@Suite struct SendRequestTests {
  private static let mia = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"
  private static let tom = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
  private static let toMia = #""to":{"users":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]}"#

  private func read(_ json: String) throws -> SendRequest {
    try FieldReader.read(SendRequest.self, from: Array(json.utf8))
  }

  /// A request to one person with more fields.
  private func readWith(_ fields: String) throws -> SendRequest {
    try read("{\(Self.toMia),\"type\":10,\(fields)}")
  }

  private func errors(_ json: String) -> [FieldError] {
    do {
      _ = try read(json)
      return []
    } catch let error as ValidationError {
      return error.errors
    } catch {
      return [FieldError("?", "\(error)")]
    }
  }

  private func errorsWith(_ fields: String) -> [FieldError] {
    errors("{\(Self.toMia),\"type\":10,\(fields)}")
  }

  @Test func `every field is read`() throws {
    let request = try read(
      """
      {"to": {"users": ["\(Self.mia.uppercased())", "\(Self.tom)"], "except": ["\(Self.tom)"]},
       "type": "AllowanceDeposit", "title": "Hello", "body": "Two\\nlines",
       "data": {"amount": "$10.00", "count": 3, "ratio": 0.5, "done": true, "nothing": null},
       "relatedEntityType": "Transaction", "relatedEntityId": "t-1", "channels": ["inApp", 2, "EMAIL"],
       "expiresAt": "2026-01-31T08:00:00Z", "collapseKey": "balance"}
      """
    )
    #expect(request.audience == .users([try #require(UserID(Self.mia))]))
    #expect(request.type == .name("AllowanceDeposit"))
    #expect(request.title == "Hello")
    #expect(request.body == "Two\nlines")
    #expect(request.data == ["amount": "$10.00", "count": "3", "ratio": "0.5", "done": "true"])
    #expect(request.literals == ["count", "ratio", "done"])
    #expect(request.relatedEntityType == "Transaction")
    #expect(request.relatedEntityID == "t-1")
    #expect(request.channels == [.inApp, .push, .email])
    #expect(request.expiresAt == Date(timeIntervalSince1970: 1_769_846_400))
    #expect(request.collapseKey == "balance")
  }

  @Test func `fields that are null count as absent`() throws {
    let request = try read(
      """
      {"to": {"users": ["\(Self.mia)"], "group": null, "except": null, "everyone": false, "topic": null}, "type": 10,
       "title": null, "body": null, "data": null, "relatedEntityType": null, "relatedEntityId": null,
       "channels": null, "sendAt": null, "expiresAt": null, "collapseKey": null}
      """
    )
    #expect(request.type == .code(10))
    #expect(request.title == nil)
    #expect(request.data.isEmpty)
    #expect(request.channels == nil)
    #expect(request.expiresAt == nil)
  }

  @Test func `a group is read with its exceptions`() throws {
    let request = try read(#"{"to":{"group":"family:1","except":["\#(Self.tom)"]},"type":"10"}"#)
    #expect(request.audience == .group("family:1", except: [try #require(UserID(Self.tom))]))
    #expect(request.type == .code(10))
  }

  @Test func `everyone is an audience, with its exceptions and with nothing beside it`() throws {
    let request = try read(#"{"to":{"everyone":true,"except":["\#(Self.tom)"],"users":null},"type":10}"#)
    #expect(request.audience == .everyone(except: [try #require(UserID(Self.tom))]))
    for (name, value) in [("users", #"["\#(Self.mia)"]"#), ("group", #""g""#)] {
      #expect(
        errors(#"{"to":{"everyone":true,"\#(name)":\#(value)},"type":10}"#)
          == [FieldError("to.\(name)", "give one of users, group and everyone, not several")]
      )
    }
    #expect(
      errors(#"{"to":{"everyone":"yes","group":"g"},"type":10}"#)
        == [FieldError("to.everyone", "expected true or false")]
    )
  }

  @Test func `a person named twice is notified once`() throws {
    let request = try read(#"{"to":{"users":["\#(Self.mia)","\#(Self.mia.uppercased())"]},"type":10}"#)
    #expect(request.audience == .users([try #require(UserID(Self.mia))]))
  }

  @Test func `exactly one kind of audience is needed`() {
    #expect(errors(#"{"type":10}"#) == [FieldError("to", "is required")])
    #expect(errors(#"{"to":{},"type":10}"#) == [FieldError("to.users", "is required, or group, or everyone")])
    #expect(
      errors(#"{"to":{"users":["\#(Self.mia)"],"group":"g"},"type":10}"#)
        == [FieldError("to.group", "give either users or group, not both")]
    )
    #expect(errors(#"{"to":{"users":[]},"type":10}"#) == [FieldError("to.users", "must not be empty")])
    #expect(errors(#"{"to":{"group":""},"type":10}"#) == [FieldError("to.group", "must not be empty")])
    #expect(errors(#"{"to":"everyone","type":10}"#) == [FieldError("to", "expected an object")])
  }

  @Test func `a topic is an audience, and so is a condition, with nothing beside it`() throws {
    #expect(try read(#"{"to":{"topic":"news"},"type":10}"#).audience == .topic(try TopicAudience(topic: "news")))
    let condition = "'a' in topics && 'b' in topics"
    #expect(
      try read(#"{"to":{"condition":"\#(condition)","topic":null},"type":10}"#).audience
        == .topic(try TopicAudience(condition: condition))
    )
    for (name, value) in [("users", #"["\#(Self.mia)"]"#), ("group", #""g""#), ("except", #"["\#(Self.mia)"]"#)] {
      #expect(
        errors(#"{"to":{"topic":"news","\#(name)":\#(value)},"type":10}"#)
          == [FieldError("to.\(name)", "give it or topic, not both")]
      )
    }
    #expect(
      errors(#"{"to":{"condition":"\#(condition)","everyone":true},"type":10}"#)
        == [FieldError("to.everyone", "give it or condition, not both")]
    )
    #expect(
      errors(#"{"to":{"topic":"news","condition":"\#(condition)"},"type":10}"#)
        == [FieldError("to.condition", "give it or topic, not both")]
    )
    #expect(errors(#"{"to":{"topic":7},"type":10}"#) == [FieldError("to.topic", "expected a string")])
    #expect(errors(#"{"to":{"topic":"a b"},"type":10}"#).map(\.field) == ["to.topic"])
    #expect(errors(#"{"to":{"condition":"news"},"type":10}"#).map(\.field) == ["to.condition"])
  }

  @Test func `a topic gets pushes alone, through FCM`() throws {
    func fields(_ more: String) -> [String] { errors(#"{"to":{"topic":"news"},"type":10\#(more)}"#).map(\.field) }
    #expect(fields(#","channels":["inApp","email"]"#) == ["channels"])
    #expect(fields(#","channels":["inApp","push"]"#) == [])
    #expect(fields(#","silent":true"#) == ["silent"])
    #expect(fields(#","silent":false,"collapseKey":"k","expiresAt":"2026-01-31T08:00:00Z""#) == [])
    let other = Channel.routing(pushingBy: PushProviders([.apns]))
    #expect(throws: ValidationError.self) {
      try FieldReader.read(SendRequest.self, from: Array(#"{"to":{"topic":"news"},"type":10}"#.utf8), routing: other)
    }
  }

  @Test func `data that a topic has no room for is refused when the send is accepted`() throws {
    let catalogue = try Catalogue()
    func problems(_ bytes: Int, to audience: String) throws -> [String] {
      let data = #"{"k":"\#(String(repeating: "v", count: bytes - 1))"}"#
      let request = try read(#"{"to":\#(audience),"type":99,"title":"a","body":"b","data":\#(data)}"#)
      do throws(ValidationError) {
        try request.accept(in: catalogue)
        return []
      } catch {
        return error.errors.map(\.field)
      }
    }
    #expect(try problems(SendRequest.maximumTopicData, to: #"{"topic":"news"}"#) == [])
    #expect(try problems(SendRequest.maximumTopicData + 1, to: #"{"topic":"news"}"#) == ["data"])
    #expect(try problems(SendRequest.maximumTopicData + 1, to: #"{"group":"g"}"#) == [])
  }

  @Test func `unknown fields are named wherever they stand`() {
    #expect(
      errors(#"{"to":{"users":["\#(Self.mia)"],"excpet":[]},"type":10,"chanels":["push"]}"#)
        == [FieldError("chanels", "is not a known field"), FieldError("to.excpet", "is not a known field")]
    )
  }

  @Test(
    arguments: [
      (#""title":5"#, "title", "expected a string"), (#""body":["a"]"#, "body", "expected a string"),
      (#""data":"x""#, "data", "expected an object"), (#""data":[]"#, "data", "expected an object"),
      (#""data":{"a":{}}"#, "data.a", "expected a string, a number or a boolean"),
      (#""data":{"a":[1]}"#, "data.a", "expected a string, a number or a boolean"),
      (#""relatedEntityType":true"#, "relatedEntityType", "expected a string"),
      (#""relatedEntityId":7"#, "relatedEntityId", "expected a string"),
      (#""channels":"push""#, "channels", "expected a list of channels: inApp (1), push (2), email (3)"),
      (#""channels":["sms"]"#, "channels[0]", "expected inApp (1), push (2) or email (3)"),
      (#""channels":[1,4]"#, "channels[1]", "expected inApp (1), push (2) or email (3)"),
      (#""channels":[true]"#, "channels[0]", "expected inApp (1), push (2) or email (3)"),
      (#""channels":[]"#, "channels", "must not be empty"),
      (#""expiresAt":"tomorrow""#, "expiresAt", "expected a time such as 2026-01-31T08:00:00Z"),
      (#""expiresAt":1769846400"#, "expiresAt", "expected a time such as 2026-01-31T08:00:00Z"),
      (#""collapseKey":{}"#, "collapseKey", "expected a string"),
    ]
  )
  func `a value of the wrong kind is reported with its field`(_ json: String, _ field: String, _ message: String) {
    #expect(errorsWith(json) == [FieldError(field, message)])
  }

  @Test(arguments: ["1.5", "true", "{}", "[]", "null"])
  func `a type is a code or a name`(_ json: String) {
    #expect(errors("{\(Self.toMia),\"type\":\(json)}").map(\.field) == ["type"])
  }

  @Test func `users are a list of ids`() {
    #expect(
      errors(#"{"to":{"users":["\#(Self.mia)",""]},"type":10}"#)
        == [
          FieldError("to.users[1]", "expected a user id: 1 to 128 characters without control characters, not . or ..")
        ]
    )
    #expect(
      errors(#"{"to":{"users":"\#(Self.mia)"},"type":10}"#)
        == [FieldError("to.users", "expected a list of user ids")]
    )
    #expect(
      errors(#"{"to":{"group":"g","except":[1]},"type":10}"#)
        == [FieldError("to.except", "expected a list of user ids")]
    )
  }

  @Test(
    arguments: [
      ("title", 200), ("body", 4_000), ("relatedEntityType", 64), ("relatedEntityId", 128), ("collapseKey", 64),
    ]
  )
  func `a text may be as long as its limit and no longer`(_ field: String, _ limit: Int) throws {
    _ = try readWith("\"\(field)\":\"\(String(repeating: "x", count: limit))\"")
    #expect(
      errorsWith("\"\(field)\":\"\(String(repeating: "x", count: limit + 1))\"")
        == [FieldError(field, "has \(limit + 1) characters; at most \(limit) are allowed")]
    )
  }

  @Test(arguments: [("title", 200), ("body", 4_000), ("relatedEntityType", 64), ("relatedEntityId", 128)])
  func `a text has at most four bytes for each character that it may have`(_ field: String, _ limit: Int) throws {
    _ = try readWith("\"\(field)\":\"\(String(repeating: "👋", count: limit))\"")
    let tall = "e" + String(repeating: "\u{301}", count: 2 * limit)
    #expect(tall.count == 1)
    #expect(
      errorsWith("\"\(field)\":\"\(tall)\"")
        == [FieldError(field, "has \(4 * limit + 1) bytes; at most \(4 * limit) are allowed")]
    )
  }

  @Test func `a name that somebody made up is reported in a few words`() {
    let tall = "e" + String(repeating: "\u{301}", count: 10_000)
    let problems = errors(#"{"to":{"group":"g"},"type":"\#(tall)","\#(tall)":1,"data":{"\#(tall)":1}}"#)
    #expect(problems.count == 2)
    #expect(problems.allSatisfy { $0.field.utf8.count < 300 && $0.message.utf8.count < 300 })
  }

  @Test(arguments: ["", "two words", "é", "👋"])
  func `a collapse key is visible ASCII, as APNs asks`(_ key: String) {
    #expect(
      errorsWith(#""collapseKey":"\#(key)""#)
        == [FieldError("collapseKey", "expected 1 to 64 visible ASCII characters")]
    )
  }

  @Test func `data may have line breaks and tabs, but no other control characters`() throws {
    #expect(try readWith(#""data":{"a":"x\n\r\ty"}"#).data == ["a": "x\n\r\ty"])
    #expect(
      errorsWith(#""data":{"a":"x\u0000y"}"#) == [FieldError("data.a", "must not contain control characters")]
    )
  }

  @Test func `a thousand people may be named and no more`() throws {
    func users(_ count: Int) -> String {
      let ids = (0..<count).map { "\"00000000-0000-4000-8000-\(String(1_000_000_000_000 + $0).dropFirst())\"" }
      return "{\"to\":{\"users\":[\(ids.joined(separator: ","))]},\"type\":10}"
    }
    guard case .users(let people) = try read(users(1_000)).audience else {
      Issue.record("expected users")
      return
    }
    #expect(people.count == 1_000)
    #expect(errors(users(1_001)) == [FieldError("to.users", "has 1001 entries; at most 1000 are allowed")])
  }

  @Test func `data has at most 64 entries and 4096 bytes`() throws {
    func data(_ count: Int) -> String {
      "\"data\":{\((0..<count).map { "\"k\($0)\":\"v\"" }.joined(separator: ","))}"
    }
    #expect(try readWith(data(64)).data.count == 64)
    #expect(errorsWith(data(65)) == [FieldError("data", "has 65 entries; at most 64 are allowed")])
    #expect(try readWith(#""data":{"k":"\#(String(repeating: "x", count: 4_095))"}"#).data.count == 1)
    #expect(
      errorsWith(#""data":{"k":"\#(String(repeating: "x", count: 4_096))"}"#)
        == [FieldError("data", "has 4097 bytes; at most 4096 are allowed")]
    )
  }

  @Test(arguments: ["from", "message_type", "google", "google.sent_time", "gcm", "gcm.n.e"])
  func `names that FCM reserves are refused`(_ name: String) {
    #expect(errorsWith(#""data":{"\#(name)":"x"}"#) == [FieldError("data.\(name)", "is a name reserved by FCM")])
  }

  @Test(arguments: [#"a\u0000b"#, #"a\u001bb"#, #"a\u007fb"#, #"a\nb"#, #"a\rb"#])
  func `a title has no control characters`(_ text: String) {
    #expect(errorsWith(#""title":"\#(text)""#) == [FieldError("title", "must not contain control characters")])
  }

  @Test func `99 stands for all channels`() throws {
    #expect(try readWith(#""channels":[99]"#).channels == [.inApp, .push, .email])
  }

  @Test(arguments: ["", "{", "{\"to\":}", "nonsense", "{} {}", "{\"type\":tru}", "{'type':10}"])
  func `malformed JSON is reported as such`(_ text: String) throws {
    let found = errors(text)
    #expect(found.count == 1)
    #expect(try #require(found.first).field == "")
    #expect(try #require(found.first).message.hasPrefix("malformed JSON"))
  }

  @Test func `bytes that are no UTF-8 are malformed`() {
    #expect(throws: ValidationError.self) {
      try FieldReader.read(SendRequest.self, from: Array(#"{"type":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8))
    }
  }

  @Test(arguments: ["[]", "5", "\"text\"", "true", "null"])
  func `a document that is no object is reported as such`(_ text: String) {
    #expect(errors(text) == [FieldError("", "expected a JSON object")])
  }

  @Test func `nesting without end is refused, not followed`() {
    let depth = 100_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(errorsWith("\"data\":{\"a\":\(text)}").map(\.field) == [""])
  }

  @Test func `everything that is wrong is reported at once`() {
    let found = errors(
      #"{"to":{"users":[""]},"type":true,"title":5,"channels":[9],"expiresAt":"soon","colour":"red"}"#
    )
    #expect(
      found.map(\.field).sorted() == ["channels[0]", "colour", "expiresAt", "title", "to.users[0]", "type"]
    )
  }

  @Test func `whole numbers count however they are written, and data keeps numbers as they are`() throws {
    let request = try read(
      #"{"to":{"users":["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]},"type":10.0,"channels":[2e0],"#
        + #""data":{"amount":10.50,"count":7,"on":true,"tiny":1e-7,"text":"7"}}"#
    )
    #expect(request.type == .code(10))
    #expect(request.channels == [.push])
    #expect(request.data == ["amount": "10.50", "count": "7", "on": "true", "tiny": "1e-7", "text": "7"])
    #expect(request.literals == ["amount", "count", "on"])
  }

  @Test func `a name in data has no control characters, which no database takes`() {
    #expect(errorsWith(#""data":{"a\u0000b":"x"}"#).map(\.message) == ["a name must not contain control characters"])
  }

  @Test func `not more problems are reported than anybody reads`() {
    let fields = (0..<5_000).map { "\"f\($0)\":1" }.joined(separator: ",")
    #expect(errors("{\(fields)}").count == 100)
  }

  @Test func `a problem reads as one line`() {
    let error = ValidationError([FieldError("", "malformed JSON"), FieldError("type", "is required")])
    #expect(error.description == "malformed JSON; type: is required")
  }

  @Test func `a type that the catalogue lacks is reported, and so is every missing variable`() throws {
    let catalogue = try Catalogue()
    #expect(throws: ValidationError.self) { try read("{\(Self.toMia),\"type\":77}").resolve(in: catalogue) }
    do {
      _ = try readWith(#""data":{"balance":"$1"}"#).resolve(in: catalogue)
      Issue.record("expected an error")
    } catch let error as ValidationError {
      #expect(error.errors == [FieldError("data.amount", "is required by the template of AllowanceDeposit")])
    }
    #expect(try readWith(#""title":"T","body":"B""#).resolve(in: catalogue).code == 10)
    #expect(try readWith(#""data":{"balance":"$1","amount":"$2"}"#).resolve(in: catalogue).code == 10)
  }
}
