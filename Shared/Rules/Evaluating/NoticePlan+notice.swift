import Foundation
import BelfryJSON
import UserIdentity

extension NoticePlan {
  static let maximumUsers = 1_000

  /// The notice with everything filled in; nil if there is nobody to notify.
  ///
  /// - Parameter inherited: The rule's data, for a plan without its own.
  func notice(
    _ variables: RuleVariables,
    user: UUID?,
    inherited: [String: RuleTemplate]?,
    id: EffectID,
    at: Date
  ) throws(RuleRefusal) -> RuleNotice? {
    let audience = try audience(variables, user: user)
    let data: [String: RuleText]
    let literals: Set<String>
    if let templates = self.data ?? inherited {
      data = try Self.fill(templates, variables)
      literals = try Self.literals(templates, variables)
    } else {
      (data, literals) = try variables.everything
    }
    try checkSize(of: data)
    let entity = try about.map { about throws(RuleRefusal) in
      RuleEntity(type: about.type, id: try variables.text(about.id) ?? "")
    }
    guard let audience else { return nil }
    return RuleNotice(
      id: id,
      type: type,
      audience: audience,
      data: data,
      literals: literals,
      about: entity,
      at: at
    )
  }

  /// A notice that routing would dead-letter must not count as sent.
  private func checkSize(of data: [String: RuleText]) throws(RuleRefusal) {
    let size = data.reduce(0) { size, entry in
      guard carried?.contains(entry.key) ?? true else { return size }
      return size + entry.key.utf8.count + entry.value.unformatted.utf8.count
    }
    guard size <= RuleNotice.maximumData else {
      let limit = RuleNotice.maximumData
      throw RuleRefusal("payload", "makes \(size) bytes of data for \(type); at most \(limit) are allowed")
    }
  }

  private static func fill(
    _ templates: [String: RuleTemplate],
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> [String: RuleText] {
    var data: [String: RuleText] = [:]
    // In order, so that the same refusal is reported each time.
    for (name, template) in templates.sorted(by: { $0.key < $1.key }) { data[name] = try variables.fill(template) }
    return data
  }

  /// The names of what is nothing but a number or a boolean, of the event or of a computation.
  private static func literals(
    _ templates: [String: RuleTemplate],
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> Set<String> {
    var literals: Set<String> = []
    for (name, template) in templates {
      if let place = template.bare, let value = try variables.value(place.path), value.isLiteral {
        literals.insert(name)
      }
    }
    return literals
  }

  private func audience(_ variables: RuleVariables, user: UUID?) throws(RuleRefusal) -> RuleAudience? {
    switch to {
    case nil: return user.map { .users([$0]) }
    case .users(let templates)?:
      let users = try Self.users(templates, variables)
      return users.isEmpty ? nil : .users(users)
    case .group(let template, let except)?:
      let group = try variables.text(template) ?? ""
      guard (1...128).contains(group.utf8.count), !group.hasControlCharacters else {
        throw RuleRefusal("payload", "the group's name needs 1 to 128 bytes without control characters")
      }
      return .group(group, except: try Self.users(except, variables))
    }
  }

  /// Whom it names, whether they hear of it or are left out.
  func identifiers(_ variables: RuleVariables) throws(RuleRefusal) -> [UserIdentifier] {
    switch to {
    case nil: []
    case .users(let templates)?: try Self.identifiers(templates, variables)
    case .group(_, let except)?: try Self.identifiers(except, variables)
    }
  }

  private static func users(_ templates: [RuleTemplate], _ variables: RuleVariables) throws(RuleRefusal) -> [UUID] {
    try identifiers(templates, variables).map(\.uuid)
  }

  /// Ids and lists of ids, each once; what is optional and absent is nobody.
  private static func identifiers(
    _ templates: [RuleTemplate],
    _ variables: RuleVariables
  ) throws(RuleRefusal) -> [UserIdentifier] {
    var (users, seen): ([UserIdentifier], Set<UUID>) = ([], [])
    for template in templates {
      let field = template.bare.map { "payload.\($0.path)" } ?? "payload"
      var texts: [String] = []
      if let place = template.bare, case .array(let elements)? = try variables.value(place.path) {
        guard elements.count <= maximumUsers else {
          throw RuleRefusal(field, "has \(elements.count) elements; at most \(maximumUsers) are allowed")
        }
        texts = elements.map { $0.string ?? "" }
      } else if let text = try variables.text(template) {
        texts = [text]
      }
      for text in texts {
        guard let user = UserIdentifier(text) else {
          throw RuleRefusal(field, "expected \(UserIdentifier.expectation)")
        }
        if seen.insert(user.uuid).inserted { users.append(user) }
      }
    }
    guard users.count <= maximumUsers else {
      throw RuleRefusal("payload", "names \(users.count) users; at most \(maximumUsers) are allowed")
    }
    return users
  }
}

extension RuleVariables {
  /// All the plain values there are, for a rule that does not choose, and the names of the numbers and booleans among them.
  var everything: (data: [String: RuleText], literals: Set<String>) {
    get throws(RuleRefusal) {
      var data: [String: RuleText] = [:]
      var literals: Set<String> = []
      for name in lets.keys.sorted() {
        guard let path = PayloadPath(name), let value = try value(path) else { continue }
        data[name] = Self.scalar(value).map { RuleText($0) }
        if value.isLiteral { literals.insert(name) }
      }
      for member in payload.members ?? [] {
        guard let text = Self.scalar(member.value) else { continue }
        guard !text.hasControlCharactersOtherThanLineBreaks, !member.name.hasControlCharacters else {
          throw RuleRefusal(
            PayloadPath(member.name).map { "payload.\($0)" } ?? "payload",
            "must not contain control characters"
          )
        }
        data[member.name] = RuleText(text)
        if member.value.isLiteral { literals.insert(member.name) } else { literals.remove(member.name) }
      }
      for (name, text) in known where !name.contains(".") {
        data[name] = RuleText(text)
        literals.remove(name)
      }
      return (data, literals)
    }
  }
}

extension JSONValue {
  fileprivate var isLiteral: Bool {
    switch self {
    case .number, .boolean: true
    case .null, .string, .array, .object: false
    }
  }
}
