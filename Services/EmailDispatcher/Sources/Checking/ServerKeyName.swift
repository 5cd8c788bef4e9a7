import Transport

/// Where the key is with which the mail server signs: `s1`, or `s1@mg.example.com` where it signs as another domain than that of the From
/// address.
struct ServerKeyName: Equatable {
  let selector: String
  /// In lower case; nil: that of the From address.
  let domain: String?

  init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, parts.allSatisfy(MIMEAddress.isDomain) else { return nil }
    selector = parts[0]
    domain = parts.count == 2 ? parts[1].lowercased() : nil
  }
}
