import HTTPTypes
import Hummingbird

/// What a request says of the version it knows (RFC 9110, 13): `If-Match` and `If-None-Match`.
///
/// What writes asks ``check(_:)`` with what it read under the lock that it writes under, so that nobody comes between.
struct Precondition: Sendable {
  let match: EntityTags?
  let noneMatch: EntityTags?

  init(_ request: Request) {
    match = request.headers[.ifMatch].map(EntityTags.init(headerValue:))
    noneMatch = request.headers[.ifNoneMatch].map(EntityTags.init(headerValue:))
  }

  /// Whether the request depends on what is there: only then it has to be worked out.
  var isPresent: Bool { match != nil || noneMatch != nil }

  /// Whether what is there may be changed.
  ///
  /// - Parameter current: Nil where there is nothing.
  /// - Throws: 412.
  func check(_ current: EntityTag?) throws(Problem) {
    if let match, !match.contains(current, isWeak: false) { throw .preconditionFailed }
    if let noneMatch, noneMatch.contains(current, isWeak: true) { throw .there(noneMatch) }
  }

  /// 412 of what was decided elsewhere: by what was asked for.
  var failure: Problem {
    if match == nil, let noneMatch { .there(noneMatch) } else { .preconditionFailed }
  }

  /// 200 with the representation; 304 without it where the caller has it.
  ///
  /// - Throws: 412.
  func answer(_ representation: Representation) throws(Problem) -> Response {
    if let match, !match.contains(representation.tag, isWeak: false) { throw .preconditionFailed }
    guard let noneMatch, noneMatch.contains(representation.tag, isWeak: true) else { return representation.response() }
    return Response(status: .notModified, headers: representation.headers)
  }
}
