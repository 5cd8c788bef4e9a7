/// What a provider is sent for one device: a text that fits its limit. Pure.
struct PushBody {
  let bytes: [UInt8]
  /// Whether the notification's text had to be shortened.
  let isShortened: Bool

  /// - Parameters:
  ///   - limit: Bytes that the provider takes.
  ///   - write: Makes all that is sent, with a text in it.
  /// - Returns: Nil if even an empty text leaves it too large.
  init?(fitting text: String, within limit: Int, write: (String) -> [UInt8]) {
    let whole = write(text)
    guard whole.count > limit else {
      (bytes, isShortened) = (whole, false)
      return
    }
    // A character takes one byte or dozens, escapes included, so the longest start that fits is searched for by halves.
    func shortened(to count: Int) -> [UInt8] { write(text.prefix(count) + "…") }
    var best = shortened(to: 0)
    guard best.count <= limit else { return nil }
    var (fits, exceeds) = (0, text.count)
    while exceeds - fits > 1 {
      let middle = (fits + exceeds) / 2
      let bytes = shortened(to: middle)
      if bytes.count <= limit { (fits, best) = (middle, bytes) } else { exceeds = middle }
    }
    (bytes, isShortened) = (best, true)
  }
}
