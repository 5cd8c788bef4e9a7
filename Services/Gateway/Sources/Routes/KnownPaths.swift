import HTTPTypes
import Hummingbird
import NIOCore

/// Which methods each path has, for requests with another one, and which paths the catalogue leaves out. Only those ask it: whatever
/// has a route costs nothing here.
struct KnownPaths: Sendable {
  /// Every path under one method, so that a path is found here exactly where the gateway's own router finds it.
  private let paths: RouterResponder<GatewayContext>

  init(_ routes: [Route], absent: [AbsentPath] = []) {
    let router = Hummingbird.Router(context: GatewayContext.self)
    for (path, routes) in Dictionary(grouping: routes, by: \.path) {
      let refusal = Problem.methodNotAllowed(allowed: routes.flatMap(\.methods))
      router.on(RouterPath(path), method: .get, responder: Refusal(problem: refusal))
    }
    for absent in absent {
      router.on(RouterPath(absent.path), method: .get, responder: Refusal(problem: absent.problem))
    }
    paths = router.buildResponder()
  }

  /// 405 if the path has routes, 404 with the reason if the catalogue leaves it out; nil if there is no such path.
  func refusal(_ request: Request, context: GatewayContext) async -> Response? {
    var head = request.head
    head.method = .get
    var context = context
    // The request's measurements know this path no better: methods are whatever callers think of.
    context.coreContext.endpointPath = EndpointPath()
    let lookup = Request(head: head, body: .init(buffer: ByteBuffer()))
    // A path that is not there fails the lookup, or gets an answer without a document.
    guard let answer = try? await paths.respond(to: lookup, context: context) else { return nil }
    return answer.headers[.contentType] == nil ? nil : answer
  }

  private struct Refusal: HTTPResponder {
    let problem: Problem

    func respond(to request: Request, context: GatewayContext) throws -> Response {
      problem.response(from: request, context: context)
    }
  }
}
