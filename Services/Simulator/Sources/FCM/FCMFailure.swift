/// An error answer of FCM, in the words and shape of the real service.
///
/// Source: https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode and the error model of Google's APIs (AIP-193).
struct FCMFailure: Error, Sendable, Equatable {
  struct Violation: Sendable, Equatable {
    let field: String
    let description: String
  }

  let httpStatus: Int
  /// Canonical code, e.g. `INVALID_ARGUMENT`.
  let status: String
  let message: String
  /// FCM's own code, e.g. `UNREGISTERED`; nil for errors of the layers in front of FCM.
  var errorCode: String?
  var violations: [Violation] = []
  /// Reason of a `google.rpc.ErrorInfo`, which credentials' errors carry.
  var reason: String?
  /// Seconds for the Retry-After header.
  var retryAfter: Int?

  /// The JSON body.
  var body: [UInt8] {
    var writer = JSONBuilder()
    writer.beginObject()
    writer.beginObject("error")
    writer.member("code", httpStatus)
    writer.member("message", message)
    writer.member("status", status)
    if errorCode != nil || !violations.isEmpty || reason != nil { writeDetails(&writer) }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  private func writeDetails(_ writer: inout JSONBuilder) {
    writer.beginArray("details")
    if let errorCode {
      writer.beginObject()
      writer.member("@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError")
      writer.member("errorCode", errorCode)
      writer.endObject()
    }
    if !violations.isEmpty {
      writer.beginObject()
      writer.member("@type", "type.googleapis.com/google.rpc.BadRequest")
      writer.beginArray("fieldViolations")
      for violation in violations {
        writer.beginObject()
        writer.member("field", violation.field)
        writer.member("description", violation.description)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    if let reason {
      writer.beginObject()
      writer.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
      writer.member("reason", reason)
      writer.member("domain", "googleapis.com")
      writer.endObject()
    }
    writer.endArray()
  }
}
