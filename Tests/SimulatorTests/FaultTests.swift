import Testing

@testable import Simulator

struct FaultTests {
  private func read(_ text: String) throws(ControlError) -> FaultReader.Wanted {
    try FaultReader.read(Array(text.utf8))
  }

  private func field(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch { return error.field }
  }

  @Test func `a fault for one token hits only that token, and only as often as it says`() {
    let faults = FaultList()
    _ = faults.add(.init(channel: .push, target: "a"), FaultEffect(kind: .unregistered), times: 2)
    #expect(faults.decide(.push, target: "b") == .none)
    #expect(faults.decide(.push, target: "a").effect?.kind == .unregistered)
    #expect(faults.decide(.push, target: "a").effect?.kind == .unregistered)
    #expect(faults.decide(.push, target: "a") == .none)
    #expect(faults.all().first?.hits == 2)
  }

  @Test func `a share is drawn anew for each request`() {
    let faults = FaultList(random: { 0.25 })
    let low = faults.add(.init(channel: .push, share: 0.25), FaultEffect(kind: .internal), times: nil)
    #expect(faults.decide(.push, target: "a") == .none)
    #expect(low.map { faults.remove($0.id) } == true)
    _ = faults.add(.init(channel: .push, share: 0.26), FaultEffect(kind: .internal), times: nil)
    #expect(faults.decide(.push, target: "a").effect?.kind == .internal)
  }

  @Test func `latency goes together with another effect, and a target comes before the general`() {
    let faults = FaultList()
    _ = faults.add(.init(channel: .push), FaultEffect(kind: .unavailable), times: nil)
    _ = faults.add(.init(channel: .push, target: "a"), FaultEffect(kind: .latency, milliseconds: 20), times: nil)
    _ = faults.add(.init(channel: .push, target: "a"), FaultEffect(kind: .quota, milliseconds: 5), times: nil)
    let decision = faults.decide(.push, target: "a")
    #expect(decision.delay == .milliseconds(25))
    #expect(decision.effect?.kind == .quota)
    #expect(faults.decide(.push, target: "b").effect?.kind == .unavailable)
  }

  @Test func `channels and stages do not mix`() {
    let faults = FaultList()
    var late = FaultEffect(kind: .smtp, smtpCode: 451)
    late.stage = .message
    _ = faults.add(.init(channel: .email, target: "a@x"), late, times: nil)
    #expect(faults.decide(.push, target: "a@x") == .none)
    #expect(faults.decide(.email, target: "a@x", stage: .recipient) == .none)
    #expect(faults.decide(.email, target: "a@x", stage: .message).effect?.smtpCode == 451)
  }

  @Test func `removing a fault ends it`() {
    let faults = FaultList()
    let fault = faults.add(.init(channel: .push, target: "a"), FaultEffect(kind: .hang), times: nil)
    #expect(fault.map { faults.remove($0.id) } == true)
    #expect(!faults.remove(1))
    #expect(faults.decide(.push, target: "a") == .none)
  }

  @Test func `a wanted fault is read with its defaults`() throws {
    let push = try read(#"{"effect": {"kind": "quota", "retryAfter": 7}, "match": {"token": "t"}, "times": 3}"#)
    #expect(push.match == .init(channel: .push, target: "t"))
    #expect(push.effect.failure?.retryAfter == 7)
    #expect(push.times == 3)
    #expect(push.effect.scope == nil)
    #expect(try read(#"{"effect": {"kind": "quota", "scope": "topic"}}"#).effect.scope == .topic)
    let mail = try read(#"{"effect": {"kind": "smtp", "smtpCode": 550, "enhancedCode": "5.1.1", "text": "No"}}"#)
    #expect(mail.match == .init(channel: .email))
    #expect(mail.times == nil)
    let topic = try read(#"{"effect": {"kind": "quota"}, "match": {"channel": "topic", "token": "t"}}"#)
    #expect(topic.match == .init(channel: .topic, target: "t"))
  }

  @Test(arguments: [
    ("{", "body"), ("[]", "body"), ("{}", "effect"), (#"{"effect": {}}"#, "effect.kind"),
    (#"{"effect": {"kind": "x"}}"#, "effect.kind"), (#"{"effect": {"kind": "latency"}}"#, "effect.milliseconds"),
    (#"{"effect": {"kind": "status"}}"#, "effect.status"), (#"{"effect": {"kind": "hang", "foo": 1}}"#, "effect.foo"),
    (#"{"effect": {"kind": "hang"}, "time": 1}"#, "time"),
    (#"{"effect": {"kind": "hang"}, "times": "1"}"#, "times"),
    (#"{"effect": {"kind": "hang"}, "match": {"share": 0}}"#, "match.share"),
    (#"{"effect": {"kind": "hang"}, "match": {"token": "a", "recipient": "b"}}"#, "match"),
    (#"{"effect": {"kind": "quota"}, "match": {"recipient": "b"}}"#, "effect.kind"),
    (#"{"effect": {"kind": "smtp"}, "match": {"token": "b"}}"#, "match.token"),
    (#"{"effect": {"kind": "smtp", "enhancedCode": "5"}}"#, "effect.enhancedCode"),
    (#"{"effect": {"kind": "smtp", "text": "a\r\n250 OK"}}"#, "effect.text"),
    (#"{"effect": {"kind": "smtp", "stage": "x"}}"#, "effect.stage"),
    (#"{"effect": {"kind": "quota", "scope": "app"}}"#, "effect.scope"),
    (#"{"effect": {"kind": "unavailable", "scope": "project"}}"#, "effect.scope"),
  ])
  func `a malformed fault is refused and the field named`(_ text: String, _ expected: String) {
    #expect(field(text) == expected)
  }
}
