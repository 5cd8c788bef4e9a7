import Foundation
import BelfryJSON
import NotificationModel
import Testing
import UserIdentity

@Suite struct UserIdentifierTests {
  @Test func `a UUID in either case is itself, and no text`() throws {
    let id = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"
    for text in [id, id.uppercased()] {
      let user = try #require(UserIdentifier(text))
      #expect(user.uuid == UUID(uuidString: id) && user.text == nil && user.description == id && !user.isContestable)
    }
  }

  /// The namespace never changes: whatever is stored hangs on it. The values are Python's `uuid.uuid5`.
  @Test(
    arguments: [
      ("42", "5a44fca0-a38a-5e84-973c-614c20bd34aa"), ("shop/Käthe 7", "91cd04b5-189a-5fcb-92de-3504259a5772"),
      ("Élise", "40b27ea6-cea3-5c0a-aa14-cd546c36a060"), (" a ", "80922eae-4e07-5ff4-9440-775a2dc18e7e"),
      ("a%2Fb", "292d1c95-c85c-5f1f-b2b8-c5eb376bb636"),
      ("👩‍👩‍👧‍👦", "f20fd756-7693-5bdb-8a05-36f5716a433d"),
    ]
  )
  func `any other text is a UUIDv5 of a fixed namespace, and kept as it is`(_ text: String, _ id: String) throws {
    let user = try #require(UserIdentifier(text))
    #expect(user.uuid.uuidString.lowercased() == id)
    #expect(user.isSpelled(text) && user.uuid.isVersion5 && user.isContestable)
  }

  @Test func `two spellings of one letter are two users, as are capitals, spaces and lengths`() throws {
    let texts = ["Élise", "E\u{301}lise", "élise", "Élise ", " Élise", "6F1C2B7E3D4A4E5F8A9B0C1D2E3F4A5B", "Elise"]
    let users = try texts.map { try #require(UserIdentifier($0)) }
    #expect(Set(users.map(\.uuid)).count == texts.count)
    #expect(Set(users).count == texts.count)
    #expect(!users[0].isSpelled(texts[1]))
  }

  @Test func `128 characters are taken, of at most 512 bytes, and not one more`() {
    #expect(UserIdentifier(String(repeating: "a", count: 128)) != nil)
    #expect(UserIdentifier(String(repeating: "😀", count: 128)) != nil)
    #expect(UserIdentifier(String(repeating: "a", count: 129)) == nil)
    #expect(UserIdentifier(String(repeating: "😀", count: 129)) == nil)
    // 128 characters, each of 25 bytes.
    #expect(UserIdentifier(String(repeating: "👩‍👩‍👧‍👦", count: 128)) == nil)
  }

  @Test(arguments: ["", "a\u{0}", "a\nb", "\u{7F}", "a\u{85}", "\t", ".", ".."])
  func `an empty text is no user's id, nor one with a control character, nor what paths are shortened by`(
    _ text: String
  ) {
    #expect(UserIdentifier(text) == nil)
  }

  @Test func `only texts and UUIDs of version 5 can meet another`() throws {
    let user = try #require(UserIdentifier("bob"))
    let literal = try #require(UserIdentifier(user.uuid.uuidString))
    #expect(literal.uuid == user.uuid && literal != user && literal.isContestable)
    for version in [1, 2, 3, 4, 6, 7, 8] {
      let other = try #require(UserIdentifier("6f1c2b7e-3d4a-\(version)e5f-8a9b-0c1d2e3f4a5b"))
      #expect(!other.isContestable, "\(version)")
    }
  }

  @Test func `a send knows whose ids others may stand for, repeated or not`() throws {
    let bob = try #require(UserIdentifier("bob"))
    let body = #"{"to":{"users":["bob","\#(UUID())","\#(UserID(bob.uuid))","bob"],"except":["ann"]},"type":12}"#
    let send = try FieldReader.read(SendRequest.self, from: Array(body.utf8))
    #expect(send.contestedUsers.map(\.description) == ["bob", "\(UserID(bob.uuid))", "bob", "ann"])
    guard case .users(let users) = send.audience else {
      Issue.record("it is for users")
      return
    }
    #expect(users.count == 2 && users.first == UserID(bob.uuid))
  }

  @Test func `what waits has UUIDs in place of texts, and nothing else changed`() throws {
    let bob = try #require(UserIdentifier("bob"))
    let plain = Array(#"{ "to": {"users": ["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]}, "type": 12 }"#.utf8)
    #expect(try FieldReader.read(SendRequest.self, from: plain).stored(plain) == plain)
    let body = Array(#"{"to":{"users":["bob"],"except":["a b"]},"type":12,"data":{"to":"bob","n":"1.50"}}"#.utf8)
    let stored = try FieldReader.read(SendRequest.self, from: body).stored(body)
    let json = try JSONParser.parse(stored)
    #expect(json["to"]?["users"]?.array?.map(\.string) == [UserID(bob.uuid).description])
    #expect(json["to"]?["except"]?.array?.first?.string.flatMap { UserID($0) } != nil)
    #expect(json["data"]?["to"]?.string == "bob" && json["data"]?["n"]?.string == "1.50")
    #expect(json.usersOfVersion5.count == 2)
    let back = json.withAudience { $0 == UserID(bob.uuid).description ? "bob" : nil }
    #expect(back["to"]?["users"]?.array?.first?.string == "bob")
  }
}
