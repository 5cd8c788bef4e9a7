import Glibc
import Synchronization

/// Finds TCP ports on 127.0.0.1 for servers.
///
/// Ports come from below the kernel's range for outgoing connections (32768 and up): a server that is killed and restarted on
/// its port must not find it taken by some client's connection.
///
/// A server listens only seconds after its port was found. Until then, and for as long as this process lives, the port is
/// reserved: among the processes of one user by a lock on one byte of a file, which ends with the process.
public enum FreePort {
  private static let range = 20_000..<32_000
  private static let given = Mutex<Set<Int>>([])
  /// Open for the life of the process: a record lock ends with any descriptor of its file. Below 0 where it cannot be opened;
  /// then ports are reserved in this process alone.
  private static let reservations = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  /// Whose byte N is locked while port N is reserved.
  static let file = "/tmp/belfry-ports-\(getuid())"

  /// A port that nobody listens on now, and that no process of this user has been given and still runs.
  public static func find() throws(LocalStackError) -> Int {
    for _ in 0..<2_000 {
      let port = Int.random(in: range)
      if take(port) { return port }
    }
    throw LocalStackError(
      .cannotStart,
      "No free TCP port was found between \(range.lowerBound) and \(range.upperBound)."
    )
  }

  /// Takes a port as `find()` does, if nobody has it.
  public static func take(_ port: Int) -> Bool {
    given.withLock { $0.insert(port).inserted } && reserve(port) && isFree(port)
  }

  /// False where another process has the port.
  static func reserve(_ port: Int) -> Bool {
    var byte = flock()
    byte.l_type = Int16(F_WRLCK)
    byte.l_whence = Int16(SEEK_SET)
    byte.l_start = off_t(port)
    byte.l_len = 1
    guard fcntl(reservations, F_SETLK, &byte) != 0 else { return true }
    return errno != EAGAIN && errno != EACCES
  }

  /// The port given, or a free one for `nil`.
  static func find(preferring port: Int?) throws(LocalStackError) -> Int {
    guard let port else { return try find() }
    return port
  }

  /// Whether a server could listen on the port of 127.0.0.1 now.
  public static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // As servers do: connections of the past in TIME_WAIT do not count.
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in.loopback(port: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
