extension BelfryPrograms {
  /// The settings that each service has, as its `--help` lists them: it does not start with others of its sections. A service whose
  /// help lists none is left out.
  ///
  /// - Parameter directory: Where links to ``product`` may be made.
  public func settings(in directory: String) async throws(LocalStackError) -> [BelfryService: Set<String>] {
    try Files.makeDirectory(directory)
    var settings: [BelfryService: Set<String>] = [:]
    for service in BelfryService.allCases {
      let link = "\(directory)/\(service.executable)"
      try Files.link(link, to: product)
      let names = Self.settings(inHelp: try await LocalProcess.run(executable: link, arguments: ["--help"]))
      if !names.isEmpty { settings[service] = names }
    }
    return settings
  }

  /// Each begins a line, and its kind stands behind it in parentheses.
  static func settings(inHelp text: String) -> Set<String> {
    Set(text.matches(of: /(?m)^ *(BELFRY_[A-Z0-9_]+) +\(/).map { String($0.1) })
  }
}
