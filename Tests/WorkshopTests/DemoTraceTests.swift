import Foundation
import BelfryJSON
import NotificationModel
import Testing
import WallClock

@testable import Workshop

/// The story of a send, made of what is seen in any order.
@Suite struct DemoTraceTests {
  private let sentAt = Date(timeIntervalSince1970: 1_800_000_000)
  private let request = RequestID(now: Date(timeIntervalSince1970: 1_800_000_000))
  private let maria = DemoFamily.maria
  private let zone = Zone("Europe/Berlin") ?? .utc

  private func after(_ milliseconds: Int) -> Date { sentAt.addingTimeInterval(Double(milliseconds) / 1_000) }

  private func trace(_ requests: [RequestID]? = nil, to recipients: [DemoPerson]? = nil) -> DemoTrace {
    DemoTrace(
      requests: requests ?? [request],
      name: "reminder",
      label: "Reminder",
      sentAt: sentAt,
      acceptedAt: after(5),
      recipients: recipients ?? [maria]
    )
  }

  private func id(of member: DemoPerson? = nil, _ request: RequestID? = nil) throws -> NotificationID {
    let user = try #require(UserID((member ?? maria).id))
    return NotificationID(request: request ?? self.request, recipient: user)
  }

  private func history(
    _ id: NotificationID,
    push: ChannelDecision,
    email: ChannelDecision = .skip(.preferenceOff),
    deliveries: [NotificationHistory.Delivery] = []
  ) -> NotificationHistory {
    NotificationHistory(
      id: id,
      requestID: request,
      type: 31,
      plan: RoutingPlan(inApp: .deliver, push: push, email: email),
      createdAt: sentAt,
      expiresAt: after(86_400_000),
      readAt: nil,
      deliveries: deliveries
    )
  }

  private func delivery(_ outcome: DeliveryOutcome, _ reason: String? = nil, at time: Int)
    -> NotificationHistory.Delivery
  {
    .init(
      channel: .push,
      target: "device",
      outcome: outcome.rawValue,
      reason: reason,
      providerID: nil,
      attempts: 1,
      finishedAt: after(time)
    )
  }

  private func shown(_ trace: DemoTrace) -> [String] {
    trace.steps.map { "\($0.milliseconds) \($0.channel ?? "-") \($0.what)" }
  }

  @Test func `it shows what arrived, to the millisecond, whoever says it first`() throws {
    var trace = trace()
    let id = try id()
    #expect(trace.status(now: after(10)) == .going)
    trace.arrived(id, on: .push, at: after(80))
    trace.learn(
      history(id, push: .deliver, deliveries: [delivery(.delivered, at: 85)]),
      of: maria,
      in: zone,
      now: after(300)
    )
    trace.arrived(id, on: .inApp, at: after(20))
    trace.arrived(id, on: .push, at: after(80))
    #expect(
      shown(trace) == ["5 - accepted", "20 - routed", "20 inApp delivered", "20 email skipped", "80 push delivered"]
    )
    #expect(trace.status(now: after(300)) == .done)
    #expect(
      trace.standings.map { "\($0.channel.name) \($0.state)" } == [
        "inApp delivered", "push delivered", "email notDelivered",
      ]
    )
  }

  @Test func `it was accepted and routed before anything came of it, whenever that is known`() throws {
    var trace = trace()
    let id = try id()
    trace.learn(history(id, push: .deliver), of: maria, in: zone, now: after(176))
    trace.arrived(id, on: .push, at: after(88))
    let expected = ["5 - accepted", "88 - routed", "88 inApp delivered", "88 email skipped", "88 push delivered"]
    #expect(shown(trace) == expected)
    #expect(trace.standings.map(\.at) == [after(88), after(88), nil])
    // The gateway's answer took longer than all the rest.
    trace.arrived(id, on: .inApp, at: after(3))
    #expect(shown(trace).prefix(2) == ["3 - accepted", "3 - routed"])
  }

  @Test func `a time that nobody took is the latest that it can have been, until somebody says when it was`() throws {
    var trace = DemoTrace(
      requests: [request],
      name: "reminder",
      label: "Reminder",
      sentAt: sentAt,
      acceptedAt: nil,
      recipients: [maria]
    )
    let id = try id()
    func atMost() -> [String] { trace.steps.filter(\.isAtMost).map { "\($0.channel ?? "-") \($0.what)" } }
    let sent = history(id, push: .deliver, deliveries: [delivery(.delivered, at: 92)])
    trace.learn(sent, of: maria, in: zone, now: after(300))
    #expect(atMost() == ["- accepted", "- routed", "inApp delivered", "email skipped"])
    trace.arrived(id, on: .inApp, at: after(95))
    #expect(atMost() == ["- accepted", "- routed", "email skipped"])
    #expect(shown(trace).suffix(3) == ["92 push delivered", "92 email skipped", "95 inApp delivered"])
    let json = try JSONParser.parse(Array(String.json { trace.write(to: &$0, now: after(300)) }.utf8))
    #expect(json["steps"]?.array?.map { $0["atMost"]?.boolean ?? false } == [true, true, false, true, false])
  }

  @Test func `what is off says whether it is so by default or somebody switched it off, and is counted`() throws {
    var trace = trace()
    let type = try #require(try Catalogue().type(.code(31)))
    let off = history(try id(), push: .skip(.preferenceOff))
    trace.learn(off, of: maria, type: type, in: zone, now: after(50))
    let words = trace.steps.filter { $0.what == .skipped }.map(\.words)
    #expect(words == ["push left out: Maria switched it off", "email left out: it is off by default"])
    #expect(DemoLedger(trace).entries[.push] == .init(leftOut: 1))
    #expect(DemoLedger(trace).entries[.email] == .init(leftOut: 1))
    #expect(DemoLedger(trace).entries[.inApp] == .init(due: 1, arrived: 1))
  }

  @Test func `what is held says until when and why, and that it was let go`() throws {
    var trace = trace()
    let id = try id()
    let morning = after(7_200_000)
    trace.arrived(id, on: .inApp, at: after(20))
    trace.learn(history(id, push: .hold(until: morning, .quietHours)), of: maria, in: zone, now: after(200))
    #expect(trace.status(now: after(200)) == .waiting)
    let held = try #require(trace.steps.first { $0.what == .held })
    #expect(held.until == morning)
    #expect(held.reason == "quietHours")
    #expect(held.milliseconds == 20, "it was decided before anything arrived")
    #expect(DemoLedger(trace).entries[.push] == nil, "held is not due")
    trace.learn(history(id, push: .deliver), of: maria, in: zone, now: after(5_000))
    trace.arrived(id, on: .push, at: after(5_100))
    #expect(shown(trace).suffix(2) == ["5000 push released", "5100 push delivered"])
    #expect(trace.status(now: after(5_200)) == .done)
  }

  @Test func `refused pushes wait, and are not lost`() throws {
    var trace = trace()
    let id = try id()
    trace.learn(history(id, push: .deliver), of: maria, in: zone, now: after(50))
    trace.refused(id, status: 503, at: after(60))
    trace.refused(id, status: 503, at: after(10_060))
    #expect(trace.status(now: after(10_100)) == .waiting)
    #expect(DemoLedger(trace).entries[.push] == .init(due: 1, arrived: 0, waiting: 1, refused: 0, twice: 0))
    trace.arrived(id, on: .push, at: after(20_000))
    #expect(
      shown(trace).filter { $0.contains("push") } == ["60 push retried", "10060 push retried", "20000 push delivered"]
    )
    #expect(DemoLedger(trace).entries[.push] == .init(due: 1, arrived: 1, waiting: 0, refused: 0, twice: 0))
  }

  @Test func `each push provider has its share of the account, and is named where it took or refused something`() throws
  {
    let people = DemoFamily.people
    var trace = trace(to: people)
    for member in people {
      trace.learn(history(try id(of: member), push: .deliver), of: member, in: zone, now: after(9))
    }
    let (iPhone, android, browser) = (people[0], people[1], people[2])
    trace.arrived(try id(of: iPhone), on: .push, at: after(10))
    trace.arrived(try id(of: iPhone), on: .push, at: after(11), isSeenTwice: true)
    trace.refused(try id(of: android), status: 503, at: after(12))
    trace.refused(try id(of: browser), status: nil, at: after(13))
    let ledger = DemoLedger(trace)
    #expect(ledger.pushes[.apns] == .init(due: 1, arrived: 1, twice: 1))
    #expect(ledger.pushes[.fcm] == .init(due: 1, waiting: 1))
    #expect(ledger.pushes[.webPush] == .init(due: 1, waiting: 1))
    #expect(ledger.entries[.push] == .init(due: 3, arrived: 1, waiting: 2, twice: 1))
    let said = trace.steps.filter { $0.channel == "push" }.map(\.words)
    #expect(
      said == [
        "APNs took it for the phone", "FCM answered 503: it waits and is tried again",
        "the push service did not answer: it waits and is tried again",
      ]
    )
    var sum = DemoLedger()
    for _ in 0..<2 { sum.add(ledger) }
    #expect(sum.pushes[.fcm] == .init(due: 2, waiting: 2) && sum.entries[.push]?.due == 6)
  }

  @Test(arguments: [
    (DemoFamily.maria, 410, "Unregistered", "APNs says that the app is gone from this phone"),
    (DemoFamily.tom, 404, "UNREGISTERED", "FCM says that the app is gone from this phone"),
    (DemoFamily.ella, 410, "HTTP 410", "the push service says that this browser has no subscription any more"),
  ])
  func `a device that is gone is so whoever carries its pushes`(
    _ member: DemoPerson,
    _ status: Int,
    _ reason: String,
    _ words: String
  ) throws {
    var trace = trace(to: [member])
    let id = try id(of: member)
    trace.refused(id, status: status, at: after(60))
    let gone = history(id, push: .deliver, deliveries: [delivery(.rejected, reason, at: 61)])
    trace.learn(gone, of: member, in: zone, now: after(200))
    #expect(shown(trace).filter { $0.contains("push") } == ["60 push rejected", "61 push removed"])
    #expect(trace.steps.first { $0.what == .rejected }?.words == words)
  }

  @Test func `a phone that is gone is shown once, with what followed`() throws {
    var trace = trace()
    let id = try id()
    trace.refused(id, status: 404, at: after(60))
    let gone = history(id, push: .deliver, deliveries: [delivery(.rejected, "UNREGISTERED", at: 61)])
    for _ in 0..<2 { trace.learn(gone, of: maria, in: zone, now: after(200)) }
    #expect(shown(trace).filter { $0.contains("push") } == ["60 push rejected", "61 push removed"])
    #expect(DemoLedger(trace).entries[.push]?.refused == 1)
  }

  @Test func `what was due later has its own id, and takes the place of what was expected`() throws {
    var trace = trace()
    let user = try #require(UserID(maria.id))
    let id = NotificationID(request: request, recipient: user, at: after(2_500))
    #expect(try id != self.id())
    trace.learn(history(id, push: .skip(.preferenceOff)), of: maria, in: zone, now: after(2_600))
    #expect(Array(trace.parts.keys) == [id])
    #expect(trace.status(now: after(2_700)) == .done)
  }

  @Test func `what comes twice is counted, unless it takes the other's place`() throws {
    var trace = trace()
    let id = try id()
    trace.arrived(id, on: .email, at: after(60))
    trace.arrived(id, on: .email, at: after(70), isSeenTwice: true)
    #expect(DemoLedger(trace).entries[.email]?.twice == 1)
    #expect(shown(trace).filter { $0.contains("email") }.count == 1)
  }

  @Test func `many notifications are shown in sums`() throws {
    let requests = (0..<20).map { RequestID(now: after($0)) }
    var trace = trace(requests, to: DemoFamily.people)
    for (number, request) in requests.enumerated() {
      for member in DemoFamily.people where !member.isBrowser {
        trace.arrived(try id(of: member, request), on: .push, at: after(100 + number))
      }
    }
    let steps = trace.steps.suffix(2)
    #expect(Set(steps.map(\.words)) == ["APNs took it for the phone", "FCM took it for the phone"])
    for step in steps {
      #expect(step.count == 20)
      #expect(step.milliseconds == 119)
      #expect(step.firstMilliseconds == 100)
      #expect(step.user == nil)
    }
    let json = try JSONParser.parse(Array(String.json { trace.write(to: &$0, now: after(200)) }.utf8))
    #expect(json["notifications"]?.integer == 60)
    #expect(json["deliveries"] == nil)
    #expect(json["steps"]?.array?.last?["firstMs"]?.integer == 100)
  }

  // MARK: The book

  @Test func `what is seen before the gateway's answer is kept for it`() throws {
    var book = TraceBook()
    let id = try id()
    book.see(.init(notification: id, at: after(8), what: .arrived(.push, isSeenTwice: false)))
    #expect(book.traces.isEmpty)
    book.begin(trace())
    #expect(shown(book.traces[0]) == ["5 - accepted", "8 push delivered"])
    #expect(book.takeChanged() == [request.description])
    #expect(book.takeChanged().isEmpty)
  }

  @Test func `a send from elsewhere has a trace too, and what is older has none`() throws {
    var book = TraceBook()
    let history = history(try id(), push: .deliver)
    let catalogue = try Catalogue()
    for _ in 0..<2 {
      book.learn([history], of: maria, in: zone, since: sentAt, catalogue: catalogue, now: after(100))
    }
    #expect(book.traces.map(\.label) == ["TaskReminder"])
    // The page's own send is found again when the gateway's answer comes.
    book.begin(trace())
    #expect(book.traces.map(\.label) == ["Reminder"])
    var other = TraceBook()
    other.learn([history], of: maria, in: zone, since: after(1_000), catalogue: catalogue, now: after(2_000))
    #expect(other.traces.isEmpty)
  }

  @Test func `the account goes on when traces are given up`() throws {
    var book = TraceBook()
    for number in 0..<(TraceBook.maximumTraces + 10) {
      let request = RequestID(now: after(number))
      book.begin(trace([request]))
      book.see(
        .init(notification: try id(of: maria, request), at: after(number), what: .arrived(.push, isSeenTwice: false))
      )
    }
    #expect(book.traces.count == TraceBook.maximumTraces)
    #expect(book.ledger().entries[.push]?.arrived == TraceBook.maximumTraces + 10)
    #expect(book.ledger().entries[.push]?.waiting == 0)
  }
}
