import NotificationModel

/// What the demo plays: who is there, what they are sent, and what can happen to whom. The family's, or an app's with the types of an
/// operator's catalogue.
struct DemoStory: Sendable {
  let catalogue: Catalogue
  /// From whom pushes come.
  let app: String
  /// Who the people are, in a sentence.
  let lead: String
  /// Three.
  let people: [DemoPerson]
  let group: String
  /// Groups that the rules notify, with the same members.
  var ruleGroups: [String] = []
  let sends: [DemoSend]
  /// What the start sends, and waits for; nil where no type goes out at once.
  let first: DemoSend?
  /// The people choose all channels for the first type. Else its own count.
  let choosesAllChannels: Bool
  let switches: [DemoSwitch]
  /// What the reader of ``DemoSwitch/reading`` has on the screen.
  let conversation: DemoConversation?

  init(
    _ catalogue: Catalogue,
    app: String,
    lead: String,
    people: [DemoPerson],
    group: String,
    sends: [DemoSend],
    first: DemoSend?,
    choosesAllChannels: Bool,
    switches: [DemoSwitch],
    conversation: DemoConversation? = nil
  ) {
    self.catalogue = catalogue
    self.app = app
    self.lead = lead
    self.people = people
    self.group = group
    self.sends = sends
    self.first = first
    self.choosesAllChannels = choosesAllChannels
    self.switches = switches
    self.conversation = conversation
  }

  /// That of a catalogue: the app's where it has types or rules of its own or lacks any that the family is sent.
  ///
  /// - Parameter name: Where the catalogue is from, for people; nil for the built-in one.
  static func of(_ catalogue: Catalogue, from name: String? = nil) throws(CatalogueError) -> DemoStory {
    let own = try OwnEntries(catalogue)
    guard catalogue.hasBuiltIn, own.isEmpty, hasFamily(catalogue) else {
      return DemoApp.story(catalogue, own, from: name)
    }
    return DemoFamily.story(catalogue)
  }

  /// That of what gateways have in force.
  static func of(inForce catalogues: CatalogueInGateway) async throws -> DemoStory {
    try DemoStory.of(try await catalogues.inForce().catalogue())
  }

  /// Whether all is there that the family is sent.
  private static func hasFamily(_ catalogue: Catalogue) -> Bool {
    DemoFamily.sends.allSatisfy { send in send.type.map { catalogue.type(.name($0)) != nil } ?? true }
  }

  func send(named name: String) -> DemoSend? { sends.first { $0.name == name } }

  func person(_ id: String) -> DemoPerson? { people.first { $0.id == id.lowercased() } }

  /// Whose circumstance a switch is.
  func person(of demoSwitch: DemoSwitch) -> DemoPerson? {
    switch demoSwitch {
    case .night: people[0]
    case .phoneGone: people[1]
    case .reading: people[2]
    case .fcmDown, .apnsDown, .webPushDown, .slowMail, .killPush: nil
    }
  }

  /// The first who gets pushes by this provider.
  func person(by carrier: DevicePlatform.Carrier) -> DemoPerson? { people.first { $0.carrier == carrier } }

  /// On which channels the first send goes out.
  var firstChannels: Set<Channel> {
    guard let type = first?.type.flatMap({ catalogue.type(.name($0)) }) else { return [] }
    return Set(choosesAllChannels ? Channel.allCases : type.channels.entries.filter(\.value).map(\.channel))
  }
}

/// What a group chat of the demo is about.
struct DemoConversation: Sendable {
  let type: String
  let id: String
  let name: String
}
