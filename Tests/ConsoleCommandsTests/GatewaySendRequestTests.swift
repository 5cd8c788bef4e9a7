import ConsoleCommands
import BelfryJSON
import Testing

@Suite struct GatewaySendRequestTests {
  private func json(_ request: GatewaySendRequest) -> String {
    var writer = JSONWriter()
    request.write(to: &writer)
    return writer.text
  }

  @Test func `what was given is written, and nothing else`() {
    #expect(
      json(GatewaySendRequest(to: .init(group: "family:1"), type: "AllowanceDeposit", data: [:]))
        == #"{"to":{"group":"family:1"},"type":"AllowanceDeposit"}"#
    )
    let written =
      #"{"to":{"users":["a","b"],"except":[]},"type":12,"title":"A \"b\"","body":"c\u000ad","data":{"a":"1","b":"2"}}"#
    #expect(
      json(
        GatewaySendRequest(
          to: .init(users: ["a", "b"], except: []),
          type: "12",
          title: "A \"b\"",
          body: "c\nd",
          data: ["b": "2", "a": "1"]
        )
      ) == written
    )
    #expect(
      json(GatewaySendRequest(to: .init(topic: "news"), type: "99", data: [:])) == #"{"to":{"topic":"news"},"type":99}"#
    )
    #expect(
      json(GatewaySendRequest(to: .init(condition: "'a' in topics"), type: "99", data: [:]))
        == #"{"to":{"condition":"'a' in topics"},"type":99}"#
    )
  }
}
