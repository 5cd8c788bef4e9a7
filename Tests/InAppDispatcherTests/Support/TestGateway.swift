import Authentication
import Broker
import CatalogueVersions
import Foundation
import HTTPTypes
import Hummingbird
import BelfryJSON
import Logging
import NIOCore
import NIOEmbedded
import NotificationModel
import NotificationStore
import Postgres
import ServiceRuntime
import TestSupport
import Testing

@testable import Gateway

/// The gateway's REST API beside the hub, on the same database and with the same tokens.
enum TestGateway {
  /// The answer to a user's GET.
  static func get(_ path: String, by user: UserID, on database: PostgresClient, catalogue: Catalogue) async throws
    -> JSONValue
  {
    let verifier = try TokenVerifier(configuration: TokenVerifierConfiguration(sharedSecret: TestHub.secret))
    let router = Gateway.router(
      GatewayDependencies(
        catalogues: CatalogueInForce(catalogue),
        database: database,
        publisher: InMemoryBroker(),
        deadLetters: BrokerDeadLetters(
          configuration: try BrokerConfiguration(url: "amqp://nobody@127.0.0.1:1/"),
          logger: .quiet
        ),
        checks: HealthChecks(),
        logger: .quiet
      ),
      authentication: AuthenticationMiddleware(
        verifier: verifier,
        keys: APIKeyVerifier(store: APIKeyStore(client: database), logger: .quiet),
        limits: RateLimits(EdgeConfiguration()),
        identities: UserIdentities(store: UserIdentifierStore(client: database, logger: .quiet), clock: { Date.now })
      )
    )
    let head = HTTPRequest(
      method: .get,
      scheme: nil,
      authority: nil,
      path: path,
      headerFields: [.authorization: "Bearer \(try await TestHub.token(user))"]
    )
    let context = GatewayContext(source: .init(channel: NIOAsyncTestingChannel(), logger: .quiet))
    let answer = try await router.buildResponder()
      .respond(to: Request(head: head, body: .init(buffer: ByteBuffer())), context: context)
    #expect(answer.status == .ok)
    let collector = Collector()
    try await answer.body.write(collector)
    return try JSONParser.parse(Array(collector.body.readableBytesView))
  }

  private final class Collector: ResponseBodyWriter {
    private(set) var body = ByteBuffer()

    func write(_ buffer: ByteBuffer) {
      body.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) {}
  }
}
