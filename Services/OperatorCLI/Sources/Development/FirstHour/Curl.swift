/// A call of the gateway as somebody would type it.
enum Curl {
  static func command(_ method: String, _ url: String, token: String, body: String?) -> String {
    var lines = [method == "POST" && body != nil ? "curl -sS \(quoted(url))" : "curl -sS -X \(method) \(quoted(url))"]
    lines.append("-H \(quoted("Authorization: Bearer \(token)"))")
    if let body {
      lines.append("-H 'Content-Type: application/json'")
      lines.append("-d \(quoted(body))")
    }
    return lines.joined(separator: " \\\n  ")
  }

  /// For any POSIX shell.
  private static func quoted(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
  }
}
