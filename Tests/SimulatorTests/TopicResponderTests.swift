import BelfryJSON
import Testing

@testable import Simulator

struct TopicResponderTests {
  private let faults = FaultList(random: { 0 })
  private let subscriptions = TopicSubscriptions()

  private func call(_ method: String, _ target: String, body: String = "{}") -> (status: Int, body: JSONValue?) {
    let request = FCMRequest(method: method, target: target, body: Array(body.utf8))
    guard let address = TopicAddress(request.path) else { return (404, nil) }
    let responder = TopicResponder(project: "p", faults: faults, subscriptions: subscriptions)
    guard
      case .answer(let status, let answer, _) = responder.respond(to: request, at: address, body: Array(body.utf8)).0
    else { return (0, nil) }
    do { return (status, try JSONParser.parse(answer)) } catch { return (status, nil) }
  }

  private func subscribe(_ registration: String, _ topic: String) -> (status: Int, body: JSONValue?) {
    call("POST", "/v1/projects/p/registrations/\(registration)/topicSubscriptions?topic_name=\(topic)")
  }

  private func unsubscribe(_ registration: String, _ topic: String, query: String = "") -> Int {
    call("DELETE", "/v1/projects/p/registrations/\(registration)/topicSubscriptions/\(topic)\(query)", body: "").status
  }

  private var all: [String] {
    subscriptions.all(after: 0, limit: 100) { _ in true }.map { "\($0.registration) → \($0.topic)" }
  }

  @Test func `a quota of subscriptions says whose it is`() throws {
    let quota = { (scope: FaultEffect.QuotaScope) in FaultEffect(kind: .quota, retryAfter: 30, scope: scope) }
    _ = faults.add(.init(channel: .topic), quota(.topic), times: 1)
    _ = faults.add(.init(channel: .topic), quota(.device), times: 1)
    let subjects = try (0..<2).map { _ in
      let answer = subscribe("abc", "news")
      #expect(answer.status == 429)
      let details = try #require(answer.body?["error"]?["details"]?.array)
      return details.compactMap { $0["violations"]?.array?.first?["subject"]?.string }
    }
    #expect(subjects == [["topic:news"], ["device:abc"]])
  }

  @Test func `a registration is subscribed once, and a repetition is refused`() {
    let answer = subscribe("abc%3Adef%2Fg", "news")
    #expect(answer.status == 200)
    #expect(answer.body?["name"] == .string("projects/p/registrations/abc:def/g/topicSubscriptions/news"))
    #expect(answer.body?["topic_name"] == .string("news"))
    #expect(answer.body?["create_time"]?.string?.hasSuffix("Z") == true)
    let again = subscribe("abc%3Adef%2Fg", "news")
    #expect(again.status == 409)
    #expect(again.body?["error"]?["status"] == .string("ALREADY_EXISTS"))
    #expect(subscribe("b", "100%2525").status == 200, "a topic may contain a percent sign")
    #expect(all == ["abc:def/g → news", "b → 100%25"])
  }

  @Test func `a subscription that is missing cannot end, unless that is allowed`() {
    _ = subscribe("a", "news")
    #expect(unsubscribe("a", "news") == 200)
    #expect(all == [])
    #expect(unsubscribe("a", "news") == 404)
    #expect(unsubscribe("a", "news", query: "?allow_missing=true") == 200)
    #expect(unsubscribe("a", "news", query: "?allowMissing=true") == 200)
  }

  @Test func `wrong calls are refused`() {
    let path = "/v1/projects/p/registrations/a/topicSubscriptions"
    #expect(call("POST", path).body?["error"]?["status"] == .string("INVALID_ARGUMENT"))
    #expect(call("POST", path + "?topic_name=a%20b").status == 400)
    #expect(call("POST", path + "?topic_name=a", body: "{").status == 400)
    #expect(call("POST", path + "/a").status == 404)
    #expect(call("DELETE", path).status == 404)
    #expect(call("GET", path).status == 404)
    #expect(subscribe("a%20b", "news").status == 400)
    let other = call("POST", "/v1/projects/q/registrations/a/topicSubscriptions?topic_name=a")
    #expect(other.status == 403)
    #expect(other.body?["error"]?["message"]?.string?.contains("cloudmessaging.topicSubscriptions.create") == true)
    #expect(all == [])
  }

  @Test func `a fault spoils the call, or only its answer`() {
    _ = faults.add(.init(channel: .topic, target: "a"), FaultEffect(kind: .unregistered), times: nil)
    _ = faults.add(.init(channel: .topic, target: "b"), FaultEffect(kind: .unavailable, accepts: true), times: nil)
    _ = faults.add(.init(channel: .push), FaultEffect(kind: .quota), times: nil)
    #expect(subscribe("a", "news").status == 404)
    #expect(subscribe("b", "news").status == 503)
    #expect(subscribe("c", "news").status == 200)
    #expect(all == ["b → news", "c → news"])
  }

  @Test func `only the paths of subscriptions are recognised`() {
    #expect(TopicAddress("/v1/projects/p/registrations/a/topicSubscriptions")?.topic == nil)
    #expect(TopicAddress("/v1/projects/p/registrations/a/topicSubscriptions/t")?.topic == "t")
    for path in [
      "", "/", "/token", "/v1/projects/p/messages:send", "/v1/projects/p/registrations//topicSubscriptions",
      "/v1/projects/p/registrations/a/topicSubscriptions/", "/v1/projects/p/registrations/a/topicSubscriptions/t/x",
    ] {
      #expect(TopicAddress(path) == nil, "\(path)")
    }
  }
}
