import Foundation
import LocalStack
import NotificationModel
import NotificationStore
import Postgres

/// Schedules: what many of them cost while nothing comes due, and what one costs that notifies a large group.
struct ScheduleSuite {
  let bench: Bench

  private static let count = 100_000
  private static let processes = [
    (what: "router", program: "belfry-router"), (what: "PostgreSQL", program: "PostgreSQL"),
  ]

  func measure() async throws {
    let population = try await bench.population()
    try await measureRest()
    try await measureRun(population)
    // Those that follow measure something else.
    _ = try await bench.database.query("TRUNCATE schedules")
  }

  // MARK: At rest

  private func measureRest() async throws {
    let table = ScheduleTable(database: bench.database)
    guard try await table.count() == 0 else { throw BenchError("there are schedules already") }
    let without = try await rest()
    let zones = try await table.fill(Self.count)
    let looks = try await table.looks()
    let with = try await rest()
    let looked = try await table.looks() - looks
    guard looked >= seconds / 2 else {
      throw BenchError("in \(seconds) s routers looked for what is due \(looked) times by the index of due times")
    }
    guard try await table.countFarAhead() == Self.count else {
      throw BenchError("some of the schedules were touched although none was due")
    }
    for (what, program) in Self.processes {
      guard let value = with[program], let limit = without[program] else { throw BenchError("\(what) cannot be seen") }
      bench.add(
        Measurement(
          .schedules,
          "\(what) at rest, \(Self.count) schedules in \(zones) zones, CPU of an hour",
          value,
          "s",
          limit: ("without schedules", limit),
          budget: .atMost(60)
        )
      )
    }
  }

  /// How long rest is looked at.
  private var seconds: Int { max(30, 3 * bench.options.seconds) }

  /// Seconds of processor time in an hour, by program, while nothing is sent.
  private func rest() async throws -> [String: Double] {
    // What was left to do by what was measured before would be done in between.
    for statement in ["VACUUM ANALYZE", "CHECKPOINT"] {
      _ = try await bench.database.query("\(unescaped: statement)")
    }
    try await Patience.wait(for: "rest", within: .seconds(120), every: .zero) {
      let use = try await use(for: 2)
      return Self.processes.allSatisfy { use[$0.program, default: 0] < 0.1 * 3_600 }
    }
    return try await use(for: seconds)
  }

  /// Seconds of processor time, by program, as for an hour.
  private func use(for seconds: Int) async throws -> [String: Double] {
    let (started, before) = (WallTime.now, ProcessSample.take())
    try await Task.sleep(for: .seconds(seconds))
    let (end, after) = (WallTime.now, ProcessSample.take())
    let share = 3_600 / WallTime.seconds(from: started, to: end)
    return after.usage.reduce(into: [:]) { use, entry in
      use[entry.key] = (entry.value.cpuSeconds - (before.usage[entry.key]?.cpuSeconds ?? 0)) * share
    }
  }

  // MARK: A group

  private func measureRun(_ population: Population) async throws {
    let (count, group) = (population.count, population.group)
    let zone = try await zone(of: population.sample[0])
    let send = try await GroupSend(bench, group: group)
    let schedule = try await GroupSchedule(bench, group: group, zone: zone)
    // Once unmeasured: the first one makes inboxes.
    _ = try await run("one send to \(count)", count) { try await begin(send) }
    let plain = try await run("one send to \(count)", count) { try await begin(send) }
    let ran = try await run("a schedule's run for \(count)", count) { try await schedule.put() }
    try await schedule.delete()
    try await bench.addDuplicates(.schedules, "a schedule's run for \(count)")
    try await bench.simulator.reset()
    bench.add(ran.usage)
    bench.add(
      Measurement(
        .schedules,
        "a schedule's run for \(count) at their own time, from its instant until pushed",
        ran.seconds,
        "s",
        limit: ("a plain send", plain.seconds),
        budget: .ratioAtMost(1.25)
      )
    )
    bench.add(
      Measurement(
        .schedules,
        "a schedule's run for \(count), router's CPU of a notification",
        ran.usage.entry("belfry-router")?.microsecondsEach ?? .infinity,
        "µs",
        limit: ("a plain send", plain.usage.entry("belfry-router")?.microsecondsEach ?? 0)
      )
    )
  }

  private func zone(of user: UserID) async throws -> String {
    guard let row = try await bench.database.query("SELECT timezone FROM users WHERE user_id = \(user)").first else {
      throw BenchError("the members of the group have no profiles")
    }
    return try row.get(0)
  }

  private func begin(_ send: GroupSend) async throws -> Int64 {
    let started = WallTime.now
    try await send.send()
    return started
  }

  private func run(
    _ what: String,
    _ count: Int,
    _ start: () async throws -> Int64
  ) async throws -> (seconds: Double, usage: UsageReport) {
    try await bench.simulator.reset()
    let deadLettered = try await bench.deadLettered()
    let before = ProcessSample.take()
    let run = try await GroupRun.measure(bench, count, start)
    let pushes = try await bench.simulator.pushes().acceptedOnce
    guard pushes == count else { throw BenchError("\(what): \(pushes) pushes instead of \(count)") }
    let nowDeadLettered = try await bench.deadLettered()
    guard nowDeadLettered == deadLettered else {
      throw BenchError("\(what): \(nowDeadLettered - deadLettered) messages were dead-lettered")
    }
    guard run.seconds > 0 else { throw BenchError("\(what): all was pushed before it was to begin") }
    let usage = UsageReport(
      .schedules,
      what,
      notifications: count,
      wallSeconds: run.seconds,
      from: before,
      to: run.after
    )
    return (run.seconds, usage)
  }
}
