import Foundation
import LocalStack

/// nghttp2's load generator: what a program in C reaches that does nothing but send one request again and again.
enum H2Load {
  /// What is missing, in words; nil when it can be started.
  static var problem: String? {
    let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/h2load")
    return isInstalled ? nil : "h2load is not installed; `.ci/install bench` installs it"
  }

  /// Requests per second over one connection.
  ///
  /// - Parameters:
  ///   - headers: `Name: value`.
  ///   - streams: Requests at a time.
  ///   - directory: Where it may write a file.
  static func run(
    url: String,
    headers: [String] = [],
    body: [UInt8],
    streams: Int,
    count: Int,
    directory: String
  ) async throws -> Double {
    let file = "\(directory)/h2load.json"
    try Data(body).write(to: URL(filePath: file))
    let output = try await LocalProcess.run(
      executable: "h2load",
      arguments: ["-n", "\(count)", "-c", "1", "-m", "\(streams)", "-d", file] + headers.flatMap { ["-H", $0] } + [url],
      within: .seconds(300)
    )
    guard let match = output.firstMatch(of: /finished in .*?, ([0-9.]+) req\/s/), let rate = Double(match.1),
      output.contains("\(count) succeeded")
    else { throw BenchError("h2load said something unexpected: \(output)") }
    return rate
  }
}
