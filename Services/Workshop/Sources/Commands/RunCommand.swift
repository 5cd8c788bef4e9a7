import ArgumentParser
import Foundation
import LocalStack

/// `belfry-dev run`
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Starts all of Belfry on this machine, with a demo family and simulated providers.",
    discussion: """
      Starts a private PostgreSQL and RabbitMQ, the five services and the provider simulator as child processes on \
      127.0.0.1, creates three users with devices and addresses, sends them a notification, and ends with the addresses of \
      a page that shows what arrived and lets you try more, of the API, the hub and the documents, and with lines to send with. Ctrl-C stops everything; the data is kept for the next time. \
      A service that crashes is started again.

      Settings in the environment (BELFRY_…) reach the services, except the ports, addresses and secrets of the stack \
      itself; the start tells which are passed on and which are not. Where BELFRY_RETRY_TIERS is not set, failed \
      deliveries are tried again after seconds instead of minutes.

        belfry-dev run
        belfry init my.yaml && belfry-dev run --catalogue my.yaml
        belfry-dev run --scale push=2,router=2
        BELFRY_INAPP_ALLOWED_ORIGINS=http://localhost:5173 belfry-dev run
        belfry-dev run --once            (checks that it works, then stops: exit status 0 or 1)
      """
  )

  @Flag(help: "Checks on free ports, in a temporary directory, that the first notification arrives, and stops.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "The gateway's port; the in-app dispatcher takes the next one, the page the one after.",
      valueName: "port"
    )
  )
  var port = 8080

  @Option(help: ArgumentHelp("How many of each service, e.g. push=2,router=2,inapp=1.", valueName: "service=count,…"))
  var scale: ServiceScale = ServiceScale()

  @Option(
    help: ArgumentHelp(
      "A catalogue of your own; `belfry init` writes one to begin with. It is checked, applied as the next version unless it is in force already, and the page sends its types.",
      valueName: "file"
    )
  )
  var catalogue: String?

  @Option(name: .customLong("data-dir"), help: ArgumentHelp("Where data and logs are kept.", valueName: "dir"))
  var dataDirectory = ".belfry"

  init() {}

  func validate() throws {
    if !(1...65_533).contains(port) { throw ValidationError("--port: expected 1 to 65533") }
    for service in [BelfryService.gateway, .inapp] where scale.counts[service] == 0 {
      throw ValidationError("--scale: at least one \(service.rawValue) is needed")
    }
  }

  func run() async throws {
    let catalogue: CatalogueFile?
    do throws(CatalogueFile.Refusal) {
      catalogue = try self.catalogue.map { path throws(CatalogueFile.Refusal) in try CatalogueFile(path) }
    } catch {
      for line in error.lines { Terminal.say(line) }
      Terminal.say("Nothing was started: the catalogue has to be good first.")
      throw ExitCode(1)
    }
    let directory =
      once
      ? FileManager.default.temporaryDirectory.appending(path: "belfry-\(ProcessInfo.processInfo.processIdentifier)")
        .path
      : URL(filePath: dataDirectory).standardizedFileURL.path
    var configuration = BelfryStackConfiguration(directory: directory, programs: try .own())
    configuration.scale = scale.counts
    configuration.settings = ProcessInfo.processInfo.environment.filter { name, _ in
      name.hasPrefix("BELFRY_") && !name.hasPrefix("BELFRY_CLI_")
    }
    if catalogue != nil, configuration.settings.removeValue(forKey: DevelopmentSettings.catalogueFile) != nil {
      print("\(DevelopmentSettings.catalogueFile) is not passed on: --catalogue is applied instead.")
    }
    if !once {
      configuration.gatewayPort = FreePort.isFree(port) ? port : nil
      configuration.inAppPort = FreePort.take(port + 1) ? port + 1 : nil
      configuration.simulatorPort = FreePort.take(port + 2) ? port + 2 : nil
      if configuration.gatewayPort == nil { print("Port \(port) is taken: the gateway gets another.") }
      DevelopmentSettings.add(to: &configuration, current: FileManager.default.currentDirectoryPath)
    }
    let development = DevelopmentRun(configuration: configuration, catalogue: catalogue, once: once)
    let status = await Interruption.run { await development.run() }
    throw ExitCode(status)
  }
}
