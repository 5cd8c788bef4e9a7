import Broker
import Foundation
import LocalStack
import NotificationQueue

/// A push dispatcher alone, which works off what is in its queue; before and after it libcurl against the same simulator.
struct PushDrain {
  struct Figures {
    var perSecond: Double
    /// Processor time of the dispatcher.
    var microsecondsEach: Double
    /// What libcurl reaches.
    var limit: CurlLoop.Result
  }

  static let what = "push dispatcher alone"
  /// The simulator tells a million pushes apart.
  private static let maximumMessages = 1_000_000 / DispatchMessage.maximumDeliveries

  let bench: Bench
  let suite: Suite
  let feed: PushFeed
  let limit: () async throws -> CurlLoop.Result

  /// - Parameter wanted: Messages of as many pushes each as a message may have; fewer if the simulator could not tell them apart.
  func measure(_ wanted: Int) async throws -> Figures {
    let messages = min(wanted, Self.maximumMessages)
    let routers = RouterFeed(bench: bench, suite: suite)
    try await routers.isolate()
    try await bench.admin.purge(feed.queue.name)
    try await feed.fill(messages)
    // Before and after: the machine's speed varies more within seconds than what is compared here differs.
    let former = try await limit()
    try await bench.simulator.reset()
    let (usage, perSecond) = try await dispatch(messages * DispatchMessage.maximumDeliveries)
    try await bench.addDuplicates(suite, Self.what, over: feed.people.carrier)
    try await bench.simulator.reset()
    let latter = try await limit()
    try await bench.simulator.reset()
    bench.add(usage)
    try await routers.resume()
    return Figures(
      perSecond: perSecond,
      microsecondsEach: usage.entry("belfry-push")?.microsecondsEach ?? .infinity,
      limit: .mean(former, latter)
    )
  }

  /// What the start costs is left out: the measuring begins with the first push.
  private func dispatch(_ count: Int) async throws -> (usage: UsageReport, perSecond: Double) {
    func arrived() async throws -> Int { try await bench.simulator.pushes(over: feed.people.carrier).arrived }
    for process in bench.stack.services(.push) { try process.launch() }
    try await Patience.wait(for: "the first push", within: .seconds(30)) { try await arrived() > 0 }
    let (started, before, first) = (WallTime.now, ProcessSample.take(), try await arrived())
    try await Patience.wait(for: "\(count) pushes", within: .seconds(300)) { try await arrived() >= count }
    let wall = WallTime.seconds(from: started, to: WallTime.now)
    let after = ProcessSample.take()
    guard first < count else { throw BenchError("all \(count) pushes came before they could be measured: too few") }
    let usage = UsageReport(
      suite,
      Self.what,
      notifications: count - first,
      wallSeconds: wall,
      from: before,
      to: after
    )
    return (usage, Double(count - first) / wall)
  }
}
