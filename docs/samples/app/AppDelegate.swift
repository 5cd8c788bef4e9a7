import BelfryClient
import Foundation
import SwiftUI

@MainActor
final class AppDelegate: DelegateOfApplication {
  let session = AppSession(MemoryCredentialStore()) { BelfryConfiguration(gateway: $0) }
  init() {}
}
