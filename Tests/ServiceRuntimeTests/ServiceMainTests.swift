import Logging
import ServiceLifecycle
import Settings
import Testing

@testable import ServiceRuntime

struct ServiceMainTests {
  private struct Mailer: Service {
    let password = "secret"

    func run() async throws {}
  }

  @Test func `log lines name a service by its type, and nothing that it holds`() throws {
    let process = ProcessConfiguration(Settings(variables: [:]))
    let group = ServiceMain.group(of: [Mailer()], process, Logger(label: "test"))
    #expect(group.services.map(\.serviceName) == ["Mailer"])
  }
}
