/// A group of measurements that can be chosen by name. In the order in which they run.
enum Suite: String, Codable, CaseIterable, Sendable {
  case postgres
  case broker
  case http
  case smtp
  case encryption
  case mail
  case send
  case repeats
  case hub
  case router
  case apns
  case webpush
  case control
  case streams
  case bounces
  case group
  case settings
  case events
  case schedules
  case list
  case inbox
  case silence
  case held
  case identifiers

  /// It measures a library that is linked into this program, so other services change nothing of it.
  var isInProcess: Bool {
    switch self {
    case .postgres, .broker, .http, .smtp, .encryption: true
    case .mail, .send, .repeats, .hub, .router, .apns, .webpush, .control, .streams, .bounces, .group, .settings,
      .events, .schedules, .list, .inbox, .silence, .held, .identifiers:
      false
    }
  }

  /// Pushes go by other providers than FCM, too.
  var needsAllProviders: Bool { [.apns, .webpush, .control].contains(self) }

  func measure(_ bench: Bench) async throws {
    switch self {
    case .postgres: try await PostgresSuite(bench: bench).measure()
    case .broker: try await BrokerSuite(bench: bench).measure()
    case .http: try await HTTPSuite(bench: bench).measure()
    case .smtp: try await SMTPSuite(bench: bench).measure()
    case .encryption: try await EncryptionSuite(bench: bench).measure()
    case .mail: try await MailSuite(bench: bench).measure()
    case .send: try await SendSuite(bench: bench).measure()
    case .repeats: try await RepeatSuite(bench: bench).measure()
    case .hub: try await HubSuite(bench: bench).measure()
    case .router: try await RouterSuite(bench: bench).measure()
    case .apns: try await APNsSuite(bench: bench).measure()
    case .webpush: try await WebPushSuite(bench: bench).measure()
    case .control: try await ControlSuite(bench: bench).measure()
    case .streams: try await StreamSuite(bench: bench).measure()
    case .bounces: try await BounceSuite(bench: bench).measure()
    case .group: try await GroupSuite(bench: bench).measure()
    case .settings: try await SettingsSuite(bench: bench).measure()
    case .events: try await EventSuite(bench: bench).measure()
    case .schedules: try await ScheduleSuite(bench: bench).measure()
    case .list: try await ListSuite(bench: bench).measure()
    case .inbox: try await InboxSuite(bench: bench).measure()
    case .silence: try await SilenceSuite(bench: bench).measure()
    case .held: try await HeldSuite(bench: bench).measure()
    case .identifiers: try await IdentifierSuite(bench: bench).measure()
    }
  }
}
