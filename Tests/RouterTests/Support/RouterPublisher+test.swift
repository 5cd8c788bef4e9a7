import Broker
import Foundation

@testable import Router

extension RouterPublisher {
  /// Dates by this machine's clock.
  init(publisher: any MessagePublisher) {
    self.init(publisher: publisher) { Date.now }
  }
}
