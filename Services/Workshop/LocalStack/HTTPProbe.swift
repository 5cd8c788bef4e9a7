import Dispatch
import Glibc

/// Asks a server on 127.0.0.1 for the status of one GET.
enum HTTPProbe {
  private static let queue = DispatchQueue(label: "belfry.probe", attributes: .concurrent)

  /// - Returns: The status, or `nil` if there was no answer within two seconds.
  static func status(port: Int, path: String) async -> Int? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: ask(port: port, path: path)) }
    }
  }

  private static func ask(port: Int, path: String) -> Int? {
    guard let descriptor = LoopbackSocket.connect(port: port, timeout: 2) else { return nil }
    defer { close(descriptor) }
    let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
    guard LoopbackSocket.send(request, on: descriptor) else { return nil }
    // "HTTP/1.1 200 OK": the first bytes are enough, and small enough to come at once.
    var answer = [UInt8](repeating: 0, count: 64)
    let count = recv(descriptor, &answer, answer.count, 0)
    guard count > 0 else { return nil }
    let words = String(decoding: answer[..<count], as: UTF8.self).split(separator: " ")
    guard words.count > 1, words[0].hasPrefix("HTTP/") else { return nil }
    return Int(words[1].prefix(3))
  }
}
