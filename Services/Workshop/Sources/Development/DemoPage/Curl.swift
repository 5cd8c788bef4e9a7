import ConsoleCommands

/// A call of the gateway as somebody would type it. Any process of the machine may ask for it, so it has no token, but the command
/// that makes one, for those who may read the data directory.
enum Curl {
  /// - Parameter token: The options of `belfry token`.
  static func command(_ method: String, _ url: String, token: String, body: String?) -> String {
    var lines = [
      method == "POST" && body != nil
        ? "curl -sS \(CallerOptions.quoted(url))" : "curl -sS -X \(method) \(CallerOptions.quoted(url))"
    ]
    lines.append(#"-H "Authorization: Bearer $TOKEN""#)
    if let body {
      lines.append("-H 'Content-Type: application/json'")
      lines.append("-d \(CallerOptions.quoted(body))")
    }
    return "TOKEN=$(belfry token \(token))\n" + lines.joined(separator: " \\\n  ")
  }
}
