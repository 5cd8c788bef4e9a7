/// Media types of the files that a site consists of.
enum ContentType {
  private static let byExtension = [
    "css": "text/css; charset=utf-8", "gif": "image/gif", "html": "text/html; charset=utf-8", "ico": "image/x-icon",
    "inv": "application/octet-stream", "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8",
    "json": "application/json", "map": "application/json", "md": "text/markdown; charset=utf-8",
    "mjs":
      "text/javascript; charset=utf-8", "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
    "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xml": "application/xml",
    "yaml": "application/yaml",
  ]

  /// What a file is by its name; browsers keep what is unknown, and show nothing of it.
  static func of(_ name: String) -> String {
    let suffix = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return byExtension[suffix] ?? "application/octet-stream"
  }
}
