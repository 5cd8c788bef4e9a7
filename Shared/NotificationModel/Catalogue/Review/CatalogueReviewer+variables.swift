import BelfryJSON
import Rules
import TerminalText

/// Variables of texts, and what gives them.
extension CatalogueReviewer {
  var variableFindings: [CatalogueProblem] {
    let tags = Dictionary(grouping: texts.filter(\.isTemplate)) { $0.path.prefix { $0 != "." } }.mapValues(Self.tags)
    return ownTypes.flatMap { path, type in
      variables(of: type, tags[path[...]] ?? [], at: path) + carried(by: type, at: path) + example(of: type, at: path)
        + gifts(to: type).flatMap { lacking($0.gift, of: $0.rule, for: type, at: path) }
    } + compositionVariables
  }

  /// A variable, and where it stands.
  private struct Tag {
    let path: String
    /// With its braces.
    let source: String
    let name: String
  }

  private static func tags(of texts: [Text]) -> [Tag] {
    texts.flatMap { text in
      text.text.matches(of: NotificationTemplate.Part.tag).compactMap { match in
        guard let tag = try? TemplateTag(match.1), tag.kind != .comment, tag.name != "." else { return nil }
        return Tag(path: text.path, source: String(match.0), name: tag.name)
      }
    }
  }

  /// What the type's texts may use; nil where anything may come.
  private func given(to type: NotificationType) -> Set<String>? {
    var names = Set(type.example?.keys ?? [:].keys).union(type.payload ?? [])
    var isOpen = false
    for (rule, gift) in gifts(to: type) {
      names.formUnion(gift.names)
      guard gift.isOpen else { continue }
      let event = event(of: rule)
      names.formUnion((event?.payload ?? []) + (event?.arguments ?? []) + (event?.amounts ?? []))
      if event?.payload == nil { isOpen = true }
    }
    if isScheduled(type) { names.formUnion(Catalogue.scheduled) }
    // An example that is there is the whole of it.
    return isOpen && type.example == nil ? nil : names
  }

  private func variables(of type: NotificationType, _ tags: [Tag], at path: String) -> [CatalogueProblem] {
    guard let given = given(to: type) else { return [] }
    var unknown: [Tag] = []
    for tag in tags {
      let isDigest = tag.path.hasPrefix("\(path).digest.") && !tag.path.hasPrefix("\(path).digest.key")
      guard !given.contains(tag.name), !(isDigest && tag.name == "count"),
        !unknown.contains(where: { $0.path == tag.path && $0.name == tag.name })
      else { continue }
      unknown.append(tag)
    }
    let names = unknown.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    guard type.example != nil || !given.isEmpty else {
      guard let first = unknown.first else { return [] }
      let list = names.map { "{{\($0)}}" }.joined(separator: ", ")
      let words = "neither an event nor an example gives \(list): add example: { \(names[0]): … }"
      return [document.problem(first.path, words, at: first.source)]
    }
    return unknown.map { tag in
      let advice = NearestName.advice(tag.name, among: given.sorted())
      return document.problem(
        tag.path,
        "neither an event nor an example gives {{\(tag.name)}}\(advice)",
        at: tag.source
      )
    }
  }

  /// Names in `payload` that no data has.
  private func carried(by type: NotificationType, at path: String) -> [CatalogueProblem] {
    guard let payload = type.payload, let example = type.example else { return [] }
    let names = Set(example.keys).union(gifts(to: type).flatMap { $0.gift.names })
    return payload.filter { !names.contains($0) }.map { name in
      let advice = NearestName.advice(name, among: names.sorted())
      return document.problem("\(path).payload", "the example has no '\(name.excerpt)'\(advice)", at: name)
    }
  }

  /// An example from which the type's texts cannot be filled in.
  private func example(of type: NotificationType, at path: String) -> [CatalogueProblem] {
    guard let example = type.example else { return [] }
    let given = given(to: type) ?? []
    let mail = type.mailTexts?.missing(in: example) ?? []
    return mail.union(type.template.missing(in: example)).sorted().filter(given.contains).map {
      document.problem("\(path).example", "lacks \($0), which the texts need")
    }
  }

  /// What a rule does not give, and what it gives that the type does not know.
  private func lacking(
    _ gift: RuleGift,
    of rule: Rule,
    for type: NotificationType,
    at path: String
  ) -> [CatalogueProblem] {
    let isOwn = document.has("rules", named: rule.name)
    let place = isOwn ? document.path("rules", named: rule.name) : path
    var found: [CatalogueProblem] = []
    if !gift.isOpen {
      for name in type.template.needed.union(type.mailTexts?.needed ?? []).subtracting(gift.certain).sorted() {
        let sometimes = gift.names.contains(name) ? " in every case" : ""
        let words = "the rule \(rule.name) does not give {{\(name)}}\(sometimes), which the texts of \(type.name) need"
        found.append(document.problem(isOwn ? "\(place).notify" : path, words))
      }
    }
    guard isOwn, let example = type.example else { return found }
    var known = Set(example.keys).union(type.template.variables).union(type.payload ?? []).union(["currency"])
    known.formUnion(type.mailTexts?.variables ?? [])
    for action in type.actions { known.formUnion(action.link?.variables ?? []) }
    // What the engine or `let` makes travels where a rule chooses nothing.
    for name in gift.names.subtracting(known).sorted() where !gift.isOpen {
      let advice = NearestName.advice(name, among: known.sorted())
      let words = "neither the texts nor the example of \(type.name) have '\(name.excerpt)'\(advice)"
      let common = "\(place).data.\(name)"
      found.append(
        document.places[common] == nil
          ? document.problem("\(place).notify", words, at: name) : document.problem(common, words)
      )
    }
    return found
  }

  private var compositionVariables: [CatalogueProblem] {
    let known = ["count", "titles", "others"]
    return texts.filter { $0.path.hasPrefix("composition.") }.flatMap { text in
      text.text.matches(of: NotificationTemplate.Part.tag).compactMap { match -> CatalogueProblem? in
        guard let tag = try? TemplateTag(match.1), tag.kind != .comment, tag.name != ".", !known.contains(tag.name)
        else { return nil }
        let advice = NearestName.advice(tag.name, among: known)
        let words = "there are count, titles and others, not {{\(tag.name)}}\(advice)"
        return document.problem(text.path, words, at: String(match.0))
      }
    }
  }
}

extension LocalizedTemplate {
  /// The variables of title and body, in any language.
  var variables: Set<String> {
    templates.values.values.reduce(into: []) { $0.formUnion($1.title.variables.union($1.body.variables)) }
  }

  /// Those that some data cannot do without.
  var needed: Set<String> {
    templates.values.values.reduce(into: []) { $0.formUnion($1.title.needed.union($1.body.needed)) }
  }
}
