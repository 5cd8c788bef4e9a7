/// What arrived on one channel.
struct ChannelArrival: Sendable {
  let channel: String
  let expected: Int
  /// Who got it, in words.
  var arrived: [String]
  /// What the first one reads.
  var example: String?

  var isComplete: Bool { arrived.count == expected }

  var line: String {
    let names = arrived.isEmpty ? "nobody" : arrived.sorted().joined(separator: ", ")
    let example = example.map { ": \($0)" } ?? ""
    return "  \(isComplete ? "✓" : "✗") \(channel) (\(arrived.count) of \(expected)): \(names)\(example)"
  }
}
