import BelfryClient
import SwiftUI

/// Notifications of the signed-in user: one client for the whole app.
let belfry = BelfryClient(BelfryConfiguration(gateway: URL(string: "http://127.0.0.1:8080")!)) { reason in
  // A call of your own server, which knows who is signed in.
  guard let token = try await MyServer.belfryToken(isRefresh: reason == .refused) else {
    throw BelfryError(.unauthorized)
  }
  return token
}
