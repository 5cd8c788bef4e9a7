import BelfryClient
import Foundation

/// Notifications of the signed-in user: one client for the whole app.
let belfry = BelfryClient(BelfryConfiguration(gateway: URL(string: "http://127.0.0.1:8080")!)) { reason in
  "what belfry token printed"
}
