/// What each process used during one measurement.
struct UsageReport: Codable, Sendable {
  struct Entry: Codable, Sendable {
    var process: String
    var cpuSeconds: Double
    /// Of the processor, per notification.
    var microsecondsEach: Double
    var residentMegabytes: Double
  }

  var suite: Suite
  var what: String
  var notifications: Int
  var wallSeconds: Double
  var entries: [Entry]

  init(_ suite: Suite, _ what: String, notifications: Int, wallSeconds: Double, from: ProcessSample, to: ProcessSample)
  {
    self.suite = suite
    self.what = what
    self.notifications = notifications
    self.wallSeconds = wallSeconds
    entries = to.usage.map { name, usage in
      let seconds = usage.cpuSeconds - (from.usage[name]?.cpuSeconds ?? 0)
      return Entry(
        process: name,
        cpuSeconds: seconds,
        microsecondsEach: seconds * 1_000_000 / Double(max(1, notifications)),
        residentMegabytes: Double(usage.residentBytes) / 1_048_576
      )
    }
    .filter { $0.cpuSeconds > 0.01 || $0.process.hasPrefix("belfry") }
    .sorted { $0.cpuSeconds > $1.cpuSeconds }
  }

  func entry(_ process: String) -> Entry? {
    entries.first { $0.process == process }
  }
}
