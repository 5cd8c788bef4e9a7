/// Requests as bytes, made before the measuring begins.
enum LoadRequest {
  static func get(_ path: String, port: Int, token: String? = nil) -> [UInt8] {
    bare("GET", path, port: port, token: token)
  }

  /// Without a body.
  static func bare(_ method: String, _ path: String, port: Int, token: String? = nil) -> [UInt8] {
    Array("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(authorization(token))\r\n".utf8)
  }

  static func post(
    _ path: String,
    port: Int,
    token: String? = nil,
    json: String,
    method: String = "POST",
    type: String = "application/json"
  ) -> [UInt8] {
    let head = [
      "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Type: \(type)",
      "Content-Length: \(json.utf8.count)",
    ].joined(separator: "\r\n")
    return Array("\(head)\r\n\(authorization(token))\r\n\(json)".utf8)
  }

  private static func authorization(_ token: String?) -> String {
    token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
  }
}
