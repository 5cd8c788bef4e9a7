import Foundation
public import WallClock

/// All of a user's held work that is due on a channel and is to be delivered.
///
/// What shares a digest is delivered as one, each digest by itself. If a type's quiet hours are a digest, or if more than
/// `limit` pushes would go out even so, all are delivered as one. A single one is delivered as it is. What pierces is never
/// composed with others: it waited only because its type says so.
public struct HeldBatch: Sendable {
  public var user: UserID
  public var channel: Channel
  public var locale: String?
  /// The user's, for instants that become dates.
  public var zone: Zone?
  /// In their order: oldest first.
  public var items: [HeldItem]

  public init(user: UserID, channel: Channel, locale: String?, zone: Zone? = nil, items: [HeldItem]) {
    self.user = user
    self.channel = channel
    self.locale = locale
    self.zone = zone
    self.items = items
  }

  /// What goes out, by the first of its members.
  ///
  /// - Parameter limit: How many go out one by one; nil is any number, as for mails.
  public func outputs(limit: Int? = 3, texts: CompositionTexts) -> [HeldOutput] {
    let groups = groups
    let calm = groups.filter { $0[0].policy != .pierce }
    let isOne = calm.joined().contains(where: \.isComposed) || limit.map { calm.count > $0 } == true
    guard isOne, calm.count > 1 else { return groups.map { output($0) } }
    let calmIDs = Set(calm.joined().map(\.id))
    let all = items.filter { calmIDs.contains($0.id) }
    let composed = HeldOutput.composed(composition(of: all, type: nil, key: "", text: texts.text(of: all, for: locale)))
    let urgent = groups.filter { $0[0].policy == .pierce }.map { output($0) }
    let places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
    return ([composed] + urgent).sorted { places[$0.members[0], default: 0] < places[$1.members[0], default: 0] }
  }

  /// Those of one digest stand together, at the place of the first.
  private var groups: [[HeldItem]] {
    struct Key: Hashable {
      var type: Int
      var key: String
    }
    var groups: [[HeldItem]] = []
    var places: [Key: Int] = [:]
    for item in items {
      guard let gathering = item.gathering else {
        groups.append([item])
        continue
      }
      let key = Key(type: item.type, key: gathering.key)
      if let place = places[key] {
        groups[place].append(item)
      } else {
        places[key] = groups.count
        groups.append([item])
      }
    }
    return groups
  }

  /// A digest says the data of the latest, and the count.
  private func output(_ group: [HeldItem]) -> HeldOutput {
    guard group.count > 1, let latest = group.last, let gathering = latest.gathering else {
      return .single(group[0].id)
    }
    var data = latest.data
    data["count"] = String(group.count)
    let text = gathering.texts.render(
      title: nil,
      body: nil,
      data: data,
      locale: locale,
      timeZone: zone.flatMap { TimeZone(identifier: $0.identifier) }
    )
    return .composed(composition(of: group, type: latest.type, key: gathering.key, text: text))
  }

  private func composition(
    of members: [HeldItem],
    type: Int?,
    key: String,
    text: NotificationTemplate.Text
  ) -> Composition {
    let due = members.map(\.due).max() ?? .distantPast
    let id = NotificationID(user: user, channel: channel, due: due, type: type, key: key)
    return Composition(id: id, members: members.map(\.id), type: type, text: text)
  }
}
