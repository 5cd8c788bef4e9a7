/// The gateway's explanation of an event, as far as it is shown.
struct EventAnswer: Decodable {
  struct Rule: Decodable {
    struct Notice: Decodable {
      var type: String
      var to: Audience
    }

    struct Audience: Decodable {
      var users: [String]?
      var group: String?
      var except: [String]?
    }

    struct Timer: Decodable {
      /// By the clocks of the one whom it is about.
      var localTime: String
    }

    var words: String
    var notices: [Notice]
    var next: Timer?
  }

  var event: String
  var relayed: Bool
  var rules: [Rule]

  var lines: [String] {
    var lines = ["\(event) is \(relayed ? "relayed to open connections" : "not relayed")."]
    if rules.isEmpty { lines.append("No rule looks at it.") }
    for rule in rules {
      lines.append(rule.words)
      if let next = rule.next { lines.append("  there: \(next.localTime)") }
      lines += rule.notices.map { "  \($0.type) to \($0.to.words)" }
    }
    return lines
  }
}

extension EventAnswer.Rule.Audience {
  fileprivate var words: String {
    guard let group else { return (users ?? []).joined(separator: ", ") }
    let except = except ?? []
    return "the group \(group)" + (except.isEmpty ? "" : " but \(except.joined(separator: ", "))")
  }
}
