import Foundation
import BelfryJSON
import NotificationModel
import Postgres

extension UserSettings {
  /// The members of `users.settings` to write over `former`. Those that did not change, and those of another version, stay
  /// beside them with all their digits.
  func json(over former: UserSettings) -> PostgresJSON {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("soundEnabled", isSoundEnabled)
      writer.field("badgeEnabled", isBadgeEnabled)
      for (name, number) in numbers.sorted(by: { $0.key < $1.key }) where former.numbers[name] != number {
        writer.dynamicKey(name)
        writer.raw(number.description)
      }
    }
    return PostgresJSON(text: writer.text)
  }

  /// The members of `users.settings` that ``json(over:)`` takes away.
  func removed(from former: UserSettings) -> [String] {
    former.numbers.keys.filter { numbers[$0] == nil }.sorted()
  }

  /// The numbers among the members of `users.settings`.
  ///
  /// - Parameter json: Nil for who has set nothing.
  static func numbers(in json: String?) -> [String: Decimal] {
    guard let json, json != "{}" else { return [:] }
    // It is PostgreSQL's own text.
    let members = (try? JSONParser.parse(Array(json.utf8)))?.members ?? []
    return members.reduce(into: [:]) { numbers, member in
      if let number = Decimal(exactly: member.value) { numbers[member.name] = number }
    }
  }
}
