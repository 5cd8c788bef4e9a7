/// What the SMTP sink accepts.
struct SMTPPolicy: Sendable {
  var user = "belfry"
  var password = "belfry"
  var requiresAuthentication = false
  var maximumMessage = 10 * 1_024 * 1_024
  var maximumRecipients = 100
}
