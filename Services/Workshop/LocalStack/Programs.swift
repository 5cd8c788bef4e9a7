import Foundation

/// Where the system's programs are.
enum Programs {
  private static let packages = [
    "postgres": "postgresql-15", "initdb": "postgresql-15", "createdb": "postgresql-client-15",
    "rabbitmq-server": "rabbitmq-server", "rabbitmqctl": "rabbitmq-server", "epmd": "erlang-base",
    "setpriv": "util-linux",
  ]

  /// The absolute path of a program: as given if absolute, else from `PATH` and the system's directories.
  static func find(_ program: String, in directories: [String] = []) throws(LocalStackError) -> String {
    if program.contains("/") {
      guard FileManager.default.isExecutableFile(atPath: program) else {
        throw LocalStackError(.missingProgram, "There is no program \(program).")
      }
      return program
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let places = directories + path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/sbin", "/bin", "/sbin"]
    for place in places where FileManager.default.isExecutableFile(atPath: "\(place)/\(program)") {
      return "\(place)/\(program)"
    }
    throw LocalStackError(
      .missingProgram,
      "The program \(program) is not installed.",
      advice: packages[program].map { "Install it with `make deps`, or `apt-get install \($0)`." }
    )
  }
}
