import Broker
import Foundation
import NotificationModel
import NotificationQueue
import Rules
import Testing

@Suite struct NoticeRequestTests {
  private let at = Date(timeIntervalSince1970: 1_795_348_800.123)
  private let user = UUID()

  private func notice(
    _ audience: RuleAudience,
    _ data: [String: RuleText] = [:],
    literals: Set<String> = [],
    what: String = "once"
  ) -> RuleNotice {
    RuleNotice(
      id: EffectID(rule: "r", user: user, key: "k", what: what, notice: "MissYou"),
      type: "MissYou",
      audience: audience,
      data: data,
      literals: literals,
      about: RuleEntity(type: "Goal", id: "g"),
      at: at
    )
  }

  @Test func `a notice arrives as it was, its values still unformatted`() throws {
    let text = RuleText([
      .text("a "), .formatted("12.5", [.init("money", argument: "EUR"), .init("number")]), .text(" \u{1F389}"),
    ])
    for audience in [RuleAudience.users([user, UUID()]), .group("family:1", except: [user]), .group("g", except: [])] {
      let request = NoticeRequest(notice(audience, ["amount": text, "name": RuleText("Mia"), "empty": RuleText("")]))
      // As a wording's texts: plain ones are strings.
      #expect(String(decoding: QueueCoder.encode(request), as: UTF8.self).contains(#""empty":"","name":"Mia"}"#))
      let message = BrokerMessage(body: QueueCoder.encode(request), type: NoticeRequest.messageType)
      #expect(try QueueCoder.decode(NoticeRequest.self, from: message) == request)
    }
  }

  @Test func `which of its values are numbers is said beside them, which routers of earlier versions read`() throws {
    let data = ["amount": RuleText("12.5"), "name": RuleText("7")]
    let request = NoticeRequest(notice(.users([user]), data, literals: ["amount"]))
    let body = String(decoding: QueueCoder.encode(request), as: UTF8.self)
    #expect(body.contains(#""data":{"amount":"12.5","name":"7"},"literals":["amount"]"#))
    let message = BrokerMessage(body: Array(body.utf8), type: NoticeRequest.messageType)
    #expect(try QueueCoder.decode(NoticeRequest.self, from: message).literals == ["amount"])
  }

  @Test func `the same effect has the same id, of its own time`() {
    let first = NoticeRequest(notice(.users([user]))).requestId
    #expect(NoticeRequest(notice(.users([UUID()]), ["a": RuleText("b")])).requestId == first)
    #expect(NoticeRequest(notice(.users([user]), what: "other")).requestId != first)
    #expect(first.time == at)
  }

  @Test(arguments: [
    "{}", #"{"v":2}"#, #"{"v":1,"requestId":"x"}"#,
    #"{"v":1,"requestId":"6f1c2b7e-3d4a-7e5f-8a9b-0c1d2e3f4a5b","type":"A","to":{},"data":{}}"#,
    #"{"v":1,"requestId":"6f1c2b7e-3d4a-7e5f-8a9b-0c1d2e3f4a5b","type":"A","to":{"users":[]},"data":{"a":[{}]}}"#,
  ]) func `what is none is refused`(_ json: String) {
    #expect(throws: QueueMessageError.self) {
      try QueueCoder.decode(NoticeRequest.self, from: BrokerMessage(body: Array(json.utf8)))
    }
  }
}
