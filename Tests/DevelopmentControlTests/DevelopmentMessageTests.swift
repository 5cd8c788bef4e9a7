import Testing

@testable import DevelopmentControl

/// The lines of the socket between the simulator and `belfry-dev run`.
@Suite struct DevelopmentMessageTests {
  @Test(arguments: [
    DevelopmentMessage.watch,
    .ask(DevelopmentQuestion(method: "GET", path: "", query: [:])),
    .ask(
      DevelopmentQuestion(method: "PUT", path: "switches/fcm-down", query: ["a": "b&c"], body: "{\n\"on\": true\n}")
    ),
    .answer(DevelopmentAnswer(status: 409, body: #"{"detail":"no\nway"}"#)),
    .event(DevelopmentEvent(kind: .switch, key: "fcm-down", data: "{}")),
    .seen(Sighting(kind: .refused, at: 1_800_000_000_123, target: "t", notification: "n", status: 503)),
    .seen(Sighting(kind: .mail, at: 1, target: "a@b.example", notification: nil, isSeenTwice: true)),
  ])
  func `a message is one line, and reads back as it was`(_ message: DevelopmentMessage) throws {
    let line = message.line
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try DevelopmentMessage(line: line.dropLast()) == message)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"watch":false}"#, #"{"ask":{"method":"GET"}}"#, #"{"seen":{"kind":"letter"}}"#,
    #"{"answer":{"status":"200"}}"#,
  ])
  func `what is no message is refused`(_ text: String) {
    #expect(throws: DevelopmentSocketError.self) { try DevelopmentMessage(line: Array(text.utf8)) }
  }
}
