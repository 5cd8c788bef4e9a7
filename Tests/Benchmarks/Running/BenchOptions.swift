/// What the command line chooses.
struct BenchOptions: Codable, Sendable {
  var suites: [Suite]
  var clients: Int
  var seconds: Int
  var members: Int
  var rows: Int
  var held: Int
}
