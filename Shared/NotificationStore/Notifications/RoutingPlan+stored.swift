import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import WallClock

/// A plan as `notifications` keeps it: a small integer for each of the first three channels, which is all that nearly every
/// row needs, and an object for what they cannot say (decision 0026).
extension RoutingPlan {
  /// The code for a channel's column. A channel that the plan leaves out has no part in the notification.
  func code(_ channel: Channel) -> Int16 { (self[channel] ?? .skip(.channelNotRequested)).code }

  /// The column `decisions`; nil where the three columns say it all.
  var further: PostgresJSON? {
    let further = entries.filter { !$0.channel.hasColumn || $0.value.heldUntil != nil }
    guard !further.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.object { writer in
      for entry in further {
        writer.dynamicKey(String(entry.channel.rawValue))
        entry.value.write(to: &writer)
      }
    }
    return PostgresJSON(text: writer.text)
  }

  /// What is stored, channels of other versions included. What they say in a form of their own is left out.
  ///
  /// - Parameter row: With the columns of ``DecisionColumns`` and `decisions`.
  init(_ row: PostgresRow) throws(PostgresError) {
    self.init()
    var untils: [Channel: Date] = [:]
    for (channel, decision) in Self.read(try row.get("decisions")) {
      untils[channel] = decision.heldUntil
      if !channel.hasColumn { self[channel] = decision }
    }
    for (channel, name) in DecisionColumns.all {
      self[channel] = ChannelDecision(code: try row.get(name), until: untils[channel], on: channel)
    }
  }

  private static func read(_ further: PostgresJSON?) -> [(Channel, ChannelDecision)] {
    guard let further else { return [] }
    do {
      return try (JSONParser.parse(Array(further.text.utf8)).members ?? []).compactMap { member in
        guard let channel = Int(member.name).map(Channel.init),
          let code = member.value["code"]?.integer.flatMap(Int16.init(exactly:))
        else { return nil }
        let until = member.value["until"]?.string.flatMap { Date(rfc3339: $0) }
        return (channel, ChannelDecision(code: code, until: until, on: channel))
      }
    } catch {
      return []  // what the server keeps as jsonb is JSON
    }
  }
}

extension Channel {
  fileprivate var hasColumn: Bool { DecisionColumns.name(of: self) != nil }
}

extension ChannelDecision {
  /// One member of the column `decisions`; nil where a channel's own column says it all.
  func further(on channel: Channel) -> PostgresJSON? {
    var plan = RoutingPlan()
    plan[channel] = self
    guard plan.further != nil else { return nil }
    var writer = JSONWriter()
    write(to: &writer)
    return PostgresJSON(text: writer.text)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("code", Int(code))
      writer.optionalField("until", heldUntil?.rfc3339)
    }
  }
}
