import ArgumentParser
import BenchmarkComparison
import Foundation
import LocalStack

/// `belfry-bench`
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfry-bench",
    abstract: "Measures Belfry, and beside it the raw limits of this machine in the same run.",
    discussion: """
      Starts the whole stack (the programs of the folder this one is in) on free ports in a temporary directory, measures, \
      prints a table and writes JSON. Everything shares this machine, the load included: compare ratios, not numbers.

        belfry-bench
        belfry-bench --only send,group
        belfry-bench --only router,settings,events
        belfry-bench --only router,apns,webpush,encryption
        belfry-bench --only control --seconds 3
        belfry-bench --only list --rows 10000000
        belfry-bench --only inbox,silence --rows 10000000
        belfry-bench --only held --held 1000000
        belfry-bench --only router,send --against ../belfry-before

      The suite control takes twice the seconds for each of 45 windows, half an hour in all.

      The exit status is 1 if a figure misses its budget, after the table and the JSON, and if the benchmark fails. With --against no \
      budget counts.

      Suites: \(Suite.allCases.map(\.rawValue).joined(separator: ", ")).
      """
  )

  @Option(help: ArgumentHelp("Only these suites.", valueName: "suite,…"))
  var only: SuiteList = SuiteList(suites: Suite.allCases)

  @Option(help: ArgumentHelp("Where the JSON goes.", valueName: "file"))
  var json = "bench-results.json"

  @Option(help: "Concurrent clients of the sustained rate.")
  var clients = 64

  @Option(help: "Seconds that each rate is measured for.")
  var seconds = 10

  @Option(help: "Members of the large group.")
  var members = 100_000

  @Option(help: "Rows in the notifications table for the suites list and inbox.")
  var rows = 1_000_000

  @Option(
    help: "Pushes that wait and come due within one minute, for the suite held. A million takes a quarter of an hour."
  )
  var held = 200_000

  @Option(
    help: ArgumentHelp(
      "Measures these services and those of another build in turns, and compares: a checkout with a release build, or a "
        + "folder of programs.",
      valueName: "directory"
    )
  )
  var against: String?

  @Option(help: "Turns of each build with --against.")
  var rounds = 4

  @Flag(help: "Keeps the directory with data and logs.")
  var keep = false

  func validate() throws {
    if !(1...1_000).contains(clients) { throw ValidationError("--clients: expected 1 to 1000") }
    if !(1...3_600).contains(seconds) { throw ValidationError("--seconds: expected 1 to 3600") }
    if !(1_000...1_000_000).contains(members) { throw ValidationError("--members: expected 1000 to 1000000") }
    if !(10_000...100_000_000).contains(rows) { throw ValidationError("--rows: expected 10000 to 100000000") }
    if !(100_000...5_000_000).contains(held) { throw ValidationError("--held: expected 100000 to 5000000") }
    if !(FigureComparison.leastRounds...50).contains(rounds) {
      throw ValidationError("--rounds: expected \(FigureComparison.leastRounds) to 50: fewer say nothing of noise")
    }
  }

  func run() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "belfry-bench-\(ProcessInfo.processInfo.processIdentifier)").path
    // The kernel ends every child with this process, so an interruption only has to clear the directory.
    let interruption = Interruption(removing: keep ? nil : directory)
    defer { interruption.cancel() }
    let options = BenchOptions(
      suites: only.suites,
      clients: clients,
      seconds: seconds,
      members: members,
      rows: rows,
      held: held
    )
    let comparison = try against.map {
      try AgainstRun(options, $0, rounds: rounds, in: directory, keepsData: keep)
    }
    var missed = 0
    do {
      if let comparison {
        let report = try await comparison.run()
        print(AgainstTable.text(report))
        try ResultFile.write(report, to: json)
      } else {
        let report = try await BenchRun.run(options, programs: .own(), directory: directory).report
        print(ResultTable.text(report))
        missed = report.measurements.count { $0.isMet == false }
        try ResultFile.write(report, to: json)
      }
    } catch {
      Progress.say("The benchmark failed: \(error)\nLogs: \(directory)")
      throw ExitCode(1)
    }
    print("\nJSON: \(json)")
    if keep { print("Data and logs: \(directory)") } else { try FileManager.default.removeItem(atPath: directory) }
    if missed > 0 {
      Progress.say(missed == 1 ? "1 figure misses its budget." : "\(missed) figures miss their budgets.")
      throw ExitCode(1)
    }
  }
}

/// The value of `--only`.
struct SuiteList: ExpressibleByArgument {
  var suites: [Suite]

  init(suites: [Suite]) {
    self.suites = suites
  }

  init?(argument: String) {
    suites = []
    for name in argument.split(separator: ",") {
      guard let suite = Suite(rawValue: String(name)) else { return nil }
      suites.append(suite)
    }
  }

  var defaultValueDescription: String { "all" }
}
