import BelfryClient
import SwiftUI

@main
struct ShopApp: App {
  @Environment(\.scenePhase) private var scenePhase

  var body: some Scene {
    WindowGroup {
      ContentView()
        .task { await belfry.connect() }
        .onChange(of: scenePhase) { _, phase in
          Task {
            switch phase {
            case .active: await belfry.enterForeground()
            case .background: await belfry.enterBackground()
            default: break
            }
          }
        }
    }
  }
}
