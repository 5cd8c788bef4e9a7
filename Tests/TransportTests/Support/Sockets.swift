import Foundation
import Glibc
import Testing

/// What the kernel says about TCP sockets of this machine. Source: proc(5), `/proc/net/tcp`.
enum Sockets {
  /// Bytes that have arrived at a server's port and were not read by it.
  static func unreadBytes(at port: Int) throws -> Int {
    try unreadBytes { $0[1].hasSuffix(hexadecimal(port)) }
  }

  /// Bytes that have arrived from a server's port and were not read by its client.
  static func unreadBytes(from port: Int) throws -> Int {
    try unreadBytes { $0[2].hasSuffix(hexadecimal(port)) }
  }

  /// Connections to a server's port of which the client has its end open.
  static func open(to port: Int) throws -> Int {
    let states: Set<Substring> = ["01", "08"]  // established, closed by the server only
    return try rows().count { $0[2].hasSuffix(hexadecimal(port)) && states.contains($0[3]) }
  }

  private static func unreadBytes(where isMeant: ([Substring]) -> Bool) throws -> Int {
    // Of a socket that listens the kernel reports how many connections wait to be accepted.
    let listening = "0A"
    return try rows().filter { isMeant($0) && $0[3] != listening }.reduce(0) { sum, row in
      sum + (row[4].split(separator: ":").last.flatMap { Int($0, radix: 16) } ?? 0)
    }
  }

  private static func rows() throws -> [[Substring]] {
    try ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path in
      try read(path).split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
    }
  }

  /// Reads to the end. Foundation believes the size of 0 that such a file states, and reads one piece only.
  private static func read(_ path: String) throws -> String {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "cannot open \(path)")
    defer { close(descriptor) }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  private static func hexadecimal(_ port: Int) -> String {
    ":" + String(format: "%04X", port)
  }
}
