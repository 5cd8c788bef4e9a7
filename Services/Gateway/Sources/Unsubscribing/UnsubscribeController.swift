import Foundation
import HTTPTypes
import Hummingbird
import NotificationModel
import NotificationStore

/// The links in mails by which people unsubscribe from a category. A look changes nothing; a form does, at once, without a login and
/// without a redirect: it comes from a mailbox (RFC 8058), or from the page's button.
struct UnsubscribeController {
  let keys: UnsubscribeKeys
  let limit: AddressLimiter?
  let store: UnsubscriptionStore
  let catalogue: Catalogue
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    keys = dependencies.unsubscribe
    limit = dependencies.unsubscribeLimit
    store = UnsubscriptionStore(client: dependencies.database)
    catalogue = dependencies.catalogue
    clock = dependencies.clock
  }

  var routes: [Route] {
    [
      .get("/unsubscribe/:token", .open) { request, context in
        try await answer(request, context) { link in
          Self.page(try await store.standing(of: link, in: catalogue.types), of: link, request)
        }
      },
      .post("/unsubscribe/:token", .open) { request, context in
        try await answer(request, context) { link in try await act(by: link, request, context) }
      },
    ]
  }

  private func act(by link: UnsubscribeLink, _ request: Request, _ context: GatewayContext) async throws
    -> UnsubscribePage
  {
    let (types, now, id) = (catalogue.types, clock(), context.requestID)
    switch try await UnsubscribeForm.read(of: request) {
    case .unsubscribe:
      return Self.page(try await store.unsubscribe(by: link, in: types, at: now, requestID: id), of: link, request)
    case .takesBack:
      let standing = try await store.takeBack(by: link, in: types, at: now, requestID: id)
      return Self.page(standing, of: link, request, isTakenBack: standing.isOn)
    }
  }

  private static func page(
    _ standing: UnsubscriptionStore.Standing,
    of link: UnsubscribeLink,
    _ request: Request,
    isTakenBack: Bool = false
  ) -> UnsubscribePage {
    let state: UnsubscribePage.State =
      if standing.isErased {
        .isErased
      } else if standing.isOn, let suppression = standing.suppression {
        suppression.reason == .complaint ? .isReported : .isSuppressed
      } else if standing.isOn {
        isTakenBack ? .takenBack : .asks
      } else {
        standing.unsubscribedAt == nil ? .isOff : .unsubscribed
      }
    let texts = UnsubscribeTexts.of((standing.locale.map { [$0] } ?? []) + locales(request))
    return UnsubscribePage(state: state, category: link.category, texts: texts)
  }

  // MARK: Answers

  private func answer(
    _ request: Request,
    _ context: GatewayContext,
    _ page: (UnsubscribeLink) async throws -> UnsubscribePage
  ) async throws -> Response {
    // Without secrets there is no such page.
    guard !keys.isEmpty else { throw Problem.notFound }
    let quota = limit?.take(request, context)
    var response: Response
    do {
      if let quota, !quota.isAdmitted { throw Problem.tooManyRequests(quota) }
      response = try await self.page(request, context, page)
    } catch {
      response = Self.refusal(Problem(answering: error, logger: context.logger), request, context)
    }
    if let quota, quota.isAdmitted { quota.add(to: &response.headers) }
    return response
  }

  private func page(
    _ request: Request,
    _ context: GatewayContext,
    _ page: (UnsubscribeLink) async throws -> UnsubscribePage
  ) async throws -> Response {
    switch keys.read(context.parameters.get("token") ?? "", at: clock()) {
    case nil: throw Problem.notFound
    case .expired: throw Problem.linkExpired
    case .valid(let link): return try await page(link).response()
    }
  }

  /// A page for whoever wants one: a person's browser does, a mailbox does not.
  private static func refusal(_ problem: Problem, _ request: Request, _ context: GatewayContext) -> Response {
    let state: UnsubscribePage.State
    switch problem.status {
    case .notFound: state = problem.detail == nil ? .isInvalid : .isExpired
    case .tooManyRequests, .internalServerError, .serviceUnavailable: state = .hasFailed
    default: return problem.response(from: request, context: context)
    }
    guard wantsPage(request) else { return problem.response(from: request, context: context) }
    let page = UnsubscribePage(state: state, texts: .of(locales(request)))
    var response = page.response(problem.status)
    for field in problem.extraHeaders { response.headers.append(field) }
    return response
  }

  private static func wantsPage(_ request: Request) -> Bool {
    request.headers[.accept]?.lowercased().split(separator: ",")
      .contains { $0.drop { $0 == " " }.hasPrefix("text/html") } == true
  }

  /// Those that the browser names, in its order.
  private static func locales(_ request: Request) -> [String] {
    (request.headers[.acceptLanguage] ?? "").split(separator: ",").prefix(20).map { entry in
      entry.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    }
  }
}

extension Problem {
  /// 404 for a link that was one.
  fileprivate static let linkExpired = Problem(
    .notFound,
    .notFound,
    "There is no such resource",
    detail: "the link has expired: links in mails are valid for \(UnsubscribeLink.days) days"
  )
}
