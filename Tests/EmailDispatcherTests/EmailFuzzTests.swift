import Dispatching
import NotificationQueue
import TestSupport
import Testing
import Transport

@testable import EmailDispatcher

@Suite struct EmailFuzzTests {
  @Test func `whatever a dispatch message says becomes a mail or an error`() throws {
    let composer = EmailComposer(
      sender: MIMEAddress(name: "Belfry", address: "belfry@example.com"),
      domain: "mail.example.com"
    )
    var count = 0
    for message in try HostileMessages.dispatches().decoded where message.isConsistent {
      for targeted in message.targetedDeliveries {
        do throws(TransportError) {
          let mail = try composer.compose(targeted)
          #expect(!mail.isEmpty)
          count += 1
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
    #expect(count > 100)
  }
}
