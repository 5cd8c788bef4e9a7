/// An answer, or how to fail to give one.
enum FCMReply: Sendable, Equatable {
  case answer(status: Int, body: [UInt8], retryAfter: Int? = nil)
  case fault(FaultEffect.Kind)

  static let contentType = "application/json; charset=UTF-8"

  static func failure(_ failure: FCMFailure) -> FCMReply {
    .answer(status: failure.httpStatus, body: failure.body, retryAfter: failure.retryAfter)
  }
}
