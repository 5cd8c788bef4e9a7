// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import SwiftUI

/// The gateway's address and a token.
struct SignInView: View {
  let session: AppSession
  @State private var form = SignInForm()
  @State private var isBusy = false

  var body: some View {
    Form {
      Section {
        TextField("https://belfry.example.com", text: $form.gateway)
          .textContentType(.URL)
          .keyboardType(.URL)
          .textInputAutocapitalization(.never)
          .autocorrectionDisabled()
        SecureField("Token", text: $form.token)
      } footer: {
        if let fault = form.fault { Text(fault.rawValue) }
      }
      Button("Sign in") {
        Task { await signIn() }
      }
      .disabled(isBusy || form.fault != nil || form.gateway.isEmpty)
    }
    .navigationTitle("Belfry")
  }

  private func signIn() async {
    isBusy = true
    defer { isBusy = false }
    // What is wrong with the form is shown below it.
    try? await session.signIn(form)
  }
}
