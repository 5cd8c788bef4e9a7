import ConsoleCommands
import BelfryJSON
import NotificationModel

/// A circumstance of the demo that can be switched on and off.
enum DemoSwitch: String, CaseIterable, Sendable {
  case fcmDown = "fcm-down"
  case apnsDown = "apns-down"
  case webPushDown = "web-push-down"
  case slowMail = "slow-mail"
  case killPush = "kill-push"
  case night
  case reading
  case phoneGone = "phone-gone"

  /// It goes off by itself.
  var isMomentary: Bool { self == .killPush }

  /// Which push provider it takes down.
  var carrier: DevicePlatform.Carrier? {
    switch self {
    case .fcmDown: .fcm
    case .apnsDown: .apns
    case .webPushDown: .webPush
    case .slowMail, .killPush, .night, .reading, .phoneGone: nil
    }
  }

  /// What a story says of it.
  struct Words {
    let label: String
    /// What is the case.
    let what: String
    /// What follows.
    let effect: String
    /// On the phone of whom it is about.
    var note: String?
    /// What goes on while it is on.
    var story: (text: String, more: String)?
  }

  func words(in story: DemoStory) -> Words {
    let name = story.person(of: self)?.name ?? ""
    switch self {
    case .fcmDown:
      return Words(
        label: "FCM is down",
        what: "Google’s push service answers 503 to every push\(affected(in: story)).",
        effect: "Its pushes wait, and are tried again with longer pauses each time; those of others do not wait for it."
      )
    case .apnsDown:
      return Words(
        label: "APNs is down",
        what: "Apple’s push service answers 503 to every push\(affected(in: story)).",
        effect: "Its pushes wait for half a minute or longer, and are tried again; those of others do not wait for it."
      )
    case .webPushDown:
      return Words(
        label: "Web Push is down",
        what: "The browser’s push service answers 503 to every push\(affected(in: story)).",
        effect: "Its pushes wait for half a minute or longer, and are tried again; those of others do not wait for it."
      )
    case .slowMail:
      return Words(
        label: "Email is slow",
        what: "The mail server takes 5 seconds for every email.",
        effect: "Emails come late; inboxes and phones do not wait for them."
      )
    case .killPush:
      return Words(
        label: "Kill a dispatcher",
        what: "The process that sends pushes is killed, whatever it is doing.",
        effect: "It is started again at once. Whatever it has in flight goes back to the queue: nothing is lost."
      )
    case .night:
      return Words(
        label: "It is night for \(name)",
        what: "\(name) travels to where it is night now, and wants quiet from \(DemoNight.start) to \(DemoNight.end).",
        effect: "\(name)’s inbox gets everything. Pushes wait until \(DemoNight.end) there, except urgent ones."
      )
    case .reading:
      let conversation = story.conversation?.name ?? ""
      return Words(
        label: "\(name) is reading this conversation",
        what: "\(name)’s app has “\(conversation)” on the screen.",
        effect: "Messages of that conversation reach \(name)’s inbox and make no push.",
        note: "The app is open, showing “\(conversation)”.",
        story: (
          "\(name) has “\(conversation)” on the screen.",
          "Messages of that chat come to \(name)’s inbox, and make no push."
        )
      )
    case .phoneGone:
      return Words(
        label: "\(name)’s phone is gone",
        what: "\(name) removed the app: Google answers UNREGISTERED to pushes for this phone.",
        effect: "The first push that fails removes the phone from Belfry; later ones leave it out.",
        note: "The app was uninstalled.",
        story: (
          "\(name)’s phone is gone.",
          "FCM refuses the first push to it; then Belfry forgets the phone. \(name)’s inbox and email go on."
        )
      )
    }
  }

  /// `: Tom’s phone gets none`
  private func affected(in story: DemoStory) -> String {
    carrier.flatMap(story.person(by:)).map { ": \($0.name)’s \($0.device) gets none" } ?? ""
  }

  func write(isOn: Bool, in story: DemoStory, to writer: inout JSONWriter) {
    let words = words(in: story)
    writer.object { writer in
      writer.field("name", rawValue)
      writer.field("label", words.label)
      writer.field("words", words.what)
      writer.field("effect", words.effect)
      writer.nullableField("user", story.person(of: self)?.id)
      writer.nullableField("provider", carrier?.rawValue)
      writer.nullableField("note", words.note)
      if let told = words.story {
        writer.object("story") { writer in
          writer.field("text", told.text)
          writer.field("more", told.more)
        }
      }
      writer.field("on", isOn)
      writer.field("momentary", isMomentary)
      writer.field("command", CallerOptions.current.page("belfry-dev demo switch \(rawValue) \(isOn ? "off" : "on")"))
    }
  }
}
