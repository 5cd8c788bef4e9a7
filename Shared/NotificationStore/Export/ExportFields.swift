import Foundation
import BelfryJSON
import NotificationModel
import Postgres
import WallClock

/// Gathers what is exported of a row. What is NULL is null.
struct ExportFields {
  let row: PostgresRow
  let catalogue: Catalogue
  let channels: [any RoutingChannel]
  private(set) var members: [JSONMember] = []

  init(row: PostgresRow, catalogue: Catalogue, channels: [any RoutingChannel]) {
    self.row = row
    self.catalogue = catalogue
    self.channels = channels
  }

  mutating func add(_ name: String, _ value: JSONValue) { members.append(JSONMember(name, value)) }

  mutating func text(_ name: String, _ column: String) throws(PostgresError) {
    members.append(JSONMember(name, try row.get(column, as: String?.self)))
  }

  mutating func integer(_ name: String, _ column: String) throws(PostgresError) {
    members.append(JSONMember(name, try row.get(column, as: Int?.self)))
  }

  mutating func boolean(_ name: String, _ column: String) throws(PostgresError) {
    add(name, try row.get(column, as: Bool?.self).map { .boolean($0) } ?? .null)
  }

  mutating func identifier(_ name: String, _ column: String) throws(PostgresError) {
    members.append(JSONMember(name, try row.get(column, as: UUID?.self)?.lowercased))
  }

  mutating func time(_ name: String, _ column: String) throws(PostgresError) {
    members.append(JSONMember(name, try row.get(column, as: Date?.self)?.rfc3339))
  }

  /// JSON as it is stored. What is none, which only a hand can have written there, is exported as its text.
  mutating func json(_ name: String, _ column: String) throws(PostgresError) {
    guard let text: String = try row.get(column) else { return add(name, .null) }
    do throws(JSONSyntaxError) {
      add(name, try JSONParser.parse(Array(text.utf8)))
    } catch {
      add(name, .string(text))
    }
  }

  /// A type's code, and its name where the catalogue knows it.
  mutating func type(_ name: String, _ column: String) throws(PostgresError) {
    let code: Int = try row.get(column)
    members.append(JSONMember(name, code))
    members.append(JSONMember("typeName", catalogue.type(.code(code))?.name))
  }

  /// A channel's code and name.
  mutating func channel(_ column: String) throws(PostgresError) {
    let channel = Channel(rawValue: try row.get(column))
    members.append(JSONMember("channel", channel.rawValue))
    members.append(JSONMember("channelName", name(of: channel)))
  }

  func name(of channel: Channel) -> String { channel.name(among: channels) }
}
