import BelfryJSON
import NotificationModel
import Postgres

/// The form in which they are stored.
extension FormerChoices {
  var json: JSONValue {
    .object([
      JSONMember("category", category.map { .boolean($0) } ?? .null),
      JSONMember("types", .object(types.sorted { $0.key < $1.key }.map { JSONMember(String($0.key), $0.value) })),
    ])
  }

  /// - Parameter row: Has the column `former`. What is no code there is passed over.
  init(_ row: PostgresRow) throws(PostgresError) {
    let text: String = try row.get("former")
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONParser.parse(Array(text.utf8))
    } catch {
      throw .decoding("the choices before an unsubscription: \(error)")
    }
    self.init(category: json["category"]?.boolean)
    for member in json["types"]?.members ?? [] {
      if let code = Int(member.name), let choice = member.value.boolean { types[code] = choice }
    }
  }
}
