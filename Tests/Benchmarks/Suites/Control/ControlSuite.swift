import BenchmarkComparison
import LocalStack
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
  /// Of FCM while a tenth of its answers is late: 800 pushes at a time. A scope that is alone has nobody to take permits from, so there have to
  /// be as many as are late: at 20,000 pushes a second, a tenth of which takes 250 ms, these are 500.
  private static let fcmVariables = ["BELFRY_PUSH_CONNECTIONS": "8"]

  func measure() async throws {
    let routers = RouterFeed(bench: bench, suite: .control)
    try await routers.isolate()
    let fcm = try PushFeed(bench, .fcm(Self.people))
    let apns = try PushFeed(bench, .apns(Self.people, withSandbox: true))
    let webPush = try PushFeed(bench, try await .webPush(Self.people, bench, withOtherHost: true))
    let feeds = [fcm, apns, webPush]
    for feed in feeds {
      try await silence(feed, others: feeds.filter { $0.people.carrier != feed.people.carrier })
    }
    try await troubleWithinAPNs(apns)
    try await troubleWithinFCM(fcm)
    try await troubleWithinWebPush(webPush)
    try await QuotaRun(bench: bench, feed: fcm).measure()
    try await ControlWindow.clear(bench)
    try await routers.resume()
  }

  /// A provider gets pushes and answers none; the others have more than they can take.
  private func silence(_ feed: PushFeed, others: [PushFeed]) async throws {
    let full = others.map { ($0, PushFeed.Pace.full) }
    let name = Self.name(feed.people.carrier)
    let idle = ControlWindow(bench: bench, load: full, variables: webPushVariables)
    let silent = ControlWindow(
      bench: bench,
      load: full + [(feed, .steady(Self.steady))],
      faults: [.init(match: .init(channel: Self.channel(feed.people.carrier)), effect: .init(kind: "hang"))],
      variables: webPushVariables
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
        "\(name) is silent: \(Self.name(carrier))",
        meanwhile.map { $0.accepted[carrier] ?? 0 },
        "\(name) has nothing to do",
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

  /// A tenth of the answers of a provider that is one scope, chosen at random. The others are nine tenths of all that is sent, so they are
  /// compared with nine tenths of what is accepted while nothing is wrong, under the same load and with the same permits.
  private func troubleWithinFCM(_ feed: PushFeed) async throws {
    let rates = try await windows(of: feed, Self.fcmVariables) { effect in
      [SimulatorControl.Fault(match: .init(channel: "push", share: 0.1), effect: effect)]
    }
    .map { rates in rates.map { $0.accepted[.fcm] ?? 0 } }
    let (limit, most) = ("their nine tenths, nothing is wrong", rates[0].map { $0 * 0.9 })
    add("FCM, a tenth is answered 503: the others", rates[1], limit, most, budget: .shareAtLeast(0.9))
    // What is late is accepted as well: a tenth of it.
    let others = rates[2].map { $0 * 0.9 }
    add("FCM, a tenth is 250 ms late: the others", others, limit, most, budget: .shareAtLeast(0.9))
  }

  /// A tenth of the browsers is at another host: a scope of its own. It accepts with 202, so that its pushes can be told from the others'.
  private func troubleWithinWebPush(_ feed: PushFeed) async throws {
    let endpoints = feed.people.otherEndpoints
    let effects = [Self.accepting(late: 0), Self.failing, Self.accepting(late: 250)]
    let rates = try await windows(of: feed, webPushVariables, effects) { effect in
      endpoints.map { SimulatorControl.Fault(match: .init(channel: "webpush", token: $0), effect: effect) }
    }
    for (window, answer) in [(0, "202"), (1, "503"), (2, "202")] {
      guard rates[window].allSatisfy({ $0.attempts[.webPush]?[answer] != nil }) else {
        throw BenchError("the other host of browsers was not asked: no answer is \(answer)")
      }
    }
    let main = rates.map { rates in rates.map { $0.answers[.webPush]?["201"] ?? 0 } }
    let limit = "nothing is wrong"
    add("Web Push, a host answers 503: the other host", main[1], limit, main[0], budget: .shareAtLeast(0.9))
    add("Web Push, a host is 250 ms late: the other host", main[2], limit, main[0], budget: .shareAtLeast(0.9))
  }

  private static func accepting(late milliseconds: Int) -> SimulatorControl.Fault.Effect {
    .init(kind: "status", milliseconds: milliseconds, status: 202, accepts: true)
  }

  /// Both names of the simulator are those of push services.
  private var webPushVariables: [String: String] {
    let port = bench.stack.webPushPort
    return ["BELFRY_PUSH_WEBPUSH_HOSTS": "localhost:\(port),\(PushPeople.otherHost):\(port)"]
  }

  private static func name(_ carrier: DevicePlatform.Carrier) -> String {
    switch carrier {
    case .fcm: "FCM"
    case .apns: "APNs"
    case .webPush: "Web Push"
    }
  }

  /// Of a fault.
  private static func channel(_ carrier: DevicePlatform.Carrier) -> String {
    switch carrier {
    case .fcm: "push"
    case .apns: "apns"
    case .webPush: "webpush"
    }
  }

  /// The rates with each effect in turns: while nothing is wrong, while faults answer 503, and while they delay the answer.
  ///
  /// - Parameter effects: Nil: no fault.
  private func windows(
    of feed: PushFeed,
    _ variables: [String: String] = [:],
    _ effects: [SimulatorControl.Fault.Effect?] = [nil, Self.failing, Self.late],
    _ faults: (SimulatorControl.Fault.Effect) -> [SimulatorControl.Fault]
  ) async throws -> [[ControlWindow.Rates]] {
    let kinds = effects.map { effect in
      ControlWindow(bench: bench, load: [(feed, .full)], faults: effect.map(faults) ?? [], variables: variables)
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
