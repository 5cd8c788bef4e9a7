import BelfryJSON
import Rules
import TerminalText

/// Rules that nothing reaches, and what they name that no event has.
extension CatalogueReviewer {
  var ruleFindings: [CatalogueProblem] {
    ownRules.flatMap { path, rule -> [CatalogueProblem] in
      var found = members(of: rule, at: path)
      if let never = rule.neverSends { found.append(document.problem("\(path).\(never.field)", never.words)) }
      found += filters(at: path)
      found += rule.unused.map { document.problem("\(path).\($0)", "is used nowhere in the rule") }
      found += rule.types.sorted().filter(isOffByAccident).map { name in
        let words = "\(name) is off on every channel, because nothing says otherwise: the rule reaches nobody"
        return document.problem("\(path).notify", words)
      }
      return found
    }
  }

  /// Filters with an argument that they do not take. What is no filter at all is refused with the rule.
  private func filters(at path: String) -> [CatalogueProblem] {
    ruleTexts.filter { $0.path.hasPrefix("\(path).") }.flatMap { path, text in
      text.matches(of: /\|\s*([A-Za-z]+:[^|{}]*)/).compactMap { match in
        do throws(CatalogueError) {
          _ = try TextFilter(String(match.1))
          return nil
        } catch {
          return document.problem(path, error.description, at: String(match.1))
        }
      }
    }
  }

  /// Members that the event's payload does not have.
  private func members(of rule: Rule, at path: String) -> [CatalogueProblem] {
    guard case .event = rule.trigger, let event = event(of: rule), let payload = event.payload else { return [] }
    let told = Set(payload).union(rule.ownNames)
    let sent = told.union(rule.engineNames)
    var seen: Set<String> = []
    return rule.uses.compactMap { use in
      let known = use.field.hasPrefix("data.") || use.field == "notify" ? sent : told
      guard !known.contains(use.member), seen.insert("\(use.field) \(use.member)").inserted else { return nil }
      let advice = NearestName.advice(use.member, among: known.sorted())
      let words = "the payload of \(event.name) has no '\(use.member.excerpt)'\(advice)"
      return document.problem("\(path).\(use.field)", words, at: use.member)
    }
  }

  /// Whether neither the type nor its category says of any channel that it is on or off, and the file's defaults have none on.
  private func isOffByAccident(_ name: String) -> Bool {
    guard let type = type(name), document.has("types", named: name), !type.channels.entries.contains(where: \.value)
    else {
      return false
    }
    if let channels = document.entry("types", named: name)?["channels"]?.members { return channels.isEmpty }
    let category = document.entry("categories", named: type.category)
    if let channels = category?["channels"]?.members { return channels.isEmpty }
    return merge.categories.first { $0.name == type.category }?.channels == nil
  }

  /// Events of which nothing becomes, and members that their payload does not have.
  var eventFindings: [CatalogueProblem] {
    let heard = Set(
      (document.entries("rules").map(\.json) + merge.rules.map(\.json)).flatMap { rule in
        ["on", "absent"].compactMap { rule[$0]?.string?.lowercased() }
      }
    )
    return form.events.flatMap { event -> [CatalogueProblem] in
      let path = document.path("events", named: event.name)
      var found: [CatalogueProblem] = []
      if !event.isRelayed, !heard.contains(event.name.lowercased()) {
        found.append(document.problem(path, "is not relayed, and no rule listens to it: reports of it are refused"))
      }
      guard let payload = event.payload else { return found }
      for (field, names) in [("arguments", event.arguments), ("amounts", event.amounts)] {
        found += names.filter { !payload.contains($0) }.map { name in
          let advice = NearestName.advice(name, among: payload)
          return document.problem("\(path).\(field)", "the payload has no '\(name.excerpt)'\(advice)", at: name)
        }
      }
      return found
    }
  }
}
