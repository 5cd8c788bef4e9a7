import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct ProblemTests {
  private struct TestContext: RequestContext {
    struct Source: RequestContextSource {
      let logger = Logger.quiet
    }

    var coreContext: CoreRequestContextStorage

    init(source: Source) {
      coreContext = .init(source: source)
    }
  }

  /// Gathers a response's body.
  private struct TextWriter: ResponseBodyWriter {
    let text: TextBox

    mutating func write(_ buffer: ByteBuffer) async throws {
      text.value.withLock { $0 += String(buffer: buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  private final class TextBox: Sendable {
    let value = Mutex("")
  }

  private func render(_ problem: Problem) async throws -> (response: Response, body: String) {
    let request = Request(
      head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
      body: RequestBody(buffer: ByteBuffer())
    )
    let response = problem.response(from: request, context: TestContext(source: .init()))
    let text = TextBox()
    try await response.body.write(TextWriter(text: text))
    return (response, text.value.withLock { $0 })
  }

  @Test func `a problem is a document of its own media type with a stable type`() async throws {
    let (response, body) = try await render(.notFound)
    #expect(response.status == .notFound)
    #expect(response.headers[.contentType] == "application/problem+json")
    #expect(
      body == #"{"type":"urn:belfry:problem:not-found","title":"There is no such resource","status":404}"#
    )
  }

  @Test func `an invalid input names every field`() async throws {
    let error = ValidationError([FieldError("to.users[0]", "expected a UUID"), FieldError("type", "is \"required\"")])
    let (response, body) = try await render(.invalid(error))
    #expect(response.status == .badRequest)
    #expect(
      body == #"{"type":"urn:belfry:problem:validation","title":"The request is invalid","status":400,"#
        + #""detail":"to.users[0]: expected a UUID; type: is \"required\"","#
        + #""errors":[{"field":"to.users[0]","message":"expected a UUID"},"#
        + #"{"field":"type","message":"is \"required\""}]}"#
    )
  }

  @Test func `who is not known is told how to say so`() async throws {
    let (response, _) = try await render(.unauthorized("no token"))
    #expect(response.status == .unauthorized)
    #expect(response.headers[.wwwAuthenticate] == "Bearer")
  }

  @Test func `who has to wait is told how long`() async throws {
    let (response, body) = try await render(.unavailable("the database is not available", retryAfter: 5))
    #expect(response.status == .serviceUnavailable)
    #expect(response.headers[.retryAfter] == "5")
    #expect(body.contains(#""detail":"the database is not available""#))
  }
}
