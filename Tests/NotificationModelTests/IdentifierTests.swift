import Foundation
import BelfryJSON
import Testing

@testable import NotificationModel

@Suite struct IdentifierTests {
  private let request: RequestID
  private let person: UserID

  init() throws {
    request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    person = try #require(UserID("6F1C2B7E-3D4A-4E5F-8A9B-0C1D2E3F4A5B"))
  }

  @Test func `identifiers travel in lower case and are read in either`() throws {
    #expect(person.description == "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b")
    #expect(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b") == person)
    let json = try JSONEncoder().encode([person])
    #expect(String(decoding: json, as: UTF8.self) == #"["6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"]"#)
    #expect(try JSONDecoder().decode([UserID].self, from: json) == [person])
  }

  @Test func `a JSON text has them as strings`() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("user", person)
      writer.array("requests") { writer in
        writer.identifier(request)
        writer.identifier(request)
      }
    }
    #expect(writer.text == #"{"user":"\#(person)","requests":["\#(request)","\#(request)"]}"#)
  }

  @Test(
    arguments: [
      "", "6f1c2b7e", "6f1c2b7e3d4a4e5f8a9b0c1d2e3f4a5b", "{6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b}",
      "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5", "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b ",
      "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5g",
    ]
  )
  func `anything else than a hyphenated UUID is refused`(_ text: String) {
    #expect(UserID(text) == nil)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(UserID.self, from: JSONEncoder().encode(text)) }
  }

  @Test func `of all characters only hexadecimal digits are read, each as its value`() {
    for byte in UInt8(0)..<128 {
      let character = String(decoding: [byte], as: UTF8.self)
      for text in [
        "\(character)f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b", "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5\(character)",
      ] {
        // Foundation takes spaces as well.
        let expected = "0123456789abcdefABCDEF".contains(character) ? UUID(uuidString: text) : nil
        #expect(UserID(text)?.uuid == expected, "\(text)")
      }
    }
  }

  @Test func `identifiers are ordered by their bytes, as PostgreSQL orders them`() throws {
    let texts = [
      "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
      "00000000-0000-0000-0100-000000000000", "019a8b7c-6d5e-7f40-8123-456789abcdef",
      "7fffffff-ffff-ffff-ffff-ffffffffffff", "80000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ]
    let identifiers = try texts.map { try #require(UserID($0)) }
    #expect(identifiers.reversed().sorted() == identifiers)
    #expect(!(identifiers[0] < identifiers[0]))
  }

  @Test func `a request and a recipient always give the same notification`() {
    // The request's 48 bits of time, then SHA-256 of both ids, with version 7 and the RFC's variant.
    let id = NotificationID(request: request, recipient: person)
    #expect(id.description == "019a8b7c-6d5e-735c-a510-b492e7201281")
    #expect(NotificationID(request: request, recipient: person) == id)
  }

  @Test func `another recipient or another request gives another notification`() throws {
    let id = NotificationID(request: request, recipient: person)
    let other = try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5c"))
    let later = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdee"))
    #expect(NotificationID(request: request, recipient: other) != id)
    #expect(NotificationID(request: later, recipient: person) != id)
  }

  @Test func `the time within an id is that of its request`() {
    #expect(request.time == Date(timeIntervalSince1970: 1_763_276_778.846))
    #expect(NotificationID(request: request, recipient: person).time == request.time)
  }

  @Test func `every millisecond survives the way into an id and out of it`() {
    let entropy = [UInt8](repeating: 0xA5, count: 10)
    for millisecond in 0..<5_000 {
      let time = Date(timeIntervalSince1970: Double(1_763_276_778_000 + millisecond) / 1_000)
      let uuid = entropy.withUnsafeBytes { UUID(time: time, entropy: $0) }
      #expect(uuid.time == time)
      let again = uuid.time.map { time in entropy.withUnsafeBytes { UUID(time: time, entropy: $0) } }
      #expect(again == uuid)
    }
  }

  @Test func `a new request's id is a UUIDv7 of now and never the same twice`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000.5)
    let ids = (0..<100).map { _ in RequestID(now: now) }
    #expect(Set(ids).count == 100)
    for id in ids {
      #expect(id.time == now)
      #expect(id.uuid.uuid.6 >> 4 == 7)
      #expect(id.uuid.uuid.8 >> 6 == 0b10)
    }
  }

  @Test func `a UUID of another version has no time, and a time before 1970 counts as 1970`() {
    #expect(person.uuid.time == nil)
    let early = [UInt8](repeating: 0, count: 10).withUnsafeBytes {
      UUID(time: Date(timeIntervalSince1970: -5), entropy: $0)
    }
    #expect(early.time == Date(timeIntervalSince1970: 0))
  }
}
