import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

/// Work that waits in every way there is, and the model of what must come of it: ``WaitingCatalogue`` has the types.
///
/// It comes in rounds, so that new work arrives while former work comes due. Every notification has a label in its data that
/// its person gets once. No outcome depends on the order in which things arrive.
struct WaitingLoad: Sendable {
  /// Something sent to some people.
  struct Send: Sendable {
    enum Time: Sendable, CaseIterable {
      /// At once, as far as the type lets it.
      case now
      /// A send with an instant.
      case instant
      /// A schedule with an instant.
      case schedule
      /// A schedule by a rule.
      case recurrence
    }

    var type: String
    var time: Time
    var people: [Int]
    var data: [String: String]
  }

  /// Something that happened, for rules.
  struct Event: Sendable {
    enum Reporting: Sendable {
      case once
      /// Twice at the same moment, under one key.
      case twice
      /// Twice over AMQP, under one message-id.
      case twiceOverAMQP
    }

    var name: String
    var payload: String
    var reporting: Reporting
  }

  struct Round: Sendable {
    var sends: [Send] = []
    var events: [Event] = []
  }

  let belfry: TestStack
  let people: [Person]
  let rounds: [Round]
  /// How often each person must have each label.
  let expected: [UUID: [String: Int]]
  /// Owns what is sent.
  let subject = "waiting-\(UUID().uuidString.lowercased())"

  /// Who gets what: one kind of waiting for each, so that what is delivered as one is what its type says. The parcels' people
  /// and the meters' owners may have more than three pushes due together, which are then one.
  static let parcels = 0..<30
  static let readers = 30..<50
  static let sleepers = 50..<65
  static let owners = 65..<85

  init(_ belfry: TestStack, rounds count: Int, seed: UInt64) async throws {
    self.belfry = belfry
    var made: [Person] = []
    for _ in 0..<Self.owners.upperBound { made.append(try await belfry.makeUser()) }
    people = made
    var model = WaitingModel(ids: made.map { $0.id.uuid }, random: SplitMix64(seed: seed))
    rounds = (0..<count).map { model.round($0) }
    expected = model.expected
  }

  /// How many notifications there must be in the end.
  var count: Int { expected.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

  // MARK: Sending

  /// What a round has that must not come late: what is sent later, and the sleepers' pauses.
  func prepare(_ round: Int) async throws {
    for (number, send) in rounds[round].sends.enumerated() where send.time != .now {
      try await sendLater(send, key: "\(subject)-\(round)-\(number)", at: Date.now + Double(3 + number % 3))
    }
    for event in rounds[round].events where event.reporting == .twiceOverAMQP {
      let arguments = [
        "--url", belfry.stack.rabbitmq.url, "--key", "event", "--times", "2", "--message-id", UUID().uuidString,
        "--body", #"{"name":"\#(event.name)","payload":\#(event.payload)}"#,
      ]
      let result = try await CommandResult.python("Tests/Conformance/amqp_publish.py", arguments)
      try #require(result.status == 0, "\(result.output)")
    }
    for sleeper in Self.sleepers {
      _ = try await belfry.call(
        "PUT",
        "/api/v1/notifications/preferences",
        token: people[sleeper].token,
        body: #"{"pausedUntil":"\#(Self.text(Date.now + 4))"}"#
      ).expect(200)
    }
  }

  /// The rest of a round, some at a time. What is refused with 503 is sent again under the same key.
  func report(_ round: Int, width: Int = 8) async throws {
    let sends = rounds[round].sends.filter { $0.time == .now }
    let events = rounds[round].events.filter { $0.reporting != .twiceOverAMQP }
    try await withThrowingTaskGroup { group in
      for worker in 0..<width {
        group.addTask {
          for number in stride(from: worker, to: sends.count, by: width) {
            try await post("notifications", "{\(request(sends[number]))}", key: UUID().uuidString)
          }
          for number in stride(from: worker, to: events.count, by: width) { try await report(events[number]) }
        }
      }
      try await group.waitForAll()
    }
  }

  private func report(_ event: Event) async throws {
    let body = #"{"name":"\#(event.name)","payload":\#(event.payload)}"#
    let key = UUID().uuidString
    async let first: Void = post("events", body, key: key)
    if event.reporting == .twice { try await post("events", body, key: key) }
    try await first
  }

  private func sendLater(_ send: Send, key: String, at instant: Date) async throws {
    let request = request(send)
    switch send.time {
    case .now: return
    case .instant:
      try await post("notifications", #"{\#(request),"sendAt":"\#(Self.text(instant))"}"#, key: key)
    case .schedule:
      try await put(key, #"{\#(request),"sendAt":"\#(Self.text(instant))"}"#)
    case .recurrence:
      // `2026-11-22T19:00:05.123Z`: its clocks know seconds.
      let text = Self.text(instant)
      let (date, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
      try await put(
        key,
        #"{\#(request),"recurrence":"FREQ=DAILY;COUNT=1","start":"\#(date)","time":"\#(time)","timezone":"UTC"}"#
      )
    }
  }

  private func request(_ send: Send) -> String {
    let users = send.people.map { #""\#(people[$0].id)""# }.joined(separator: ",")
    let data = send.data.sorted { $0.key < $1.key }.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
    return #""to":{"users":[\#(users)]},"type":"\#(send.type)","data":{\#(data)}"#
  }

  private func put(_ key: String, _ body: String) async throws {
    _ = try await belfry.call(
      "PUT",
      "/api/v1/schedules/\(key)",
      token: try await belfry.serviceToken(subject: subject),
      body: body
    ).expect(201)
  }

  private func post(_ path: String, _ body: String, key: String) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let answer = try await belfry.call(
        "POST",
        "/api/v1/\(path)",
        token: try await belfry.serviceToken(subject: subject),
        headers: [(name: "Idempotency-Key", value: key)],
        body: body
      )
      if answer.status == 202 { return }
      try #require(answer.status == 503 && ContinuousClock.now < deadline, "\(answer.status): \(answer.text)")
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  /// RFC 3339 with milliseconds.
  private static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
