import BelfryJSON

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
  /// Whose quota is used up, in a `google.rpc.QuotaFailure`, e.g. `topic:news`.
  var quotaSubject: String?
  /// Reason of a `google.rpc.ErrorInfo`, which credentials' errors carry.
  var reason: String?
  /// Seconds for the Retry-After header.
  var retryAfter: Int?

  /// The JSON body.
  var body: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.object("error") { writer in
        writer.field("code", httpStatus)
        writer.field("message", message)
        writer.field("status", status)
        if errorCode != nil || !violations.isEmpty || quotaSubject != nil || reason != nil { writeDetails(&writer) }
      }
    }
    return writer.bytes
  }

  private func writeDetails(_ writer: inout JSONWriter) {
    writer.array("details") { writer in
      if let errorCode {
        writer.object { writer in
          writer.field("@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError")
          writer.field("errorCode", errorCode)
        }
      }
      if !violations.isEmpty {
        writer.object { writer in
          writer.field("@type", "type.googleapis.com/google.rpc.BadRequest")
          writer.array("fieldViolations") { writer in
            for violation in violations {
              writer.object { writer in
                writer.field("field", violation.field)
                writer.field("description", violation.description)
              }
            }
          }
        }
      }
      if let quotaSubject {
        writer.object { writer in
          writer.field("@type", "type.googleapis.com/google.rpc.QuotaFailure")
          writer.array("violations") { writer in
            writer.object { writer in
              writer.field("subject", quotaSubject)
              writer.field("description", message)
            }
          }
        }
      }
      if let reason {
        writer.object { writer in
          writer.field("@type", "type.googleapis.com/google.rpc.ErrorInfo")
          writer.field("reason", reason)
          writer.field("domain", "googleapis.com")
        }
      }
    }
  }
}
