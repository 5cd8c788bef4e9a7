import JSON

/// A circumstance of the demo that can be switched on and off.
enum DemoSwitch: String, CaseIterable, Sendable {
  case fcmDown = "fcm-down"
  case slowMail = "slow-mail"
  case killPush = "kill-push"
  case mariaNight = "maria-night"
  case ellaReading = "ella-reading"
  case tomPhoneGone = "tom-phone-gone"

  var label: String {
    switch self {
    case .fcmDown: "FCM is down"
    case .slowMail: "Mail is slow"
    case .killPush: "Kill a dispatcher"
    case .mariaNight: "It is 23:00 for Maria"
    case .ellaReading: "Ella is reading this conversation"
    case .tomPhoneGone: "Tom's phone is gone"
    }
  }

  /// What is the case.
  var words: String {
    switch self {
    case .fcmDown: "Google answers 503 to every push."
    case .slowMail: "The mail server takes 5 seconds for every mail."
    case .killPush: "The process that sends pushes is killed, whatever it is doing."
    case .mariaNight: "Maria is where it is 23:00 now, and wants quiet from 22:00 to 07:00."
    case .ellaReading: "Ella's app has “\(DemoConversation.name)” on the screen."
    case .tomPhoneGone: "Tom removed the app: Google answers UNREGISTERED to pushes for his phone."
    }
  }

  /// What follows.
  var effect: String {
    switch self {
    case .fcmDown: "Pushes wait on the ladder and are tried again, with longer pauses each time."
    case .slowMail: "Mails come late; bells and phones do not wait for them."
    case .killPush: "It is started again at once. Whatever it has in hand goes back to the queue: nothing is lost."
    case .mariaNight: "Her bell gets everything; her phone gets it at 07:00, but for alerts."
    case .ellaReading: "Messages of that conversation reach her bell and make no push."
    case .tomPhoneGone: "The first push that fails removes his phone; later ones leave it out."
    }
  }

  /// It goes off by itself.
  var isMomentary: Bool { self == .killPush }

  func write(isOn: Bool, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", rawValue)
      writer.field("label", label)
      writer.field("words", words)
      writer.field("effect", effect)
      writer.field("on", isOn)
      writer.field("momentary", isMomentary)
      writer.field("command", "belfry-dev demo switch \(rawValue) \(isOn ? "off" : "on")")
    }
  }
}
