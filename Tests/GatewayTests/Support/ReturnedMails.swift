/// Mails that come back.
enum ReturnedMails {
  /// A delivery status notification.
  static func bounce(
    to returnAddress: String = "news@example.com",
    of recipient: String = "ann@example.net",
    status: String = "5.1.1",
    diagnostic: String = "smtp; 550 5.1.1 no such user",
    messageID: String
  ) -> String {
    """
    From: MAILER-DAEMON@mail.example.com
    To: \(returnAddress)
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="b"

    --b
    Content-Type: text/plain

    It came back.
    --b
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com

    Final-Recipient: rfc822; \(recipient)
    Action: failed
    Status: \(status)
    Diagnostic-Code: \(diagnostic)

    --b
    Content-Type: message/rfc822

    From: news@example.com
    To: \(recipient)
    Message-ID: <\(messageID)>

    Hello
    --b--
    """
  }

  /// A feedback report, whose recipient is cut.
  static func complaint(to returnAddress: String = "abuse@example.com", messageID: String, type: String = "abuse")
    -> String
  {
    """
    From: feedback@example.net
    To: abuse@example.com
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=feedback-report; boundary="b"

    --b
    Content-Type: message/feedback-report

    Feedback-Type: \(type)
    Version: 1
    Original-Mail-From: <\(returnAddress)>

    --b
    Content-Type: text/rfc822-headers

    Message-ID: <\(messageID)>
    --b--
    """
  }
}
