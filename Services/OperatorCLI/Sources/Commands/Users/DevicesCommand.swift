import ArgumentParser
import Authentication
import ConsoleCommands
import Foundation
import BelfryJSON

/// `belfry devices`
struct DevicesCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Shows a user's devices.",
    discussion: """
      From the user's export (GET /api/v1/users/{id}/export), for only users list their own devices. The table leaves the tokens \
      away; --json has all that the export has.
      """
  )

  @OptionGroup var user: UserArgument

  @OptionGroup var options: ShowOptions

  init() {}

  func run(on console: Console) async throws {
    var scanner = JSONObjectScanner(capturing: ["devices"])
    try await options.gateway.using(as: .service) { gateway in
      try await gateway.download(user.exportPath.text) { piece in
        scanner.take(piece)
        return scanner.captured["devices"] == nil
      }
    }
    guard let devices = scanner.captured["devices"] else {
      throw CommandFailure("The export ended before it came to the devices. Try again.")
    }
    try options.show(Data(devices), on: console, Self.lines)
  }

  private static func lines(_ devices: JSONValue) -> [String] {
    guard let devices = devices.array, !devices.isEmpty else { return ["No devices."] }
    return TextTable(columns, of: devices).lines
  }

  private static let columns: [JSONColumn] = [
    JSONColumn("id", "id"), JSONColumn("platform") { platform($0["platform"]) }, JSONColumn("kind", "kind"),
    JSONColumn("address", "addressKind"), JSONColumn("installation", "installationId"),
    JSONColumn("name", "deviceName"), JSONColumn("app", "appVersion"), JSONColumn("active", "isActive"),
    JSONColumn("since", "createdAt"), JSONColumn("last used", "lastUsedAt"),
  ]

  private static func platform(_ value: JSONValue?) -> String {
    switch value?.integer {
    case 1: "iOS"
    case 2: "Android"
    case 3: "web"
    default: value?.shown ?? "-"
    }
  }
}
