import ArgumentParser
import Foundation
import BelfryJSON
import Testing

@testable import OperatorCLI

/// `belfry explain`
@Suite struct ExplainCommandTests {
  private static let mia = "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"

  private func body(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return writer.text
  }

  @Test func `a send is asked about as it was named`() throws {
    let plain = try ExplainSendCommand.parse([Self.mia.uppercased(), "10"])
    #expect(body(plain.write) == #"{"userId":"\#(Self.mia)","type":10}"#)
    let full = try ExplainSendCommand.parse([
      Self.mia, "NewMessage", "--at", "2026-11-22T22:30:00+01:00", "--data", "b=x=y", "--data", "a=1", "--about",
      "Goal:7:8", "--channel", "push", "--channel", "email",
    ])
    #expect(
      body(full.write) == #"{"userId":"\#(Self.mia)","type":"NewMessage","at":"2026-11-22T22:30:00+01:00","#
        + #""data":{"a":"1","b":"x=y"},"relatedEntityType":"Goal","relatedEntityId":"7:8","#
        + #""channels":["push","email"]}"#
    )
  }

  @Test func `an event is asked about with its payload as it was written`() throws {
    let command = try ExplainEventCommand.parse([
      "BalanceUpdated", "--payload", #"{"newBalance":5.50}"#, "--occurred-at", "2026-11-22T12:00:00Z",
    ])
    #expect(
      body(command.write)
        == #"{"event":{"name":"BalanceUpdated","payload":{"newBalance":5.50},"occurredAt":"2026-11-22T12:00:00Z"}}"#
    )
  }

  @Test(arguments: [
    ["a\tb", "10"], [mia], [mia, "10", "--data", "a"], [mia, "10", "--about", "Goal"],
  ])
  func `a send that cannot be asked about is refused before anybody is asked`(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ExplainSendCommand.parse(arguments) }
  }

  @Test(arguments: [["A", "--payload", "{"], ["A", "--payload", "[1]"], []])
  func `an event that is none is refused before anybody is asked`(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ExplainEventCommand.parse(arguments) }
  }

  @Test(arguments: [["a\tb"], [mia, "x/../y"], [mia, "--limit", "51"], [mia, "--before", "x"]])
  func `a history that cannot be asked for is refused before anybody is asked`(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ExplainHistoryCommand.parse(arguments) }
  }

  // MARK: Answers

  private func lines<Answer: Decodable>(_ json: String, _ lines: (Answer) -> [String]) throws -> [String] {
    lines(try JSONDecoder().decode(Answer.self, from: Data(json.utf8)))
  }

  private static let send = """
    {"userId":"u","type":10,"typeName":"AllowanceDeposit","at":"2026-11-22T21:30:00.000Z","timezone":"Europe/Berlin",
     "localTime":"2026-11-22 22:30 Europe/Berlin","missingData":["amount"],"channels":[
      {"channel":1,"channelName":"inApp","decision":"deliver","reason":null,"until":null,"rule":null,
       "words":"in-app sent at once"},
      {"channel":2,"channelName":"push","decision":"hold","reason":"quietHours","until":"2026-11-23T06:00:00.000Z",
       "rule":"quietHours","words":"push held until 07:00 Europe/Berlin: quiet hours 22:00-07:00, policy defer"}],
     "trace":[{"channel":2,"channelName":"push","rule":"expiry","saw":"it expires later","said":"pass"},
      {"channel":2,"channelName":"push","rule":"quietHours","saw":"quiet hours 22:00-07:00","said":"hold",
       "reason":"quietHours","until":"2026-11-23T06:00:00.000Z"}]}
    """

  @Test func `a send's explanation can be read to a customer`() throws {
    let expected = [
      "AllowanceDeposit (10) to u at 2026-11-22 22:30 Europe/Berlin:",
      "  in-app sent at once", "  push held until 07:00 Europe/Berlin: quiet hours 22:00-07:00, policy defer",
      "As it stands it would be refused: the texts need amount (--data).",
    ]
    #expect(try lines(Self.send) { (answer: SendAnswer) in answer.lines(withTrace: false) } == expected)
    let stranger = Self.send.replacing(#""missingData":["amount"]"#, with: #""hasProfile":false,"missingData":[]"#)
    #expect(
      try lines(stranger) { (answer: SendAnswer) in answer.lines(withTrace: false) } == expected.dropLast() + [
        "There is no profile with this id: is it the user's? Without one there is no email address, language or time zone."
      ]
    )
    let rules = [
      "Every rule that was asked, in order:", "  push, expiry      pass  it expires later",
      "  push, quietHours  hold  quiet hours 22:00-07:00",
    ]
    #expect(try lines(Self.send) { (answer: SendAnswer) in answer.lines(withTrace: true) } == expected + rules)
  }

  @Test func `an event's rules are shown with whom they notify`() throws {
    let json = """
      {"event":"A","at":"2026-11-22T21:30:00.000Z","relayed":false,"rules":[
       {"rule":"a","fired":true,"words":"a: sent one notice for it","notices":[
        {"type":"B","to":{"users":["u","v"]}},{"type":"C","to":{"group":"g","except":["u"]}}]},
       {"rule":"b","fired":false,"words":"b did not fire: nothing has changed","notices":[]},
       {"rule":"c","fired":false,"words":"c: it is due at 2026-12-17T08:00:00Z","notices":[],
        "next":{"what":"it","at":"2026-12-17T08:00:00.000Z","localTime":"2026-12-17 09:00 Europe/Berlin"}}]}
      """
    #expect(
      try lines(json) { (answer: EventAnswer) in answer.lines } == [
        "A is not relayed.", "a: sent one notice for it", "  B to u, v", "  C to the group g but u",
        "b did not fire: nothing has changed", "c: it is due at 2026-12-17T08:00:00Z",
        "  there: 2026-12-17 09:00 Europe/Berlin",
      ]
    )
    #expect(
      try lines(#"{"event":"A","relayed":true,"rules":[]}"#) { (answer: EventAnswer) in answer.lines } == [
        "A is relayed to open connections.", "No rule looks at it.",
      ]
    )
  }

  @Test func `a history is shown with each target, and says that there is more`() throws {
    let one = """
      {"id":"n","type":10,"typeName":null,"localTime":"2026-11-22 22:30 Europe/Berlin","channels":[
       {"words":"push delivered to 1 of 2 targets","deliveries":[
        {"target":"d","words":"accepted by the provider at 22:30 Europe/Berlin"},
        {"target":"e","words":"refused for good at 22:30 Europe/Berlin: UNREGISTERED"}]}]}
      """
    let expected = [
      "a type that the catalogue has no longer (10) of 2026-11-22 22:30 Europe/Berlin, notification n:",
      "  push delivered to 1 of 2 targets", "    d: accepted by the provider at 22:30 Europe/Berlin",
      "    e: refused for good at 22:30 Europe/Berlin: UNREGISTERED",
    ]
    #expect(try lines(one) { (answer: HistoryAnswer) in answer.lines } == expected)
    let page = #"{"notifications":[\#(one)],"hasMore":true}"#
    #expect(
      try lines(page) { (answer: HistoriesAnswer) in answer.lines(user: "u") } == expected + [
        "There are more: --before n"
      ]
    )
    #expect(
      try lines(#"{"notifications":[],"hasMore":false}"#) { (answer: HistoriesAnswer) in answer.lines(user: "u") } == [
        "u has no notifications, or has them no longer. `belfry explain send u TYPE` tells what would come."
      ]
    )
  }
}
