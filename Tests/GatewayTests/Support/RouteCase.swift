import Foundation
import HTTPTypes
import BelfryJSON
import NotificationModel
import Testing

@testable import Gateway

/// How a route is asked for something that is there.
struct RouteCase: Sendable {
  /// What a route is to whom the thing is not, and who may call the route all the same.
  enum ForOthers: Sendable {
    /// 404, as if it were not there.
    case missing
    /// It succeeds, concerns the caller alone and shows nothing of anybody else.
    case apart
    /// 400: the request names whose it is.
    case refused
    /// It is nobody's in particular.
    case shared
  }

  struct Ask: Sendable {
    /// With the query; nil is the route's own, which has no capture then.
    var path: String?
    var headers: HTTPFields = [:]
    /// Nil is the description's first example, if it has one.
    var body: String?
    /// What the owner reads in the answer, and nobody else may.
    var secret: String?
  }

  let forOthers: ForOthers
  /// Makes what is asked for, of this caller.
  let ask: @Sendable (TestGateway, Caller) async throws -> Ask

  init(_ forOthers: ForOthers, _ ask: @escaping @Sendable (TestGateway, Caller) async throws -> Ask = { _, _ in Ask() })
  {
    self.forOthers = forOthers
    self.ask = ask
  }

  static func of(_ route: Route) throws -> RouteCase {
    try #require(all[route.name], "say in RouteCase+all.swift how \(route.name) is asked for something that is there")
  }

  /// The moment in which the description's examples were written down: what is to come in them is to come.
  static let moment = Date(timeIntervalSince1970: 1_795_240_800)

  /// A gateway in which every route has something to give.
  static func gateway(_ body: @escaping @Sendable (TestGateway) async throws -> Void) async throws {
    try await TestGateway.with(
      // RFC 8291, appendix A.
      vapidPublicKey: try #require(
        VAPIDPublicKey("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
      ),
      bounces: try BounceSigner.shared.get().desk(),
      clock: { moment },
      personal: PersonalConfiguration(allowsErasing: true),
      body
    )
  }
}

extension TestGateway {
  /// Asks a route as its case says.
  func call(_ route: Route, _ ask: RouteCase.Ask, headers: HTTPFields) async throws -> Answer {
    var headers = headers
    for field in ask.headers { headers[field.name] = field.value }
    let body = try ask.body ?? DescribedRoute.of(route).bodies.first.map { JSONWriter.text($0) }
    return try await call(route.method, ask.path ?? route.path, headers: headers, body: body)
  }
}
