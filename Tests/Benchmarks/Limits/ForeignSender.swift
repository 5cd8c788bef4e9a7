import Foundation
import LocalStack

/// A library of Python that sends pushes, run by a script of Tests/Conformance with the interpreter of the tests.
enum ForeignSender {
  struct Result: Decodable, Sendable {
    var perSecond: Double
    /// Processor time of its process.
    var microsecondsEach: Double
  }

  /// The repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// - Throws: What is missing, and what installs it.
  static func run(_ script: String, _ arguments: [String]) async throws -> Result {
    let environment = LocalProcess.inheritedEnvironment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
    let python =
      ProcessInfo.processInfo.environment["BELFRY_PYTHON"] ?? root.appending(path: ".belfry/venv/bin/python").path
    guard FileManager.default.isExecutableFile(atPath: python) else {
      throw BenchError("Python's clients are not installed; `make .belfry/venv/.installed` installs them")
    }
    let output = try await LocalProcess.run(
      executable: python,
      arguments: [root.appending(path: "Tests/Conformance/\(script)").path] + arguments,
      environment: environment,
      within: .seconds(300)
    )
    guard let line = output.split(separator: "\n").last else { throw BenchError("\(script) said nothing") }
    return try JSONDecoder().decode(Result.self, from: Data(line.utf8))
  }
}

extension Bench {
  /// Sets a dispatcher's rate and processor time beside those of a library of Python.
  func add(
    _ suite: Suite,
    _ figures: PushDrain.Figures,
    beside name: String,
    _ other: () async throws -> ForeignSender.Result
  ) async {
    do {
      let other = try await other()
      add(
        Measurement(
          suite,
          "\(PushDrain.what), beside \(name)",
          figures.perSecond,
          "/s",
          limit: ("\(name), same simulator", other.perSecond)
        )
      )
      add(
        Measurement(
          suite,
          "push dispatcher: CPU of a push, beside \(name)",
          figures.microsecondsEach,
          "µs",
          limit: ("\(name), same simulator", other.microsecondsEach)
        )
      )
    } catch {
      note("left out: the comparison with \(name): \(error)")
    }
  }

  /// Sets a figure beside that of another client; notes why if there is none.
  func add(_ measurement: Measurement, beside name: String, _ limit: () async throws -> Double) async {
    do {
      let limit = try await limit()
      add(
        Measurement(
          measurement.suite,
          measurement.what,
          measurement.value,
          measurement.unit,
          limit: (name, limit),
          budget: measurement.budget
        )
      )
    } catch {
      note("left out: \(measurement.what): \(error)")
    }
  }
}
