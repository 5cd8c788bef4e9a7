import HTTPTypes
import Hummingbird
import BelfryJSON
import NIOCore
import NotificationModel

/// An error as the API answers it: RFC 9457 problem details with a stable `type` and every invalid field.
struct Problem: Error, HTTPResponseError {
  /// Kinds of problem; the raw value ends the `type` URN and never changes.
  enum Kind: String {
    case validation, malformed, unauthorized, forbidden
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case tooLarge = "too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case tooManyRequests = "too-many-requests"
    case preconditionFailed = "precondition-failed"
    case limitReached = "limit-reached"
    case catalogueByFile = "catalogue-by-file"
    case identifierTaken = "identifier-taken"
    case keyReused = "idempotency-key-reused"
    case unavailable
    case `internal` = "internal-error"
  }

  let status: HTTPResponse.Status
  let kind: Kind
  let title: String
  let detail: String?
  var errors: [FieldError] = []
  /// The same of a catalogue file, with their places.
  var problems: [CatalogueProblem] = []
  var extraHeaders: HTTPFields = [:]

  init(_ status: HTTPResponse.Status, _ kind: Kind, _ title: String, detail: String? = nil) {
    self.status = status
    self.kind = kind
    self.title = title
    self.detail = detail
  }

  func response(from request: Request, context: some RequestContext) -> Response {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("type", "urn:belfry:problem:\(kind.rawValue)")
      writer.field("title", title)
      writer.field("status", status.code)
      writer.optionalField("detail", detail)
      if !errors.isEmpty {
        writer.array("errors") { writer in
          for error in errors {
            writer.object { writer in
              writer.field("field", error.field)
              writer.field("message", error.message)
            }
          }
        }
      }
      if !problems.isEmpty {
        writer.array("problems") { writer in
          for problem in problems { problem.write(to: &writer) }
        }
      }
    }
    var headers = extraHeaders
    headers[.contentType] = "application/problem+json"
    return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes)))
  }
}

extension Problem {
  static let notFound = Problem(.notFound, .notFound, "There is no such resource")

  /// 400 with every invalid field.
  static func invalid(_ error: ValidationError) -> Problem {
    var problem = Problem(
      .badRequest,
      .validation,
      "The request is invalid",
      detail: error.description
    )
    problem.errors = error.errors
    return problem
  }

  static func invalid(_ field: String, _ message: String) -> Problem {
    invalid(ValidationError([FieldError(field, message)]))
  }

  /// 412: what is there is not what `If-Match` names.
  static let preconditionFailed = Problem(
    .preconditionFailed,
    .preconditionFailed,
    "It was changed, or is not there",
    detail: "read it again, and say If-Match with its ETag"
  )

  /// 412: what is there is what `If-None-Match` rules out.
  static func there(_ ruledOut: EntityTags) -> Problem {
    let (title, detail) =
      switch ruledOut {
      case .any:
        (
          "It is there already",
          "If-None-Match: * asks that it is not: to change it, leave that out or say If-Match with its ETag"
        )
      case .tags:
        (
          "It is a version that If-None-Match rules out",
          "nothing was changed: to change this version, say If-Match with its ETag"
        )
      }
    return Problem(.preconditionFailed, .preconditionFailed, title, detail: detail)
  }

  /// 405 with `Allow`.
  static func methodNotAllowed(allowed methods: [HTTPRequest.Method]) -> Problem {
    let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
    var problem = Problem(
      .methodNotAllowed,
      .methodNotAllowed,
      "This method is not allowed here",
      detail: "allowed: \(allowed)"
    )
    problem.extraHeaders[.allow] = allowed
    return problem
  }

  /// 413.
  ///
  /// - Parameter limit: In bytes.
  static func tooLarge(limit: Int) -> Problem {
    Problem(.contentTooLarge, .tooLarge, "The body is too large", detail: "at most \(limit) bytes are allowed")
  }

  /// 415.
  static let unsupportedMediaType = Problem(
    .unsupportedMediaType,
    .unsupportedMediaType,
    "The body is not of a type that is read here",
    detail: "send it with Content-Type: application/json"
  )

  /// 400; what follows on the connection cannot be told from the body.
  static let brokenBody = {
    var problem = Problem(
      .badRequest,
      .malformed,
      "The request cannot be understood",
      detail: "the body broke off, or is not as its header says"
    )
    problem.extraHeaders[.connection] = "close"
    return problem
  }()

  static func unauthorized(_ detail: String) -> Problem {
    var problem = Problem(.unauthorized, .unauthorized, "Authentication is needed", detail: detail)
    problem.extraHeaders[.wwwAuthenticate] = "Bearer"
    return problem
  }

  /// 503 with `Retry-After`, in seconds.
  static func unavailable(_ detail: String, retryAfter: Int = 2) -> Problem {
    var problem = Problem(.serviceUnavailable, .unavailable, "Not available; try again later", detail: detail)
    problem.extraHeaders[.retryAfter] = String(retryAfter)
    return problem
  }
}
