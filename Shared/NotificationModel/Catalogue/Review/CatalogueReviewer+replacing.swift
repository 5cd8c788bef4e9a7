import BelfryJSON

/// Entries in the place of built-in ones.
extension CatalogueReviewer {
  var replacingFindings: [CatalogueProblem] {
    let types = Dictionary((base?.types ?? []).map { ($0.type.code, $0.type.name) }) { $1 }
    var found = document.entries("types").compactMap { path, entry in
      let code = entry["code"]?.integer
      return replacing(entry, at: path, "code", code.flatMap { types[$0] }.map { "type \(code ?? 0) \($0)" })
    }
    found += named("categories", "category", (base?.categories ?? []).map(\.name))
    found += named("events", "event", (base?.events ?? []).map(\.name))
    found += named("rules", "rule", (base?.rules ?? []).map(\.name))
    found += named("schedules", "schedule template", (base?.schedules ?? []).map(\.name))
    found += named("settings", "setting", (base?.settings ?? []).map(\.name))
    return found
  }

  /// - Parameter names: Of the built-in entries.
  private func named(_ list: String, _ kind: String, _ names: [String]) -> [CatalogueProblem] {
    document.entries(list).compactMap { path, entry in
      // What is switched off is meant.
      guard let name = entry["name"]?.string, entry["off"] == nil else { return nil }
      let former = names.first { $0.lowercased() == name.lowercased() }
      return replacing(entry, at: path, "name", former.map { "\(kind) \($0)" })
    }
  }

  /// - Parameter former: What is gone for the entry; nil if nothing is.
  private func replacing(
    _ entry: JSONValue,
    at path: String,
    _ field: String,
    _ former: String?
  ) -> CatalogueProblem? {
    switch (former, entry["replaces"]?.boolean == true) {
    case (let former?, false):
      document.problem("\(path).\(field)", "replaces the built-in \(former): say replaces: true if that is meant")
    case (nil, true): document.problem("\(path).replaces", "there is nothing built-in that it replaces")
    case (.some, true), (nil, false): nil
    }
  }
}
