import CWorkshopFiles
import Embedded
import Foundation
import Logging

/// The directory of a private PostgreSQL server.
struct PostgresFiles: Sendable {
  let directory: String
  /// Whom the files belong to and the server runs as, if not the user of this process.
  let owner: String?
  private let installation: PostgresInstallation
  private let programs: String

  var log: String { "\(directory)/server.log" }
  private var data: String { "\(directory)/data" }

  /// The directory as the server sees it. Started by root, the user `postgres` may be unable to reach it by name (below
  /// `/root`, say): then it gets it open as descriptor 3.
  private var reach: String { owner == nil ? directory : "/proc/self/fd/3" }

  /// A copy of the installation's folder, where root starts the server: its user may be unable to reach that folder, and
  /// PostgreSQL, which looks for its files by its program's real path, does not start from an open directory.
  private var copy: String? { owner == nil || installation.folder.isEmpty ? nil : "\(directory)/installation" }

  /// What the server is told about its files.
  var arguments: [String] { ["-D", "\(reach)/data", "-c", "config_file=\(reach)/postgresql.conf"] }

  init(directory: String, installation: PostgresInstallation) throws(LocalStackError) {
    self.directory = directory
    self.installation = installation
    owner = geteuid() == 0 ? "postgres" : nil
    let version = Files.read("\(directory)/data/PG_VERSION")?.trimmingCharacters(in: .whitespacesAndNewlines)
    programs = try installation.programs(version: version.flatMap { Int($0) })
  }

  func program(_ name: String) -> String {
    let path = "\(programs)/\(name)"
    return copy.map { $0 + path.dropFirst(installation.folder.count) } ?? path
  }

  /// Makes the directory ready for a start.
  ///
  /// - Returns: The superuser's password.
  func prepare(logger: Logger) async throws(LocalStackError) -> String {
    try Files.makeDirectory(directory, owner: owner)
    if let copy { try Files.copyDirectory(installation.folder, to: copy) }
    let secret = try Files.secret("\(directory)/password", owner: owner)
    if Files.read("\(data)/PG_VERSION") == nil {
      logger.debug("initialising PostgreSQL", metadata: ["directory": "\(data)"])
      try await LocalProcess.run(
        executable: program("initdb"),
        arguments: [
          "--pgdata", "\(reach)/data", "--username", "postgres", "--pwfile", "\(reach)/password", "--auth",
          "scram-sha-256",
          "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--no-instructions",
        ],
        directory: "/",
        openDirectory: directory,
        asUser: owner,
        within: .seconds(120)
      )
    }
    try Files.write(
      EmbeddedFile.at("compose/postgresql/postgresql.conf", of: workshop_files).bytes,
      to: "\(directory)/postgresql.conf",
      owner: owner
    )
    return secret
  }

  /// Whether the server with this process number says that it accepts connections (as `pg_ctl` asks).
  func isReady(pid: Int32) -> Bool {
    let lines = postmaster
    return lines.count >= 8 && lines[0] == String(pid) && lines[7].hasPrefix("ready")
  }

  /// Waits for the server of a stack that died just now; the kernel has told it to end.
  func waitForFormerServer() async throws(LocalStackError) {
    let isGone = try await Condition.wait(within: .seconds(30)) { () throws(LocalStackError) -> Bool? in
      guard let first = postmaster.first, let pid = Int32(first) else { return true }
      return ProcessTable.isAlive(pid) && ProcessTable.program(of: pid) == "postgres" ? nil : true
    }
    if isGone == nil {
      throw LocalStackError(
        .inUse,
        "Another PostgreSQL server runs in \(data).",
        advice: "Stop it (process \(postmaster.first ?? "?")), or use another --data-dir."
      )
    }
  }

  private var postmaster: [String] {
    (Files.read("\(data)/postmaster.pid") ?? "").split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }
}
