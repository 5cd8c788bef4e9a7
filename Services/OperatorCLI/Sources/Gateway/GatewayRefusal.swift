import Foundation

/// The gateway answered, but not with 2xx.
struct GatewayRefusal: Error, CustomStringConvertible {
  let call: String
  let status: Int
  /// Problem details (RFC 9457), as a rule.
  let body: String

  /// What was answered, each wrong field on a line of its own, and what to do about it.
  var description: String {
    ["\(call) was answered with \(status): \(reasons)", advice].compactMap(\.self).joined(separator: "\n")
  }

  private struct Problem: Decodable {
    struct Field: Decodable {
      var field: String
      var message: String
    }

    var title: String
    var detail: String?
    var errors: [Field]?
  }

  /// Nil where the body is none: then it is shown as it is.
  private var problem: Problem? { try? JSONDecoder().decode(Problem.self, from: Data(body.utf8)) }

  private var reasons: String {
    // What is no problem document comes from something in between, and is shown as it is.
    guard let problem else { return body }
    guard let errors = problem.errors, !errors.isEmpty else { return problem.detail ?? problem.title }
    let lines = errors.map { $0.field.isEmpty ? "  \($0.message)" : "  \($0.field): \($0.message)" }
    return ([problem.title] + lines).joined(separator: "\n")
  }

  /// Whose calls these are.
  private var role: String { call.contains(" /api/v1/admin/") ? "admin" : "service" }

  private var advice: String? {
    switch status {
    case 400:
      // Other mistakes say themselves what is expected.
      body.contains("catalogue") || body.contains("template")
        ? "`belfry types` lists types with the data that each needs, events and rules; with --catalogue, of the gateway's file."
        : nil
    case 401:
      "`belfry token --role \(role)` mints a token. BELFRY_AUTH_SECRET must be the gateway's; without it, that of the stack"
        + " in --data-dir counts."
    case 403: "The token needs the role \(role): `belfry token --role \(role)` mints such a one."
    case 429, 503: "Try again later. GET /health/ready of the gateway tells what is away."
    default: problem == nil ? "Is that Belfry's gateway? The address is BELFRY_CLI_GATEWAY_URL's." : nil
    }
  }
}
