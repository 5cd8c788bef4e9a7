/// Options that every transfer of an engine shares.
struct CurlCommonOptions: Sendable {
  /// The URL schemes libcurl may use, e.g. `http,https`.
  var protocols: String

  /// A PEM file with the authorities to trust; nil: those of the system.
  var caFile: String?

  var connectTimeout: Duration

  /// Whether libcurl connects to addresses in the internet alone, wherever a name leads.
  var isPublicOnly = false
}

extension Duration {
  /// Rounded up, at least 1: for libcurl, 0 means "no limit".
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    return max(1, milliseconds)
  }
}
