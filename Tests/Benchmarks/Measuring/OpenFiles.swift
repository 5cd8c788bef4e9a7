import Glibc

/// How many files and sockets this process, and each it starts from then on, may open.
enum OpenFiles {
  /// Raises the limit as far as the system allows.
  ///
  /// - Returns: The limit.
  static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
