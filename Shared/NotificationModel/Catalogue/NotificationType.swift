/// A kind of notification, as the catalogue describes it.
public struct NotificationType: Sendable {
  /// How urgently providers should treat it.
  public enum Priority: String, Sendable, Codable, CaseIterable { case normal, high }

  /// What an Android app gets of a push through FCM. The raw value is stored and travels.
  public enum AndroidForm: String, Sendable, Codable, CaseIterable {
    /// A notification, which the system shows without the app. Of those that wait for a device, only the last one comes.
    case notification
    /// Data alone, title and body in it: the app shows it, and all that wait come, up to a hundred.
    case data

    /// Members that ``data`` has besides: they win over the sender's.
    public static let ownNames: Set = ["title", "body", "tag", "sound"]
  }

  /// Integer on the wire.
  public let code: Int
  /// Name on the wire, e.g. `AllowanceDeposit`.
  public let name: String
  /// Heading under which preferences show it.
  public let category: String
  /// Channels used when the recipient has not chosen: the type's own, else its category's, else the file's defaults.
  public internal(set) var channels: PerChannel<Bool>
  /// What its mails are to mail servers: its category's.
  public var mail = MailHandling.standard
  public let priority: Priority
  /// Seconds after which an undelivered notification is dropped.
  public let timeToLive: Int
  public internal(set) var template: LocalizedTemplate
  /// What the recipient's quiet hours do to its pushes.
  public var quietHours: QuietHoursPolicy
  /// Seconds that a channel waits, and is then used only if the notification is still unread.
  public var waits: PerChannel<Int>
  public var digest: Digest?
  public var throttle: Throttle?
  /// Buttons, in their order.
  public var actions: [NotificationAction]
  /// As devices know it; `default` is the system's.
  public var sound: String
  /// Whether iOS hands its pushes to the app's service extension before it shows them.
  public var isMutable: Bool
  /// Members of the data that travel with it, to inboxes and devices; nil means all. The rest is for the texts alone.
  public var payload: [String]?
  /// Data as a request might bring it, for previews and checks; nil where the catalogue gives none. Numbers and booleans are
  /// their text.
  public var example: [String: String]?
  /// What Android apps get through FCM.
  public var android = AndroidForm.notification
  /// Under which Firebase counts what became of its pushes; nil: under none.
  public var analyticsLabel: String?
  /// What its mails say, where that is more than title and body.
  public var mailTexts: MailTexts?

  /// Of a rendered body, in characters as a person counts them; nil means no limit.
  public var maximumBodyLength: Int? { template.maximumBodyLength }

  /// What of a request's data travels with the notification; the texts are filled in from all of it.
  public func carried(of data: [String: String]) -> [String: String] {
    guard let payload else {
      // A rule that does not choose hands on the event's payload, in which such a name is nobody's mistake.
      return data.keys.contains(where: DataName.isReserved) ? data.filter { !DataName.isReserved($0.key) } : data
    }
    return data.filter { payload.contains($0.key) }
  }
}

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
    if android == .data { policies.append("to Android apps as data") }
    if let analyticsLabel { policies.append("Firebase's label \(analyticsLabel)") }
    if mailTexts != nil { policies.append("mails with words of their own") }
    if let maximumBodyLength { policies.append("body of at most \(maximumBodyLength) characters") }
    if !actions.isEmpty { policies.append("actions \(actions.map(\.id).joined(separator: ", "))") }
    if sound != "default" { policies.append("sound \(sound)") }
    if isMutable { policies.append("completed by the app's service extension") }
    return policies
  }

  private static func words(of key: NotificationTemplate.Part?) -> String {
    key.map { " for each \($0.source)" } ?? ""
  }
}
