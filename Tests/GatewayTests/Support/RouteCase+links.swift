import Foundation
import NotificationModel
import Testing

@testable import Gateway

extension RouteCase {
  /// The path of a link by which somebody unsubscribes from a category of the built-in catalogue.
  static func link(of caller: Caller) throws -> String {
    let link = UnsubscribeLink(user: caller.id, category: "Allowance", issuedAt: moment, expiry: moment + 60 * 86_400)
    return "/unsubscribe/\(try #require(TestGateway.unsubscribe.text(of: link)))"
  }
}
