/// The gateway's explanation of a send, as far as it is shown.
struct SendAnswer: Decodable {
  struct Line: Decodable {
    var words: String
  }

  struct Step: Decodable {
    var channelName: String
    var rule: String
    var saw: String
    var said: String
  }

  var userId: String
  var type: Int
  var typeName: String
  /// The moment by the recipient's clocks.
  var localTime: String
  /// Absent from an older gateway.
  var hasProfile: Bool?
  var missingData: [String]
  var channels: [Line]
  var trace: [Step]

  func lines(withTrace: Bool) -> [String] {
    var lines = ["\(typeName) (\(type)) to \(userId) at \(localTime):"]
    lines += channels.map { "  \($0.words)" }
    if hasProfile == false {
      lines.append(
        "There is no profile with this id: is it the user's? Without one there is no email address, language or time zone."
      )
    }
    if !missingData.isEmpty {
      lines.append("As it stands it would be refused: the texts need \(missingData.joined(separator: ", ")) (--data).")
    }
    guard withTrace else { return lines }
    lines.append("Every rule that was asked, in order:")
    let width = trace.map { $0.channelName.count + $0.rule.count + 2 }.max() ?? 0
    for step in trace {
      let name = "\(step.channelName), \(step.rule)"
      lines.append("  \(name)\(String(repeating: " ", count: width - name.count))  \(step.said)  \(step.saw)")
    }
    return lines
  }
}
