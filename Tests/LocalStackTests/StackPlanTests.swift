import Foundation
import Testing

@testable import LocalStack

struct StackPlanTests {
  private let database = "postgresql://belfry@127.0.0.1:1/belfry"
  private let broker = "amqp://belfry@127.0.0.1:2"

  private func withPlan(
    _ settings: [String: String],
    known: [BelfryService: Set<String>] = [:],
    _ body: (StackPlan) throws -> Void
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "belfry-plan-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let programs = BelfryPrograms(product: "/nowhere/belfry", workshop: "/nowhere/belfry-dev")
    var configuration = BelfryStackConfiguration(directory: directory, programs: programs)
    configuration.settings = settings
    configuration.knownSettings = known
    let result = Result { try body(try StackPlan(configuration)) }
    try FileManager.default.removeItem(atPath: directory)
    try result.get()
  }

  @Test func `every service and the simulator get the settings that were given`() throws {
    try withPlan(["BELFRY_INAPP_PING_INTERVAL": "9s", "BELFRY_LOG_LEVEL": "debug"]) { plan in
      let services = try plan.services(databaseURL: database, brokerURL: broker)
      #expect(services.count == 5)
      for process in services + [plan.simulator()] {
        #expect(process.environment["BELFRY_INAPP_PING_INTERVAL"] == "9s", "\(process.name)")
        #expect(process.environment["BELFRY_LOG_LEVEL"] == "debug", "\(process.name)")
      }
      #expect(plan.taken == ["BELFRY_INAPP_PING_INTERVAL", "BELFRY_LOG_LEVEL"])
      #expect(plan.overridden == [])
    }
  }

  @Test func `a service of another release gets the settings that it has, and no others`() throws {
    let known: Set = ["BELFRY_DATABASE_URL", "BELFRY_PUSH_ENDPOINT", "BELFRY_LOG_LEVEL"]
    try withPlan(["BELFRY_LOG_LEVEL": "debug"], known: [.push: known]) { plan in
      let services = try plan.services(databaseURL: database, brokerURL: broker)
      let push = try #require(services.first { $0.service == .push })
      #expect(Set(push.environment.keys.filter { $0.hasPrefix("BELFRY_") }) == known)
      #expect(push.environment["PATH"] != nil)
      let router = try #require(services.first { $0.service == .router })
      #expect(router.environment["BELFRY_BROKER_URL"] == broker)
    }
  }

  @Test func `the help of a service lists its settings`() {
    let help = """
      belfry-push: hands notifications to FCM and records what became of them.

        BELFRY_BROKER_URL  (text; required; secret)
            RabbitMQ as amqp[s]://user:password@host1:5672,host2:5672/vhost; hosts are tried in turn.
        BELFRY_PUSH_APNS_TOPIC  (text; default empty)
            Bundle id of the app. Required where BELFRY_PUSH_PROVIDERS names apns.
      """
    #expect(BelfryPrograms.settings(inHelp: help) == ["BELFRY_BROKER_URL", "BELFRY_PUSH_APNS_TOPIC"])
  }

  @Test func `to the origins that were given, gateway and hub add that of the simulator's page`() throws {
    try withPlan(["BELFRY_INAPP_ALLOWED_ORIGINS": "http://localhost:5173"]) { plan in
      let own = "http://127.0.0.1:\(plan.controlPort),http://localhost:\(plan.controlPort)"
      for process in try plan.services(databaseURL: database, brokerURL: broker) {
        switch process.service {
        case .gateway: #expect(process.environment["BELFRY_GATEWAY_ALLOWED_ORIGINS"] == own)
        case .inapp:
          #expect(process.environment["BELFRY_INAPP_ALLOWED_ORIGINS"] == "http://localhost:5173,\(own)")
        default: continue
        }
      }
      #expect(plan.taken == ["BELFRY_INAPP_ALLOWED_ORIGINS"])
    }
  }

  @Test func `pages are given the address of the first hub`() throws {
    try withPlan([:]) { plan in
      let services = try plan.services(databaseURL: database, brokerURL: broker)
      let gateway = try #require(services.first { $0.service == .gateway })
      let hub = try #require(services.first { $0.service == .inapp })
      #expect(gateway.environment["BELFRY_GATEWAY_HUB_URL"] == "http://127.0.0.1:\(hub.port)/hubs/notifications")
    }
  }

  @Test func `ports, addresses and secrets stay the stack's own`() throws {
    let names = [
      "BELFRY_AUTH_ISSUER", "BELFRY_AUTH_SECRET", "BELFRY_BROKER_URL", "BELFRY_DATABASE_URL", "BELFRY_EMAIL_HOST",
      "BELFRY_EMAIL_PASSWORD", "BELFRY_GATEWAY_PORT", "BELFRY_HEALTH_PORT", "BELFRY_INAPP_PORT",
      "BELFRY_PUSH_ENDPOINT", "BELFRY_PUSH_SERVICE_ACCOUNT_FILE", "BELFRY_SIMULATOR_FCM_PORT",
      "BELFRY_SIMULATOR_SMTP_PASSWORD",
    ]
    try withPlan(Dictionary(uniqueKeysWithValues: names.map { ($0, "other") })) { plan in
      #expect(plan.overridden == names)
      #expect(plan.taken == [])
      let services = try plan.services(databaseURL: database, brokerURL: broker)
      for process in services {
        #expect(process.environment["BELFRY_DATABASE_URL"] == database)
        #expect(process.environment["BELFRY_BROKER_URL"] == broker)
        #expect(process.environment["BELFRY_HEALTH_PORT"] != "other")
      }
      let gateway = try #require(services.first { $0.service == .gateway }).environment
      #expect(gateway["BELFRY_GATEWAY_PORT"].flatMap { Int($0) } != nil)
      #expect(gateway["BELFRY_AUTH_SECRET"] == plan.tokenSecret)
      #expect(gateway["BELFRY_AUTH_ISSUER"] == "", "the stack's own tokens name none")
      #expect(plan.simulator().environment["BELFRY_SIMULATOR_FCM_PORT"] == String(plan.fcmPort))
    }
  }

  @Test func `what the stack only proposes may be set otherwise`() throws {
    try withPlan([:]) { plan in
      let sender = try sender(plan)
      #expect(sender == "belfry@localhost")
    }
    try withPlan(["BELFRY_EMAIL_FROM": "family@example.org"]) { plan in
      let sender = try sender(plan)
      #expect(sender == "family@example.org")
      #expect(plan.taken == ["BELFRY_EMAIL_FROM"])
    }
  }

  private func sender(_ plan: StackPlan) throws -> String? {
    let services = try plan.services(databaseURL: database, brokerURL: broker)
    return services.first { $0.service == .email }?.environment["BELFRY_EMAIL_FROM"]
  }
}
