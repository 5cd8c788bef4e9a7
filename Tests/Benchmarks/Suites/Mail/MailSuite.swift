import BenchmarkComparison
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue

/// The email dispatcher: mails a second, beside other senders to the same mail server; what DKIM costs; and what others notice while one
/// domain is slow.
///
/// Each figure of the last kind is the median of three windows, in turns with windows of what it is compared with. The slow domain's
/// mails are refused at the end, so that what is accepted is the others'.
struct MailSuite {
  let bench: Bench

  private static let rounds = 3
  private static let people = 10_000
  /// The dispatcher's default.
  private static let connections = 4
  /// About that of a mail of the bench.
  private static let size = 1_400

  func measure() async throws {
    let routers = RouterFeed(bench: bench, suite: .mail)
    try await routers.isolate()
    let people = (0..<Self.people).map { number in
      let domain = number % 10 == 0 ? "slow.example" : "domain-\(number % 10).example"
      let address = "user-\(number)@\(domain)"
      return (user: UserID(UUID()), target: DeliveryTarget(id: address, address: address))
    }
    let slow = people.map(\.target.address).filter { $0.hasSuffix("@slow.example") }
    let feed = try DispatchFeed(bench, .email, to: people)
    try await alone(feed)
    try await beside(feed, slow)
    try await MailWindow(bench: bench, feed: feed).clear()
    for process in bench.stack.services(.email) {
      try process.launch()
      try await process.waitUntilReady()
    }
    try await routers.resume()
  }

  /// Nothing is wrong: with DKIM and without, in turns; and beside senders that do nothing else.
  private func alone(_ feed: DispatchFeed) async throws {
    var windows: [MailWindow.Figures] = []
    var signed = try SignedMails(bench, feed)
    for _ in 0..<Self.rounds {
      windows.append(try await MailWindow(bench: bench, feed: feed).measure())
      try await signed?.measure()
    }
    guard let rate = FigureComparison.median(windows.map(\.perSecond)),
      let each = FigureComparison.median(windows.map(\.microsecondsEach))
    else { return }
    bench.add(Measurement(.mail, "email dispatcher: CPU of a mail", each, "µs"))
    signed?.report(beside: MailWindow.Figures(perSecond: rate, microsecondsEach: each))
    let limit = SMTPLimit(
      port: bench.stack.smtpPort,
      sessions: Self.connections,
      count: bench.options.seconds * 400,
      size: Self.size
    )
    let senders = [("Python smtplib", limit.smtplib), ("smtp-source", limit.smtpSource)]
    for (name, sender) in senders {
      let what = "email dispatcher, \(Self.connections) connections, beside \(name)"
      await bench.add(Measurement(.mail, what, rate, "/s"), beside: "\(name), same simulator", sender)
    }
  }

  private func beside(_ feed: DispatchFeed, _ slow: [String]) async throws {
    func faults(_ effect: SimulatorControl.Fault.Effect) -> [SimulatorControl.Fault] {
      slow.map { SimulatorControl.Fault(match: .init(channel: "email", recipient: $0), effect: effect) }
    }
    let refused = SimulatorControl.Fault.Effect(kind: "smtp", stage: "message", smtpCode: 554)
    var late = refused
    late.milliseconds = 2_000
    var lateAtOnce = late
    lateAtOnce.stage = "recipient"
    let silent = SimulatorControl.Fault.Effect(kind: "hang", stage: "message")
    let windows = [refused, late, lateAtOnce, silent].map { effect in
      MailWindow(bench: bench, feed: feed, faults: faults(effect))
    }
    var rates = windows.map { _ in [Double]() }
    for _ in 0..<Self.rounds {
      for (index, window) in windows.enumerated() { rates[index].append(try await window.measure().perSecond) }
    }
    guard let full = FigureComparison.median(rates[0]) else { return }
    let names = ["takes 2 s for the final answer", "takes 2 s for a recipient", "never answers the final dot"]
    for (name, rates) in zip(names, rates.dropFirst()) {
      guard let rate = FigureComparison.median(rates) else { continue }
      bench.add(
        Measurement(
          .mail,
          "a domain \(name): the others",
          rate,
          "/s",
          limit: ("it answers at once", full),
          budget: .shareAtLeast(0.9)
        )
      )
    }
  }
}
