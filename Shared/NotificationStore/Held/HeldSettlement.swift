public import Foundation
public import NotificationModel

/// What is to become of claimed entries, all of it or none.
public struct HeldSettlement: Sendable {
  /// A changed decision for a claimed entry: on its own notification, or on the composition that it is in.
  public struct Change: Sendable {
    public var entry: HeldEntry
    public var change: DecisionChange

    public init(_ entry: HeldEntry, _ change: DecisionChange) {
      self.entry = entry
      self.change = change
    }
  }

  /// Several notifications that are delivered as one, on one channel.
  public struct NewComposition: Sendable {
    public var id: NotificationID
    public var content: NotificationContent
    /// Each with the decision that is stored of it.
    public var members: [(entry: HeldEntry, former: ChannelDecision)]

    public init(
      id: NotificationID,
      content: NotificationContent,
      members: [(entry: HeldEntry, former: ChannelDecision)]
    ) {
      self.id = id
      self.content = content
      self.members = members
    }

    /// On every other channel the composition is nowhere, the inbox included: there are its members.
    public var plan: RoutingPlan {
      let elsewhere = ChannelDecision.skip(.channelNotRequested)
      var plan = PerChannel(inApp: elsewhere, push: elsewhere, email: elsewhere)
      if let channel = members.first?.entry.key.channel { plan[channel] = .deliver }
      return plan
    }
  }

  /// What was settled.
  public struct Result: Sendable {
    /// Entries whose claim still held. Of the others nothing was changed.
    public var owned: Set<HeldEntry.Key> = []
    /// Notifications whose decision was changed, by channel.
    public var changed: [Channel: Set<NotificationID>] = [:]
    /// Compositions that are stored now.
    public var composed: Set<NotificationID> = []
    /// Entries that wait on, without a claim.
    public var released: Set<HeldEntry.Key> = []

    public init() {}
  }

  public var changes: [Change]
  public var compositions: [NewComposition]
  /// When it is settled: what cannot be composed is due again from then on.
  public var now: Date

  public init(changes: [Change], compositions: [NewComposition], now: Date) {
    self.changes = changes
    self.compositions = compositions
    self.now = now
  }
}
