import Authentication
import Foundation
import NotificationModel
import NotificationStore
import Postgres
import TestSupport
import Testing
import UserIdentity

/// Who goes by a text at the hub.
@Suite struct HubUserIdentifierTests {
  private let path = "/hubs/notifications/negotiate"

  private func token(_ subject: String) throws -> String {
    try TokenMinter.mint(secret: TestHub.secret, subject: subject)
  }

  @Test func `a text is let in, and the UUID that stands for it is not once the text is known`() async throws {
    try await TestDatabase.with { database in
      let identifiers = UserIdentifierStore(client: database, logger: .quiet)
      let kaethe = try #require(UserIdentifier("shop/Käthe 7"))
      let literal = UserIdentifier(kaethe.uuid)
      _ = try await UserIdentifierStore(client: database, logger: .quiet).claim([kaethe], asked: .now)
      try await TestHub.run(identifiers: identifiers) { hub in
        let client = try await hub.open()
        for (subject, status) in [(kaethe, 200), (literal, 403), (kaethe, 200)] {
          let answer = try await client.request("POST", path, token: token(subject.description))
          #expect(answer.status == status, "\(subject)")
        }
      }
    }
  }

  @Test func `who connects by a UUID has it: a text that stands for it comes second`() async throws {
    try await TestDatabase.with { database in
      let ann = try #require(UserIdentifier("ann"))
      let literal = UserIdentifier(ann.uuid)
      try await TestHub.run(identifiers: UserIdentifierStore(client: database, logger: .quiet)) { hub in
        let client = try await hub.open()
        #expect(try await client.request("POST", path, token: token(literal.description)).status == 200)
        let gateway = UserIdentifierStore(client: database, logger: .quiet)
        #expect(try await gateway.claim([ann], asked: .now) == [ann])
        #expect(try await client.request("POST", path, token: token("ann")).status == 403)
      }
    }
  }

  @Test func `connecting by a text makes nobody known`() async throws {
    try await TestDatabase.with { database in
      try await TestHub.run(identifiers: UserIdentifierStore(client: database, logger: .quiet)) { hub in
        let client = try await hub.open()
        #expect(try await client.request("POST", path, token: token("ann")).status == 200)
      }
      #expect(try await database.query("SELECT 1 FROM user_identifiers").isEmpty)
    }
  }
}
