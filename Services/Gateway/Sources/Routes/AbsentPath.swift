import HTTPTypes

/// A path that only one app's older API has, where the catalogue lacks what it is about. It is in no table of routes; whatever the
/// method, it is answered 404 with what is missing.
struct AbsentPath: Sendable {
  /// From the root, with captures, as ``Route/path``.
  let path: String
  let problem: Problem

  /// - Parameters:
  ///   - routes: Of the older API.
  ///   - missing: What the catalogue has not, each in words.
  /// - Returns: Their paths, once each; none where nothing is missing.
  static func all(of routes: [Route], missing: [String]) -> [AbsentPath] {
    guard !missing.isEmpty else { return [] }
    let problem = Problem(
      .notFound,
      .notFound,
      "There is no such resource",
      detail: "the catalogue in force lacks what it is about: \(missing.joined(separator: ", "))"
    )
    return Set(routes.map(\.path)).sorted().map { AbsentPath(path: $0, problem: problem) }
  }
}

extension Gateway {
  /// Every path that this catalogue leaves out of ``routes(_:)``. Which route needs what is said in docs/api.md.
  static func absentPaths(_ dependencies: GatewayDependencies) -> [AbsentPath] {
    CoarseSettingsController(dependencies).absentPaths
  }
}
