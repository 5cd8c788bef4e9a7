import Settings

/// docs/configuration.md, rendered from the settings that the services read.
struct ConfigurationDocument {
  static let path = "docs/configuration.md"

  /// Defaults that depend on the machine, in words: the document must be the same everywhere.
  private static let machineDefaults = ["BELFRY_INAPP_THREADS": "one less than processors"]

  let services: [ServiceSettings]

  var text: String {
    let shared = sharedSettings
    var text = Self.introduction
    text += "\n## Shared\n\nRead alike by several services. "
    text += "What concerns tokens, the catalogue and the retry tiers needs the same value in\nall of them.\n\n"
    text += "| variable | read by | kind | default | meaning |\n|---|---|---|---|---|\n"
    for setting in shared {
      let readers = services.filter { $0.settings.contains(setting) }.map { Self.short($0.program) }
      let names = readers.count == services.count ? "all" : readers.joined(separator: ", ")
      text += "| `\(setting.variable)` | \(names) | \(Self.cells(of: setting)) |\n"
    }
    for service in services {
      text += "\n## \(service.program)\n\n| variable | kind | default | meaning |\n|---|---|---|---|\n"
      for setting in service.settings where !shared.contains(setting) {
        text += "| `\(setting.variable)` | \(Self.cells(of: setting)) |\n"
      }
    }
    return text
  }

  /// What several services read alike, in the order of the first that does.
  private var sharedSettings: [Settings.Description] {
    var counts: [Settings.Description: Int] = [:]
    for setting in services.flatMap({ Set($0.settings) }) { counts[setting, default: 0] += 1 }
    var seen = Set<Settings.Description>()
    return services.flatMap(\.settings).filter { (counts[$0] ?? 0) > 1 && seen.insert($0).inserted }
  }

  /// Kind, default and meaning.
  private static func cells(of setting: Settings.Description) -> String {
    let fallback =
      if setting.isRequired {
        "**required**"
      } else if let words = machineDefaults[setting.variable] {
        words
      } else if let value = setting.defaultValue, !value.isEmpty {
        "`\(value)`"
      } else {
        "none"
      }
    let meaning = setting.isSecret ? "\(setting.summary) **Secret.**" : setting.summary
    return [setting.kind, fallback, meaning].map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")
  }

  private static func short(_ program: String) -> String {
    program.replacing("belfry-", with: "")
  }

  private static let introduction = """
    # Configuration

    <!-- Written by `make docs` from the code that reads the settings. Do not edit. -->

    Settings are environment variables. `BELFRY_CONFIG_FILE` may name a file of lines `VARIABLE=value`, with `#` for
    comments; where both say something, the environment wins. An empty value counts as absent.

    A setting that is absent has its default. One that is required and missing, malformed, or unknown within a section
    that the service reads, stops the start, and all such problems are reported at once. Settings are read once, at the
    start. Each program lists its own with `--help`. Gateway and router read `BELFRY_PUSH_PROVIDERS`, and let the rest of that
    section pass: it is the push dispatcher's.

    Durations are a whole number with a unit: `500ms`, `30s`, `10min`, `1h`, `7d`; the table gives the least and the
    greatest that is taken. Sizes are in bytes. Secrets are never printed.

    The commands of `belfry` read `BELFRY_DATABASE_URL`, `BELFRY_BROKER_URL`, `BELFRY_AUTH_SECRET`, `BELFRY_AUTH_ISSUER`,
    `BELFRY_AUTH_AUDIENCE` and `BELFRY_CATALOGUE_FILE` as the services do, and two of their own:
    `BELFRY_CLI_GATEWAY_URL`, the gateway's address, and `BELFRY_CLI_TOKEN`, the token with which they ask it (secret; without
    it they mint one). A token in `--token` can be read by whoever lists the machine's processes. `belfry-dev demo` finds
    the page of `belfry-dev run` in `BELFRY_DEMO_PAGE_URL`.

    """
}
