import ArgumentParser
import Authentication
import ConsoleCommands
import NotificationModel
import Settings

/// `belfry-dev demo family`, which is `belfry-dev demo` alone, too.
struct DemoFamilyCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "family",
    abstract: "Makes the demo's people: three users with a device and an address each, and their group.",
    discussion: """
      As `belfry-dev run` has them, in a stack of containers or any other for trying things out: a family while the catalogue is \
      the built-in one, else three people of your app. Tokens are minted with BELFRY_AUTH_SECRET: those of the three, a backend's, \
      and an admin's to ask for the catalogue. Run again, it changes nothing.
      """
  )

  @OptionGroup var address: GatewayAddressOption

  @OptionGroup var stack: StackOptions

  init() {}

  func run(on console: Console) async throws {
    let (url, minting) = try await stack.read { settings in
      let setting = settings.optionalString("cli.gatewayUrl", "The gateway, e.g. http://127.0.0.1:8080.")
      if address.gateway == nil, setting == nil {
        settings.problem("BELFRY_CLI_GATEWAY_URL is not set: give the gateway's address in it or with --gateway")
      }
      return (address.gateway ?? setting ?? "", TokenMinting(settings))
    }
    let service = try minting.mint(roles: [.service])
    let catalogues = CatalogueInGateway(url: url, token: try minting.mint(roles: [.admin]))
    let story = try await DemoStory.of(inForce: catalogues)
    try await GatewayClient.using(url: url) { gateway in
      try await story.make(DemoDevices(gateway, simulator: nil), serviceToken: service) { member in
        try minting.mint(subject: member.id, roles: [.user])
      }
    }
    let names = story.people.map { "\($0.name) \($0.id)" }
    try console.say("\(story.group): \(names.joined(separator: ", "))")
    guard let request = Welcome.Request(of: story) else { return }
    try console.say(CallerOptions.current.gateway("belfry send \(request.options)"))
  }
}
