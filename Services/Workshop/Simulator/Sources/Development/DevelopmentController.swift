import DevelopmentControl
import HTTPTypes
import Hummingbird
import BelfryJSON
import NIOCore

/// `/api/development`: what the demo can do. The simulator asks `belfry-dev run`, which has the keys, and hands on its answers.
struct DevelopmentController: Sendable {
  /// Nil where nobody said which socket to ask on.
  let client: DevelopmentClient?

  func addRoutes(to router: Router<BasicRequestContext>) {
    for method in [HTTPRequest.Method.get, .post, .put] {
      router.on("api/development", method: method) { request, _ in try await ask(request, "") }
      router.on("api/development/**", method: method) { request, context in
        try await ask(request, context.parameters.getCatchAll().joined(separator: "/"))
      }
    }
  }

  private func ask(_ request: Request, _ path: String) async throws -> Response {
    guard let client else {
      throw ControlError(
        status: .notFound,
        field: nil,
        message: "This simulator runs by itself: the demo needs `belfry-dev run`, which `make run` starts."
      )
    }
    let body = try await ControlBody.collect(request)
    let question = DevelopmentQuestion(
      method: request.method.rawValue,
      path: path,
      query: Dictionary(
        request.uri.queryParameters.map { (String($0.key), String($0.value)) },
        uniquingKeysWith: { $1 }
      ),
      body: body.isEmpty ? nil : String(decoding: body, as: UTF8.self)
    )
    let answer: DevelopmentAnswer
    do {
      answer = try await client.ask(question)
    } catch {
      throw ControlError(
        status: .serviceUnavailable,
        field: nil,
        message: "`belfry-dev run` does not answer just now. Does it still run?"
      )
    }
    guard answer.status < 400 else {
      throw ControlError(status: .init(code: answer.status), field: nil, message: Self.words(of: answer))
    }
    return Response(
      status: .init(code: answer.status),
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(string: answer.body))
    )
  }

  private static func words(of answer: DevelopmentAnswer) -> String {
    (try? JSONParser.parse(Array(answer.body.utf8)))?["detail"]?.string ?? answer.body
  }
}
