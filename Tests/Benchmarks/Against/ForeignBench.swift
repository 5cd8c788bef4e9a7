import Foundation
import LocalStack

/// The benchmark of a build as a process: the suites that measure a library do so inside the program that they are linked into.
enum ForeignBench {
  /// What is read of its JSON: the other build may write more, or less, than this one.
  private struct Report: Decodable {
    struct Figure: Decodable {
      var suite: Suite
      var what: String
      var value: Double
      var unit: String
    }

    var measurements: [Figure]
  }

  static func run(_ program: String, _ options: BenchOptions, suites: [Suite], directory: String) async throws
    -> [Measurement]
  {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let file = "\(directory)/results.json"
    do {
      try await LocalProcess.run(
        executable: program,
        arguments: [
          "--only", suites.map(\.rawValue).joined(separator: ","), "--json", file, "--seconds", "\(options.seconds)",
          "--clients", "\(options.clients)",
        ],
        // Each takes a few times the seconds, on a stack that has to start.
        within: .seconds(600 + 60 * options.seconds * suites.count)
      )
    } catch {
      // It has measured all if it wrote its figures: one that misses its budget makes it fail as well.
      guard FileManager.default.fileExists(atPath: file) else { throw error }
    }
    let report = try JSONDecoder().decode(Report.self, from: try Data(contentsOf: URL(filePath: file)))
    let measurements = report.measurements.map { Measurement($0.suite, $0.what, $0.value, $0.unit) }
    for measurement in measurements { Progress.say("  \(measurement.line)") }
    return measurements
  }
}
