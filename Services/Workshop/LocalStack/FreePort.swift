import Glibc
import Synchronization

/// Finds TCP ports on 127.0.0.1 for servers.
///
/// Ports come from below the kernel's range for outgoing connections (32768 and up): a server that is killed and restarted on
/// its port must not find it taken by some client's connection.
public enum FreePort {
  private static let range = 20_000..<32_000
  private static let given = Mutex<Set<Int>>([])

  /// A port that nobody listens on now, and that this process has not been given before.
  public static func find() throws(LocalStackError) -> Int {
    for _ in 0..<2_000 {
      let port = Int.random(in: range)
      guard given.withLock({ $0.insert(port).inserted }) else { continue }
      if isFree(port) { return port }
    }
    throw LocalStackError(
      .cannotStart,
      "No free TCP port was found between \(range.lowerBound) and \(range.upperBound)."
    )
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
