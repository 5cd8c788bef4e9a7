import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// One of several who do at once, each in a random order of its own, what services and people do.
struct StatWorker {
  /// What it does, one after the other; each worker begins elsewhere.
  private enum Act: CaseIterable {
    case store, record, open, settle, choose, apply, withdraw, answer, recordAgain, erase, chooseTogether
  }

  let number: Int
  let traffic: StatTraffic
  let client: PostgresClient
  /// Of all workers, whose owner is never erased; nobody removes them.
  let shared: [DeviceID]
  var random: SplitMix64
  /// How long ago users choose and answer, in seconds. It is when they do it, so the maintenance leaves these days alone: nobody who has
  /// locked settings or devices is to wait for it.
  var ages: [TimeInterval] = [0, 86_400]

  init(_ number: Int, _ traffic: StatTraffic, shared: [DeviceID], seed: UInt64, _ client: PostgresClient) {
    (self.number, self.traffic, self.shared, self.client) = (number, traffic, shared, client)
    random = SplitMix64(seed: seed << 8 | UInt64(number))
  }

  /// Whose choices nobody else changes. The first is erased now and then.
  private var own: [UserID] { Array(traffic.users[(2 * number)..<(2 * number + 2)]) }

  mutating func work(_ round: Int) async throws {
    let acts = Act.allCases
    switch acts[(number + round) % acts.count] {
    case .store: _ = try await store(traffic.some(30, &random))
    case .record, .recordAgain:
      let records = traffic.some(40, &random).map { traffic.record($0, &random) }
      try await DeliveryStore(client: client).record(records)
    case .open: for notification in traffic.some(8, &random) { try await open(notification) }
    case .settle: try await settle()
    case .choose: try await choose()
    case .chooseTogether: for _ in 0..<4 { try await choose(traffic.everybodys[random.below(4)]) }
    case .apply: for notification in traffic.some(8, &random) { try await apply(notification) }
    case .withdraw:
      let request = traffic.notifications[random.below(traffic.notifications.count)].requestID
      _ = try await RequestStore(client: client).withdraw(request, limit: 1_000) { _ in }
    case .answer: try await answer()
    case .erase: try await erase()
    }
    // One at a time does the maintenance.
    if number == 0 { _ = try await client.query(StatStore.fold) }
  }

  private func store(_ notifications: [NewNotification]) async throws -> [StoredNotification] {
    try await NotificationStore(client: client).store(notifications, contents: traffic.contents)
  }

  // MARK: What users do with notifications

  private mutating func open(_ notification: NewNotification) async throws {
    _ = try await EngagementStore(client: client).note(
      [nil, "GO", "STAY"][random.below(3)],
      of: notification.id,
      type: traffic.type(of: notification),
      by: notification.userID,
      at: .now
    )
  }

  private mutating func apply(_ notification: NewNotification) async throws {
    let operations: [InboxOperation] = [.read, .delete, .archive, .unarchive, .snooze(until: traffic.now + 3_600)]
    let operation = operations[random.below(operations.count)]
    _ = try await InboxStore(client: client).apply(operation, to: [notification.id], of: notification.userID, at: .now)
  }

  // MARK: What waits

  /// Of what is due some is delivered alone, some together, some waits on; and what was delivered has an outcome.
  private mutating func settle() async throws {
    let held = HeldStore(client: client)
    let now = Date.now
    let claim = try await held.claim(types: StatTraffic.types, limit: 20, now: now, until: now + 600)
    var settlement = HeldSettlement(changes: [], compositions: [], now: now)
    for entries in Dictionary(grouping: claim.entries, by: { Person(user: $0.key.user, channel: $0.key.channel) })
      .values
    {
      if entries.count > 1, Bool.random(using: &random) {
        settlement.compositions.append(together(entries))
      } else {
        settlement.changes += entries.map { entry in
          let isDelivered = random.below(3) > 0
          return change(entry, to: isDelivered ? .deliver : .hold(until: now, .quietHours))
        }
      }
    }
    let result = try await held.settle(settlement, of: claim)
    var records: [DeliveryStore.Record] = []
    for composition in settlement.compositions where result.composed.contains(composition.id) {
      let key = composition.members[0].entry.key
      records.append(
        traffic.record(composition.id, of: key.user, on: key.channel, type: composition.content.type, &random)
      )
    }
    for change in settlement.changes where change.change.to == .deliver {
      let (key, type) = (change.entry.key, change.entry.type)
      guard result.changed[key.channel]?.contains(key.notification) == true else { continue }
      records.append(traffic.record(key.notification, of: key.user, on: key.channel, type: type, &random))
    }
    try await DeliveryStore(client: client).record(records)
    try await held.finish(claim)
  }

  private struct Person: Hashable {
    var user: UserID
    var channel: Channel
  }

  private func change(_ entry: HeldEntry, to decision: ChannelDecision) -> HeldSettlement.Change {
    let former = ChannelDecision.hold(until: entry.due, entry.reason)
    let (user, id) = (entry.key.user, entry.key.notification)
    return .init(entry, DecisionChange(id: id, userID: user, from: former, to: decision))
  }

  private mutating func together(_ entries: [HeldEntry]) -> HeldSettlement.NewComposition {
    let (first, due) = (entries[0], entries.map(\.due).max() ?? traffic.now)
    return .init(
      id: NotificationID(user: first.key.user, channel: first.key.channel, due: due, type: nil, key: ""),
      content: traffic.contents[random.below(traffic.contents.count)],
      members: entries.map { ($0, .hold(until: $0.due, $0.reason)) }
    )
  }

  // MARK: What users choose

  mutating func choose() async throws {
    for _ in 0..<4 {
      do {
        try await choose(own[random.below(2)])
      } catch is ErasureError {
        // They were erased after the time at which this choice says it was made: nothing is changed.
      }
    }
  }

  private mutating func choose(_ user: UserID) async throws {
    let (people, time) = (traffic.people, traffic.now - ages[random.below(ages.count)])
    let isOn = Bool.random(using: &random)
    switch random.below(6) {
    case 0:
      let isEnabled = random.below(3) == 0 ? nil : isOn
      let profile = UserStore.Profile(
        email: nil,
        displayName: nil,
        locale: nil,
        timezone: nil,
        isEnabled: isEnabled
      )
      _ = try await UserStore(client: client).put(profile, of: user, at: time) { _ in
        people.putProfile(user, isEnabled: isEnabled, at: time)
      }
    case 1:
      _ = try await UserStore(client: client).change(of: user, at: time) { former in
        people.change(user, .all(isOn), at: time)
        var profile = former
        profile.isEnabled = isOn
        return profile
      }
    case 2: try await set(user, .all(isOn), at: time)
    default:
      let known = traffic.catalogue.filter { StatTraffic.types.contains($0.code) }
      let type = known[random.below(known.count)]
      let subject = Bool.random(using: &random) ? PeopleModel.Subject.type(type.code) : .category(type.category)
      let channel = [Channel.inApp, .push, .email][random.below(3)]
      let choice = random.below(3) == 0 ? nil : isOn
      try await set(user, .choose(.init(subject: subject, channel: channel), choice), at: time)
    }
  }

  private func set(_ user: UserID, _ act: PeopleModel.Act, at time: Date) async throws {
    let people = traffic.people
    _ = try await SettingsStore(client: client).change(of: user, in: traffic.catalogue, at: time) { settings in
      switch act {
      case .all(let isOn): settings.isEnabled = isOn
      case .choose(let choice, let isOn):
        switch choice.subject {
        case .type(let code): settings.rows.types[code, default: ChannelChoices()][choice.channel] = isOn
        case .category(let name): settings.rows.categories[name, default: ChannelChoices()][choice.channel] = isOn
        }
      }
      people.change(user, act, at: time)
    }
  }

  // MARK: What users answer

  mutating func answer() async throws {
    for _ in 0..<4 { try await answerOnce() }
  }

  /// On a device of its own people, which comes, goes and changes hands, or on one of all: there everybody says the same day, for
  /// nobody knows who is first.
  private mutating func answerOnce() async throws {
    let (devices, people) = (DeviceStore(client: client), traffic.people)
    let answer = DevicePermission.allCases.randomElement(using: &random) ?? .granted
    let device = shared[random.below(shared.count)]
    people.answer(answer, on: device, at: traffic.now)
    #expect(try await devices.setPermission(answer, of: device, of: traffic.everybodys[0], at: traffic.now))
    let (user, time) = (own[random.below(2)], traffic.now - ages[random.below(ages.count)])
    let token = "token \(number) \(random.below(2))"
    let mine = try await devices.register(.sample(token), of: user).id
    people.register(mine, of: user)
    people.answer(answer, on: mine, at: time)
    #expect(try await devices.setPermission(answer, of: mine, of: user, at: time))
    if random.below(4) == 0 {
      #expect(try await devices.remove(mine, of: user))
      people.remove(mine)
    }
  }

  // MARK: Erasing

  /// Everything of the first of its people goes; then something new is sent to them.
  private mutating func erase() async throws {
    let user = own[0]
    _ = try await ErasureStore(client: client).erase(user, by: nil)
    traffic.people.erase(user)
    let content = random.below(StatTraffic.types.count)
    var contents = traffic.contents
    contents[content].createdAt = .now
    let new = Sample.notification(user, request: RequestID(now: .now), content: content)
    _ = try await NotificationStore(client: client).store([new], contents: contents)
    try await open(new)
    try await DeliveryStore(client: client).record([traffic.record(new, &random)])
  }
}
