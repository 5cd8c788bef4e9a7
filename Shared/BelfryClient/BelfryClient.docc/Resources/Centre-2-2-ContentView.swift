import BelfryClient
import SwiftUI

struct ContentView: View {
  @State private var center = NotificationCenterModel(belfry)

  var body: some View {
    NavigationStack {
      Text("My shop")
        .toolbar {
          ToolbarItem(placement: .topBarTrailing) {
            HStack {
              Image(systemName: "bell")
              Text("\(center.unreadCount ?? 0)")
            }
          }
        }
    }
  }
}
