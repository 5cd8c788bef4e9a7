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
          page(try await store.standing(of: link, in: catalogue.types), of: link, request)
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
      return page(try await store.unsubscribe(by: link, in: types, at: now, requestID: id), of: link, request)
    case .takesBack:
      let standing = try await store.takeBack(by: link, in: types, at: now, requestID: id)
      return page(standing, of: link, request, isTakenBack: standing.isOn)
    }
  }

  private func page(
    _ standing: UnsubscriptionStore.Standing,
    of link: UnsubscribeLink,
    _ request: Request,
    isTakenBack: Bool = false
  ) -> UnsubscribePage {
    let state: UnsubscribePage.State =
      if standing.isErased {
        .isErased
      } else if standing.isOn, standing.suppression != nil {
        .isSuppressed
      } else if standing.isOn {
        isTakenBack ? .takenBack : .asks
      } else {
        standing.unsubscribedAt == nil ? .isOff : .unsubscribed
      }
    let texts = texts(request, profile: standing.locale)
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
      response = refusal(Problem(answering: error, logger: context.logger), request, context)
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
  private func refusal(_ problem: Problem, _ request: Request, _ context: GatewayContext) -> Response {
    let state: UnsubscribePage.State
    switch problem.status {
    case .notFound: state = problem.detail == nil ? .isInvalid : .isExpired
    case .tooManyRequests, .internalServerError, .serviceUnavailable: state = .hasFailed
    default: return problem.response(from: request, context: context)
    }
    guard Self.wantsPage(request) else { return problem.response(from: request, context: context) }
    let page = UnsubscribePage(state: state, texts: texts(request))
    var response = page.response(problem.status)
    for field in problem.extraHeaders { response.headers.append(field) }
    return response
  }

  private static func wantsPage(_ request: Request) -> Bool {
    request.headers[.accept]?.lowercased().split(separator: ",")
      .contains { $0.drop { $0 == " " }.hasPrefix("text/html") } == true
  }

  /// In the profile's language, else in one that the browser takes, else in the catalogue's, as the mail was.
  private func texts(_ request: Request, profile: String? = nil) -> UnsubscribeTexts {
    let own = profile.map { [$0] } ?? []
    return .of(own + Self.locales(request.headers[.acceptLanguage] ?? "") + [catalogue.defaults.locale])
  }

  /// Those that a browser takes, in its order.
  static func locales(_ accepted: String) -> [String] {
    accepted.split(separator: ",").prefix(20).compactMap { entry in
      let parts = entry.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let isRefused = parts.dropFirst().contains { $0.lowercased().wholeMatch(of: #/q\s*=\s*0(?:\.0{0,3})?/#) != nil }
      return isRefused || parts.first?.isEmpty == true ? nil : parts.first
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
