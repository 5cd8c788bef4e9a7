import ArgumentParser
import ConsoleCommands
import BelfryJSON
import NotificationModel

/// `belfry-dev demo pushes`
struct DemoPushesCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "pushes",
    abstract: "Lists what the simulated push services took for the people's phones and browsers."
  )

  @OptionGroup var arrivals: DemoArrivalOptions

  init() {}

  func run(on console: Console) async throws {
    var pushes: [JSONValue] = []
    for carrier in DevicePlatform.Carrier.allCases {
      for push in try await arrivals.latest(of: carrier.list, "pushes") {
        // First who took it.
        pushes.append(.object([JSONMember("provider", .string(carrier.rawValue))] + (push.members ?? [])))
      }
    }
    let names = await names(of: pushes)
    try arrivals.show(
      Self.latest(pushes, arrivals.limit),
      as: "pushes",
      nothing: "No phone got anything yet.",
      Self.columns(names),
      on: console
    )
  }

  /// In the order of their arrival, whoever took them.
  private static func latest(_ pushes: [JSONValue], _ limit: Int) -> [JSONValue] {
    let timed = pushes.enumerated().map { (time: $1["receivedAt"]?.string ?? "", place: $0, push: $1) }
    return timed.sorted { ($0.time, $0.place) < ($1.time, $1.place) }.suffix(limit).map(\.push)
  }

  /// Whose each token or endpoint is. Where a browser has subscribed only `belfry-dev run` knows.
  private func names(of pushes: [JSONValue]) async -> [String: String] {
    var names: [String: String] = [:]
    for person in DemoPerson.known {
      names[person.deviceToken] = person.name
      names[person.nativeToken] = person.name
    }
    guard pushes.contains(where: { $0["endpoint"] != nil }) else { return names }
    // A simulator without `belfry-dev run` behind it has endpoints of nobody's.
    let overview = try? await arrivals.options.value("GET", "/api/development")
    for person in overview?["people"]?.array ?? [] {
      if let address = person["pushAddress"]?.string, let name = person["name"]?.string { names[address] = name }
    }
    return names
  }

  private static func columns(_ names: [String: String]) -> [JSONColumn] {
    [
      JSONColumn("at", "receivedAt"),
      JSONColumn("for") { push in
        let address = push["token"] ?? push["endpoint"]
        return address?.string.flatMap { names[$0] } ?? address?.shown ?? "-"
      },
      JSONColumn("by") { push in
        push["provider"]?.string.flatMap(DevicePlatform.Carrier.init(rawValue:))?.label ?? "-"
      },
      JSONColumn("title") { title(of: $0)?.shown ?? "-" },
      JSONColumn("notification", "notificationId"),
    ]
  }

  /// Where each provider's message has it.
  private static func title(of push: JSONValue) -> JSONValue? {
    push["message"]?["notification"]?["title"] ?? push["message"]?["data"]?["title"]
      ?? push["payload"]?["aps"]?["alert"]?["title"]
  }
}
