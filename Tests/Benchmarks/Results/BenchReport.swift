import Foundation

/// All of one run, as it is written to the JSON file.
struct BenchReport: Codable, Sendable {
  /// Where it ran; the load average tells whether it had the machine to itself.
  struct Machine: Codable, Sendable {
    var processors: Int
    var loadAverage: Double
    var memoryMegabytes: Int
    var system: String

    static var current: Machine {
      var load = [0.0]
      getloadavg(&load, 1)
      let info = ProcessInfo.processInfo
      return Machine(
        processors: info.processorCount,
        loadAverage: load[0],
        memoryMegabytes: Int(info.physicalMemory / 1_048_576),
        system: info.operatingSystemVersionString
      )
    }
  }

  /// Of a run in which nothing was measured yet.
  init(
    startedAt: Date = .now,
    seconds: Double = 0,
    machine: Machine = .current,
    options: BenchOptions,
    measurements: [Measurement] = [],
    usage: [UsageReport] = [],
    notes: [String] = []
  ) {
    self.startedAt = startedAt
    self.seconds = seconds
    self.machine = machine
    self.options = options
    self.measurements = measurements
    self.usage = usage
    self.notes = notes
  }

  var startedAt: Date
  var seconds: Double
  var machine: Machine
  var options: BenchOptions
  var measurements: [Measurement]
  var usage: [UsageReport]
  /// What was repeated or left out.
  var notes: [String]
}
