import Foundation
import LocalStack
import Postgres

/// Pushes and mails while everything around is slow and nothing crashes: each must go out once.
///
/// A push and a mail take 2 s each, over few connections. With some of them done the dispatchers stand still until the
/// broker has given up on them, and later the broker until they have given up on it.
struct RepeatSuite {
  let bench: Bench

  private static let group = "bench:slow"
  /// Both take half a minute: 100 pushes and 4 mails at a time.
  private static let pushes = 1_500
  private static let mails = 60
  private static let latency = Duration.seconds(2)
  private static let heartbeat = Duration.seconds(2)
  /// A silent peer is given up after two heartbeats, and looked at once a heartbeat.
  private static let pause = heartbeat * 5

  func measure() async throws {
    let stock = bench.stack.services(.push) + bench.stack.services(.email)
    for process in stock { await process.terminate() }
    let slow = [try extra(.push), try extra(.email)]
    do {
      for process in slow { try process.launch() }
      for process in slow { try await process.waitUntilReady() }
      try await send(through: slow)
    } catch {
      for process in slow { await process.kill() }
      throw error
    }
    for process in slow { await process.terminate() }
    try await bench.simulator.reset()
    for process in stock {
      try process.launch()
      try await process.waitUntilReady()
    }
  }

  private func extra(_ service: BelfryService) throws -> StackProcess {
    bench.stack.extra(
      service,
      name: "\(service.rawValue)-slow",
      port: try FreePort.find(),
      variables: [
        "BELFRY_BROKER_HEARTBEAT": "\(Int(Self.heartbeat.seconds))s", "BELFRY_PUSH_CONNECTIONS": "1",
        "BELFRY_EMAIL_CONNECTIONS": "4",
      ]
    )
  }

  private func send(through dispatchers: [StackProcess]) async throws {
    try await makePeople()
    for channel in ["push", "email"] { try await bench.simulator.delay(channel, stage: "message", by: Self.latency) }
    let started = WallTime.now
    try await GroupSend(bench, group: Self.group).send()
    try await wait(forPushes: 200, mails: 8)
    for process in dispatchers { process.pause() }
    try await Task.sleep(for: Self.pause)
    for process in dispatchers { process.resume() }
    try await wait(forPushes: 900, mails: 36)
    bench.stack.rabbitmq.pause()
    try await Task.sleep(for: Self.pause)
    bench.stack.rabbitmq.resume()
    try await wait(forPushes: Self.pushes, mails: Self.mails)
    // What would go out again is still in a queue or in somebody's hands.
    try await Patience.wait(for: "empty queues", within: .seconds(120), every: .milliseconds(500)) {
      try await bench.backlog() == 0
    }
    let took = WallTime.seconds(from: started, to: WallTime.now)
    let repeated = (try await bench.simulator.pushes().duplicates, try await bench.simulator.mails().duplicates)
    Progress.say("  … \(repeated.0) pushes and \(repeated.1) mails came again")
    bench.add(
      Measurement(
        .repeats,
        "Pushes and mails repeated without a crash",
        Double(repeated.0 + repeated.1),
        "",
        budget: .atMost(0)
      )
    )
    bench.add(Measurement(.repeats, "\(Self.pushes) pushes and \(Self.mails) mails of 2 s each", took, "s"))
  }

  private func wait(forPushes pushes: Int, mails: Int) async throws {
    try await Patience.wait(
      for: "\(pushes) pushes and \(mails) mails",
      within: .seconds(180),
      every: .milliseconds(100)
    ) {
      let arrived = (try await bench.simulator.pushes().arrived, try await bench.simulator.mails().arrived)
      return arrived.0 >= pushes && arrived.1 >= mails
    }
  }

  /// Everybody has a device, and the first ones want mails too.
  private func makePeople() async throws {
    let type = Int32(SendSuite.type)
    _ = try await bench.database.transaction([
      """
      INSERT INTO users (user_id, display_name, email, locale, timezone)
      SELECT md5('slow user ' || i)::uuid, 'User ' || i, 'slow-' || i || '@example.org', 'en', 'Europe/Berlin'
      FROM generate_series(1, \(Self.pushes)) i
      """,
      """
      INSERT INTO devices (user_id, id, token, platform, name, app_version)
      SELECT md5('slow user ' || i)::uuid, gen_random_uuid(), 'slow-' || i || ':' || repeat(md5('token ' || i), 4), 1,
        'Phone', '1.0'
      FROM generate_series(1, \(Self.pushes)) i
      """,
      """
      INSERT INTO preferences (user_id, type, in_app, push, email)
      SELECT md5('slow user ' || i)::uuid, \(type), true, true, true FROM generate_series(1, \(Self.mails)) i
      """,
      """
      INSERT INTO group_members (group_id, user_id)
      SELECT \(Self.group), md5('slow user ' || i)::uuid FROM generate_series(1, \(Self.pushes)) i
      """,
    ])
  }
}

extension Bench {
  /// Messages that wait in the broker's queues or are in a service's hands, those given up on left out.
  fileprivate func backlog() async throws -> Int {
    let text = try await stack.rabbitmq.control(["list_queues", "-q", "--no-table-headers", "name", "messages"])
    return text.split(separator: "\n").reduce(0) { sum, line in
      let columns = line.split(separator: "\t")
      guard columns.count == 2, !columns[0].hasSuffix(".parked"), !columns[0].hasSuffix(".dead") else { return sum }
      return sum + (Int(columns[1]) ?? 0)
    }
  }
}
