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
    text += "\n## Shared\n\nSeveral services read these settings. "
    text += "Settings of tokens, the catalogue and the retry tiers need the same value in\nall services.\n\n"
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

    A service reads its settings once, at the start; `--help` of each program lists its settings. A setting that is absent
    has its default. A service does not start, and reports all problems at once, where a setting

    - is required and missing,
    - has a value that cannot be read, or
    - is unknown in a section that the service reads. The section is the first word after `BELFRY_`: a misspelt setting of
      the section `GATEWAY` stops the gateway, but no router.

    Gateway and router read `BELFRY_PUSH_PROVIDERS`, the gateway also `BELFRY_PUSH_WEBPUSH_HOSTS`. They ignore all else in
    the section `PUSH`, which is the push dispatcher's. So does the gateway with the section `EMAIL`, of which it reads
    `BELFRY_EMAIL_RETURN_PATH_KEYS` alone.

    A duration is a whole number with a unit: `500ms`, `30s`, `10min`, `1h`, `7d`. The table gives the least and the
    greatest value of durations and numbers. Sizes are in bytes. Secrets are never printed.

    The commands of `belfry` read `BELFRY_DATABASE_URL`, `BELFRY_BROKER_URL`, `BELFRY_AUTH_SECRET`, `BELFRY_AUTH_ISSUER`,
    `BELFRY_AUTH_AUDIENCE` and `BELFRY_CATALOGUE_FILE` as the services do, and two of their own:
    `BELFRY_CLI_GATEWAY_URL`, the gateway's address, and `BELFRY_CLI_TOKEN` (secret), the token for the gateway. Without a
    token the commands mint one. Whoever lists the machine's processes can read a token that `--token` names.
    `belfry-dev demo` reads the address of the page of `belfry-dev run` from `BELFRY_DEMO_PAGE_URL`.

    """
}
