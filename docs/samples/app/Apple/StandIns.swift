// For the type-check on Linux alone: leave this file out of the app. On Apple's platforms the modifier is in BelfryClient.
#if !canImport(UIKit)
  import BelfryClient
  import SwiftUI

  extension View {
    func belfryViewing(_ client: BelfryClient, _ entity: RelatedEntity?) -> some View { self }
  }
#endif
