import Foundation
import TerminalText

/// The gateway answered, but not with 2xx.
public struct GatewayRefusal: Error, CustomStringConvertible {
  let call: String
  public let status: Int
  /// Problem details (RFC 9457), as a rule.
  let body: String
  /// By which the gateway's log knows it; nil where the gateway names none.
  var requestID: String?

  /// What was answered, each wrong field on a line of its own, and what to do about it.
  public var description: String {
    ["\(call) was answered with \(status): \(reasons)", advice].compactMap(\.self).joined(separator: "\n")
  }

  private struct Problem: Decodable {
    struct Field: Decodable {
      var field: String
      var message: String
    }

    var type: String?
    var title: String
    var detail: String?
    var errors: [Field]?
  }

  private struct Findings<Finding: Decodable>: Decodable {
    var problems: [Finding]
  }

  /// What is wrong with a file that was sent, and where; empty where it was no file that was refused.
  public func fileProblems<Finding: Decodable>(as type: Finding.Type) -> [Finding] {
    (try? JSONDecoder().decode(Findings<Finding>.self, from: Data(body.utf8)))?.problems ?? []
  }

  /// The kind of problem, such as `malformed`; nil where something else answered in the gateway's place.
  public var kind: String? {
    let (prefix, type) = ("urn:belfry:problem:", problem?.type ?? "")
    return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : nil
  }

  /// Nil where the body is none: then it is shown as it is.
  private var problem: Problem? { try? JSONDecoder().decode(Problem.self, from: Data(body.utf8)) }

  private var reasons: String {
    // What is no problem document comes from something in between, and is shown as it is.
    guard let problem else { return body.escapedForTerminal(except: ["\n", "\t"]) }
    let lines =
      if let errors = problem.errors, !errors.isEmpty {
        // The detail says the same in one line.
        [problem.title] + errors.map { $0.field.isEmpty ? "  \($0.message)" : "  \($0.field): \($0.message)" }
      } else {
        [problem.detail.map { "\(problem.title): \($0)" } ?? problem.title]
      }
    return lines.map { $0.escapedForTerminal() }.joined(separator: "\n")
  }

  /// Whose calls these are.
  private var role: String { isBelow("admin") || isBelow("requests") ? "admin" : "service" }

  private var options: CallerOptions { .current }

  /// It takes no `--token`.
  private var minting: String { options.stack("belfry token --role \(role)") }

  /// Whose call it is about: the segment below `users` or `groups`, as somebody types it.
  private var subject: String {
    let segments = call.split(separator: " ").last?.prefix { $0 != "?" }.split(separator: "/") ?? []
    let name = segments.dropFirst(3).first.map(String.init) ?? ""
    return CallerOptions.quoted(name.removingPercentEncoding ?? name)
  }

  private func isBelow(_ path: String) -> Bool { call.contains(" /api/v1/\(path)/") }

  private var advice: String? {
    switch status {
    case 400:
      // Other mistakes say themselves what is expected.
      body.contains("catalogue") || body.contains("template")
        ? "`\(options.gateway("belfry types"))` lists the types that are in force with the data that each needs, events and rules."
        : nil
    case 401:
      "`\(minting)` mints a token. BELFRY_AUTH_SECRET must be the gateway's, as BELFRY_AUTH_ISSUER and"
        + " BELFRY_AUTH_AUDIENCE must where it has them; what is not set, that of the stack in --data-dir counts. A token in"
        + " BELFRY_CLI_TOKEN or --token may have ended."
    case 403: "The token needs the role \(role): `\(minting)` mints such a one."
    case 404 where problem != nil: missing
    case 412: "It was changed meanwhile, or is there already. Look at it, and say again what is to be."
    case 500 where problem != nil:
      "The gateway's log says why" + (requestID.map { ": look for \($0.escapedForTerminal())." } ?? ".")
    case 429, 503: "Try again later. GET /health/ready of the gateway tells what is away."
    default: problem == nil ? "Is that Belfry's gateway? See \(CommandFailure.address)." : nil
    }
  }

  /// What to do about something that is not there.
  private var missing: String? {
    switch () {
    case _ where call.contains("/export"):
      "Nothing is kept about this user, or the gateway is older than this command."
    case _ where isBelow("users"):
      "Users go by the id in their tokens (sub); `\(options.gateway("belfry users set \(subject)"))` makes a profile."
    case _ where isBelow("groups"):
      "A group is there as long as somebody is in it; `\(options.gateway("belfry groups put \(subject)"))` makes one of the ids that it reads."
    case _ where isBelow("requests"):
      "A request is there once a router has stored it for somebody, and as long as its notifications are. Others' are an admin's to see."
    case _ where isBelow("schedules"):
      "A schedule is its owner's, the subject of the token that put it: say --owner. `\(options.gateway("belfry schedules list"))` has them all."
    case _ where isBelow("admin/catalogue/versions"):
      "`\(options.gateway("belfry catalogue versions"))` has all that there are."
    case _ where isBelow("admin/api-keys"): "`\(options.gateway("belfry keys list"))` has those that are valid."
    case _ where isBelow("admin"):
      "The gateway may be older than this command: its GET /openapi.yaml has what it can do."
    default: nil
    }
  }
}
