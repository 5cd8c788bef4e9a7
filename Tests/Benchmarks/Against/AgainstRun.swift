import BenchmarkComparison
import Foundation
import LocalStack

/// Two builds' services in turns: these, the others, these again, each time on a stack of its own with a new database and broker.
/// Load, simulator and limits are always this build's; the schema is that of the services.
struct AgainstRun {
  private let options: BenchOptions
  private let rounds: Int
  private let these: BelfryPrograms
  private let other: BelfryPrograms
  private let directory: String
  private let keepsData: Bool
  private let leftOut: String?

  /// A turn that fails is repeated once: what happens once in hours should not cost them.
  private static let tries = 2

  /// - Parameters:
  ///   - other: A checkout with a release build, or a folder of programs.
  ///   - rounds: At least ``FigureComparison/leastRounds``.
  /// - Throws: What is missing, and the command that builds it.
  init(_ options: BenchOptions, _ other: String, rounds: Int, in directory: String, keepsData: Bool) throws {
    let found = try BelfryPrograms.find(in: other)
    var options = options
    var leftOut: String?
    let libraries = options.suites.filter(\.isInProcess).map(\.rawValue)
    if !libraries.isEmpty, found.bench == nil {
      leftOut = """
        left out: \(libraries.joined(separator: ", ")) measure libraries inside belfry-bench, and there is none beside \
        \(found.product); for a checkout, `make -C \(other) build CONFIGURATION=release PRODUCT=belfry-bench` builds it
        """
      options.suites.removeAll(where: \.isInProcess)
    }
    if options.suites.isEmpty { throw BenchError(leftOut ?? "no suite was chosen") }
    these = try BelfryPrograms.own()
    self.other = found
    self.options = options
    self.leftOut = leftOut
    self.rounds = rounds
    self.directory = directory
    self.keepsData = keepsData
  }

  func run() async throws -> AgainstReport {
    let started = Date.now
    var turns: [AgainstReport.Turn] = []
    var figures: [Side: RoundFigures] = [:]
    var samples: [Side: MessageSample] = [:]
    let known = try await other.settings(in: "\(directory)/settings")
    var notes = leftOut.map { [$0] } ?? []
    if these.product == other.product { notes.append("both are the same programs: what differs is noise") }
    for note in notes { Progress.say("! \(note)") }
    for round in 1...rounds {
      for side in Side.allCases {
        let what = "round \(round) of \(rounds), \(side.name)"
        Progress.say("\n\(what):")
        let result = try await Repetition.measure(what, tries: Self.tries) { note in
          Progress.say("  ! \(note)")
          notes.append(note)
        } _: { attempt in
          try await turn(
            side,
            known: side == .these ? [:] : known,
            sampling: samples[side] == nil,
            in: "\(directory)/\(round)-\(side.rawValue)-\(attempt)"
          )
        }
        if let sample = result.sample { samples[side] = sample }
        notes += result.report.notes.map { "\(what): \($0)" }
        figures[side, default: RoundFigures()].add(result.report.figures)
        turns.append(AgainstReport.Turn(round: round, side: side, report: result.report))
      }
    }
    return AgainstReport(
      startedAt: started,
      seconds: Date.now.timeIntervalSince(started),
      these: these.product,
      other: other.product,
      rounds: rounds,
      figures: RoundFigures.compare(figures[.these] ?? RoundFigures(), with: figures[.other] ?? RoundFigures()),
      messages: samples[.these].flatMap { mine in
        samples[.other].map { MessageDifference.all(mine.parts, $0.parts) }
      },
      notes: notes,
      turns: turns
    )
  }

  private func turn(
    _ side: Side,
    known: [BelfryService: Set<String>],
    sampling: Bool,
    in directory: String
  ) async throws -> BenchRun.Result {
    let programs = side == .these ? these : other
    var result = BenchRun.Result(report: BenchReport(options: options))
    let suites = options.suites.filter { !$0.isInProcess }
    if !suites.isEmpty {
      var options = options
      options.suites = suites
      result = try await BenchRun.run(
        options,
        programs: BelfryPrograms(product: programs.product, workshop: these.workshop),
        directory: "\(directory)/stack",
        known: known,
        sampling: sampling
      )
    }
    let libraries = options.suites.filter(\.isInProcess)
    if !libraries.isEmpty, let bench = programs.bench {
      result.report.measurements += try await ForeignBench.run(
        bench,
        options,
        suites: libraries,
        directory: "\(directory)/bench"
      )
    }
    // The next turn has data of its own; a failed one's stays until the end.
    if !keepsData { try FileManager.default.removeItem(atPath: directory) }
    return result
  }
}

extension BenchReport {
  /// What a comparison compares: what was measured, and the processor time and memory of each process but the load's.
  fileprivate var figures: [(name: String, value: Double, unit: String)] {
    let measured = measurements.map { ("\($0.suite.rawValue): \($0.what)", $0.value, $0.unit) }
    let own = ["belfry-bench", "belfry-simulator"]
    let used = usage.flatMap { usage in
      usage.entries.filter { !own.contains($0.process) }.flatMap { entry in
        let name = "\(usage.suite.rawValue): \(usage.what): \(entry.process)"
        return [
          ("\(name), CPU each", entry.microsecondsEach, "µs"), ("\(name), resident", entry.residentMegabytes, "MB"),
        ]
      }
    }
    return measured + used
  }
}
