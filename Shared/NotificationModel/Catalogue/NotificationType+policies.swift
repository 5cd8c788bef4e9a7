extension NotificationType {
  /// What makes the type another than most, each in a few words: `in quiet hours: pierce`, `email after 15 minutes if unread`.
  public var policies: [String] {
    var policies: [String] = []
    if quietHours != .defer { policies.append("in quiet hours: \(quietHours.rawValue)") }
    policies += waits.entries.map { "\($0.channel.label) after \(spoken(seconds: $0.value)) if unread" }
    if let digest {
      policies.append(
        "\(digest.channel.label) as one each \(spoken(seconds: digest.every))\(Self.words(of: digest.key))"
      )
    }
    if let throttle {
      let rest = throttle.then == .hold ? "the rest held" : "the rest dropped"
      let span = spoken(seconds: throttle.per)
      policies.append("at most \(throttle.atMost) in \(span)\(Self.words(of: throttle.key)), \(rest)")
    }
    if let maximumBodyLength { policies.append("body of at most \(maximumBodyLength) characters") }
    if !actions.isEmpty { policies.append("actions \(actions.map(\.id).joined(separator: ", "))") }
    if sound != "default" { policies.append("sound \(sound)") }
    return policies
  }

  private static func words(of key: NotificationTemplate.Part?) -> String {
    key.map { " for each \($0.source)" } ?? ""
  }
}
