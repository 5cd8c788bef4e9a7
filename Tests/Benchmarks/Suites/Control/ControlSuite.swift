import BenchmarkComparison
import NotificationModel

/// What others notice while a push provider, or a part of one, is in trouble; and a quota that several dispatchers share.
///
/// Each figure is the median of three windows, in turns with windows of what it is compared with.
struct ControlSuite {
  let bench: Bench

  static let rounds = 3
  private static let people = 10_000
  private static let late = SimulatorControl.Fault.Effect(kind: "latency", milliseconds: 250)
  private static let failing = SimulatorControl.Fault.Effect(kind: "unavailable")
  /// A second, for the provider that is silent.
  private static let steady = 10

  func measure() async throws {
    let routers = RouterFeed(bench: bench, suite: .control)
    try await routers.isolate()
    let fcm = try PushFeed(bench, .fcm(Self.people))
    let apns = try PushFeed(bench, .apns(Self.people, withSandbox: true))
    let webPush = try PushFeed(bench, try await .webPush(Self.people, bench))
    try await silence(fcm, others: [apns, webPush])
    try await troubleWithinAPNs(apns)
    try await troubleWithinFCM(fcm)
    try await QuotaRun(bench: bench, feed: fcm).measure()
    try await ControlWindow.clear(bench)
    try await routers.resume()
  }

  /// A provider gets pushes and answers none; the others have more than they can take.
  private func silence(_ feed: PushFeed, others: [PushFeed]) async throws {
    let full = others.map { ($0, PushFeed.Pace.full) }
    let idle = ControlWindow(bench: bench, load: full)
    let silent = ControlWindow(
      bench: bench,
      load: full + [(feed, .steady(Self.steady))],
      faults: [.init(match: .init(channel: "push"), effect: .init(kind: "hang"))]
    )
    var (before, meanwhile): ([ControlWindow.Rates], [ControlWindow.Rates]) = ([], [])
    for _ in 0..<Self.rounds {
      before.append(try await idle.measure())
      let rates = try await silent.measure()
      guard rates.accepted[feed.people.carrier] == 0, rates.attempts[feed.people.carrier, default: [:]]["hang"] != nil
      else { throw BenchError("the provider that was to be silent answered, or was not asked") }
      meanwhile.append(rates)
    }
    for carrier in others.map(\.people.carrier) {
      add(
        "FCM is silent: \(carrier.rawValue)",
        meanwhile.map { $0.accepted[carrier] ?? 0 },
        "FCM has nothing to do",
        before.map { $0.accepted[carrier] ?? 0 },
        budget: .shareAtLeast(0.9)
      )
    }
  }

  /// A tenth of the devices is in the sandbox: a scope of its own.
  private func troubleWithinAPNs(_ feed: PushFeed) async throws {
    let tokens = feed.people.sandboxTokens
    let production = try await windows(of: feed) { effect in
      tokens.map { SimulatorControl.Fault(match: .init(channel: "apns", token: $0), effect: effect) }
    }
    .map { rates in rates.map { $0.environments["production"] ?? 0 } }
    let limit = "nothing is wrong"
    add("APNs, sandbox answers 503: production", production[1], limit, production[0], budget: .shareAtLeast(0.9))
    add("APNs, sandbox is 250 ms late: production", production[2], limit, production[0], budget: .shareAtLeast(0.9))
  }

  /// A tenth of the answers of a provider that is one scope. The others take no time from each other when some fail; when some are late,
  /// they share the connections' streams with them, and there is nobody else from whom to take any: this one has no budget.
  private func troubleWithinFCM(_ feed: PushFeed) async throws {
    let rates = try await windows(of: feed) { effect in
      [SimulatorControl.Fault(match: .init(channel: "push", share: 0.1), effect: effect)]
    }
    .map { rates in rates.map { $0.accepted[.fcm] ?? 0 } }
    add(
      "FCM, a tenth is answered 503: the others",
      rates[1],
      "nine tenths, nothing is wrong",
      rates[0].map { $0 * 0.9 },
      budget: .shareAtLeast(0.9)
    )
    add("FCM, a tenth is 250 ms late: all", rates[2], "nothing is wrong", rates[0])
  }

  /// The rates while nothing is wrong, while faults answer 503, and while they delay the answer.
  private func windows(
    of feed: PushFeed,
    _ faults: (SimulatorControl.Fault.Effect) -> [SimulatorControl.Fault]
  ) async throws -> [[ControlWindow.Rates]] {
    let kinds = [[], faults(Self.failing), faults(Self.late)].map { faults in
      ControlWindow(bench: bench, load: [(feed, .full)], faults: faults)
    }
    var rates = kinds.map { _ in [ControlWindow.Rates]() }
    for _ in 0..<Self.rounds {
      for (index, kind) in kinds.enumerated() { rates[index].append(try await kind.measure()) }
    }
    return rates
  }

  private func add(
    _ what: String,
    _ rates: [Double],
    _ limit: String,
    _ limits: [Double],
    budget: Measurement.Budget? = nil
  ) {
    guard let rate = FigureComparison.median(rates), let most = FigureComparison.median(limits) else { return }
    bench.add(Measurement(.control, what, rate, "/s", limit: (limit, most), budget: budget))
  }
}
