/// Why a text is not JSON.
struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
  let reason: String
  /// Byte at which reading stopped.
  let offset: Int

  var description: String { "\(reason) at byte \(offset)" }
}
