import Foundation
public import NotificationModel
public import Postgres
public import WallClock

/// Loads what routing must know about many people at once.
public struct RecipientStore: Sendable {
  /// A recipient, and what about: the choices for this type and category are wanted, and whether the entity is muted.
  public struct Key: Hashable, Sendable {
    public var user: UserID
    public var type: Int
    public var category: String
    /// Nil: mutes have no part in it.
    public var entity: RelatedEntity?

    public init(user: UserID, type: Int, category: String, entity: RelatedEntity? = nil) {
      self.user = user
      self.type = type
      self.category = category
      self.entity = entity
    }

    /// Somebody whom a subject is to be sent to.
    public init(_ user: UserID, about subject: DecisionSubject) {
      self.init(user: user, type: subject.type.code, category: subject.type.category, entity: subject.entity)
    }

    /// Texts are left out: there is a key for each recipient, and two of the same type seldom differ.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(user)
      hasher.combine(type)
    }
  }

  private let client: PostgresClient
  private let zone: Zone
  private let channels: [any RoutingChannel]

  /// - Parameter zone: Of who has none in the profile, or one that is not known here.
  public init(client: PostgresClient, zone: Zone = .utc, channels: [any RoutingChannel] = Channel.routing) {
    self.client = client
    self.zone = zone
    self.channels = channels
  }

  /// Profiles, choices, mutes and active devices in one round trip. A user without a profile has the defaults.
  ///
  /// The lateral subqueries keep each statement to index probes: as plain joins, plans that were made while a table was
  /// small read it whole when it has grown.
  public func recipients(for keys: Set<Key>) async throws(PostgresError) -> [Key: Recipient] {
    let users = Array(Set(keys.map(\.user)))
    let wanted = Array(keys)
    let about = wanted.indices.filter { wanted[$0].entity != nil }
    var statements = [
      Self.profiles(of: users), Self.typeChoices(wanted), Self.categoryChoices(wanted), Self.activeDevices(of: users),
    ]
    if !about.isEmpty { statements.append(Self.mutes(about.map { wanted[$0] })) }
    let results = try await client.transaction(statements)
    var people = try profiles(results[0])
    for row in results[3] {
      let platform: Int = try row.get(3)
      // A platform that this version does not know is one it cannot push to.
      guard let known = DevicePlatform(rawValue: platform) else { continue }
      let user: UserID = try row.get(0)
      var device = Device(id: try row.get(1), token: try row.get(2), platform: known)
      if let details = try row.get(4, as: [String?]?.self) { device.take(details) }
      people[user, default: stranger(user)].devices.append(device)
    }
    let (types, categories) = (try choices(results[1], wanted.count), try choices(results[2], wanted.count))
    var mutes: [Int: [RelatedEntity: Date]] = [:]
    if !about.isEmpty {
      for row in results[4] {
        let position = about[try row.get(0, as: Int.self) - 1]
        guard let entity = wanted[position].entity else { continue }
        mutes[position, default: [:]][entity] = try row.get(1) ?? .distantFuture
      }
    }
    var found: [Key: Recipient] = [:]
    found.reserveCapacity(wanted.count)
    for position in wanted.indices {
      let user = wanted[position].user
      var recipient = people[user] ?? stranger(user)
      if !types.isEmpty { recipient.typeChoices = types[position] }
      if !categories.isEmpty { recipient.categoryChoices = categories[position] }
      if let own = mutes[position] { recipient.mutes = own }
      found[wanted[position]] = recipient
    }
    return found
  }

  /// By position; empty where nobody chose, which is usual.
  private func choices(_ rows: PostgresResult, _ count: Int) throws(PostgresError) -> [ChannelChoices] {
    guard !rows.isEmpty else { return [] }
    var choices = Array(repeating: ChannelChoices(), count: count)
    for row in rows {
      choices[try row.get(0, as: Int.self) - 1] = try ChannelChoices(row, at: 1)
    }
    return choices
  }

  private func stranger(_ user: UserID) -> Recipient {
    var recipient = Recipient(id: user)
    recipient.zone = zone
    return recipient
  }

  /// What ``profiles(of:)`` answers. Each zone is looked up once.
  private func profiles(_ rows: PostgresResult) throws(PostgresError) -> [UserID: Recipient] {
    var people: [UserID: Recipient] = [:]
    people.reserveCapacity(rows.count)
    var zones: [String: Zone] = [:]
    // Neighbours in a list mostly live in the same.
    var last: (name: String, zone: Zone)?
    for row in rows {
      var recipient = Recipient(id: try row.get(0))
      if let email: String = try row.get(1) {
        recipient.addresses[.email] = ChannelAddress(
          email,
          suppression: try row.get(2, as: [Int]?.self).map(AddressSuppression.init(stored:))
        )
      }
      recipient.displayName = try row.get(3)
      recipient.isEnabled = try row.get(4)
      recipient.locale = try row.get(5)
      var own = zone
      if let name = try row.get(6, as: String?.self) {
        if let last, last.name == name {
          own = last.zone
        } else {
          own = zones[name] ?? Zone(name) ?? zone
          zones[name] = own
          last = (name, own)
        }
      }
      recipient.zone = own
      recipient.pausedUntil = try row.get(7)
      if let settings = try row.get(8, as: [Int?]?.self) { recipient.take(settings, in: own) }
      if let further = try row.get(9, as: PostgresJSON?.self) { recipient.addresses.take(further, channels) }
      people[recipient.id] = recipient
    }
    return people
  }
}

extension AddressSuppression {
  /// - Parameter values: Reason and milliseconds, as ``RecipientStore/profiles(of:)`` says them.
  fileprivate init(stored values: [Int]) {
    self.init(
      SuppressionReason(rawValue: Int16(clamping: values[0])),
      since: Date(timeIntervalSince1970: Double(values[1]) / 1_000)
    )
  }
}

extension Recipient {
  /// What the person has set, as ``RecipientStore/profiles(of:)`` says it.
  fileprivate mutating func take(_ settings: [Int?], in zone: Zone) {
    if let start = settings[0].flatMap(LocalTime.init(secondOfDay:)),
      let end = settings[1].flatMap(LocalTime.init(secondOfDay:))
    {
      quietHours = QuietHours(start: start, end: end, zone: zone)
    }
    isSoundEnabled = settings[2] != 0
    isBadgeEnabled = settings[3] != 0
    settingsRevision = settings[4] ?? 0
  }
}
