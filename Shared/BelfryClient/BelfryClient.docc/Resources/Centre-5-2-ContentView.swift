import BelfryClient
import SwiftUI

struct ContentView: View {
  @State private var center = NotificationCenterModel(belfry)

  var body: some View {
    NavigationStack {
      Button("Sign out") { Task { await belfry.signOut() } }
        .toolbar {
          ToolbarItem(placement: .topBarTrailing) {
            NavigationLink {
              InboxView(center: center)
            } label: {
              HStack {
                Image(systemName: "bell")
                Text("\(center.unreadCount ?? 0)")
              }
            }
          }
        }
    }
  }
}
