import Foundation

/// What `posix_spawn` needs to start one program.
struct ProcessLaunch: Sendable {
  let command: [String]
  let environment: [String: String]
  let output: String
  /// A directory that is open as descriptor 3, or `nil`.
  let openDirectory: String?

  /// Starts the program. To be called on the spawner's thread.
  ///
  /// - Returns: The process's number, or the error of `posix_spawn`.
  func start() -> Result<Int32, POSIXError> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o640)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    for descriptor in Self.openDescriptors where descriptor > 2 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    if let openDirectory { posix_spawn_file_actions_addopen(&actions, 3, openDirectory, O_RDONLY | O_DIRECTORY, 0) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    )
    posix_spawnattr_setpgroup(&attributes, 0)
    // Ignored signals are inherited; this process may ignore SIGTERM because it handles it through Dispatch.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    var pid: pid_t = 0
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let code = Self.withCStrings(command) { arguments in
      Self.withCStrings(variables) { posix_spawn(&pid, command[0], &actions, &attributes, arguments, $0) }
    }
    return code == 0 ? .success(pid) : .failure(POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL))
  }

  /// Closing one that is gone by then is no error to `posix_spawn`.
  private static var openDescriptors: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }
  }

  /// Lends the strings as a NULL-terminated array.
  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the array ends with NULL, so it is not empty") }
      return body(base)
    }
  }
}
