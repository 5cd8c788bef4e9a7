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

  /// The directory of PostgreSQL's server programs: of the version given, or of the newest.
  static func postgresDirectory(version: Int?) throws(LocalStackError) -> String {
    let root = "/usr/lib/postgresql"
    let installed = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
    let usable = installed.sorted(by: >).filter {
      FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/postgres")
    }
    if let version {
      guard usable.contains(version) else {
        throw LocalStackError(
          .missingProgram,
          "The data directory is of PostgreSQL \(version), which is not installed.",
          advice: "Install it (apt-get install postgresql-\(version)), or use another --data-dir."
        )
      }
      return "\(root)/\(version)/bin"
    }
    if let newest = usable.first { return "\(root)/\(newest)/bin" }
    let postgres = try find("postgres")
    return URL(filePath: postgres).deletingLastPathComponent().path
  }
}
