/// Reports as mail servers write them.
enum SampleReports {
  /// Lines as mails have them.
  static func mail(_ text: String) -> [UInt8] { Array(text.replacing("\n", with: "\r\n").utf8) }

  /// As Postfix writes one.
  static let postfix = """
    Return-Path: <>
    Delivered-To: bounces+token@bounces.example.com
    Received: by mail.example.com (Postfix)
    \tid 4F1B21C0; Sat, 28 Nov 2026 10:00:00 +0000 (UTC)
    From: MAILER-DAEMON@mail.example.com (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: bounces+token@bounces.example.com
    Auto-Submitted: auto-replied
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status;
    \tboundary="4F1B21C0.1795860000/mail.example.com"
    Message-Id: <20261128100000.4F1B21C0@mail.example.com>

    This is a MIME-encapsulated message.

    --4F1B21C0.1795860000/mail.example.com
    Content-Description: Notification
    Content-Type: text/plain; charset=us-ascii

    This is the mail system at host mail.example.com.

    <ann@example.net>: host mx.example.net[192.0.2.1] said: 550 5.1.1
        <ann@example.net>: Recipient address rejected: User unknown (in reply to RCPT TO command)

    --4F1B21C0.1795860000/mail.example.com
    Content-Description: Delivery report
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com
    X-Postfix-Queue-ID: 4F1B21C0
    X-Postfix-Sender: rfc822; bounces+token@bounces.example.com
    Arrival-Date: Sat, 28 Nov 2026 09:59:59 +0000 (UTC)
    Original-Envelope-Id: envelope-7

    Final-Recipient: rfc822; ann@example.net
    Original-Recipient: rfc822;Ann@example.net
    Action: failed
    Status: 5.1.1
    Remote-MTA: dns; mx.example.net
    Diagnostic-Code: smtp; 550 5.1.1 <ann@example.net>: Recipient address rejected:
        User unknown

    --4F1B21C0.1795860000/mail.example.com
    Content-Description: Undelivered Message
    Content-Type: message/rfc822

    Return-Path: <bounces+token@bounces.example.com>
    From: Belfry <news@example.com>
    To: ann@example.net
    Subject: Hello
    Message-ID: <019a8b7c-6d5e-7f40-8123-456789abcdef@example.com>

    World

    --4F1B21C0.1795860000/mail.example.com--
    """

  /// As Exim writes one (4.97).
  ///
  /// - Parameter words: The last line about the recipient.
  static func exim(_ words: String) -> String {
    """
    X-Failed-Recipients: ann@example.net
    Auto-Submitted: auto-replied
    From: Mail Delivery System <Mailer-Daemon@mail.example.com>
    To: bounces+token@bounces.example.com
    Content-Type: multipart/report; report-type=delivery-status; boundary=1795860000-eximdsn-1804289383
    MIME-Version: 1.0
    Subject: Mail delivery failed: returning message to sender
    Message-Id: <E1vP0aa-000001-1A@mail.example.com>

    --1795860000-eximdsn-1804289383
    Content-type: text/plain; charset=us-ascii

    This message was created automatically by mail delivery software.

    --1795860000-eximdsn-1804289383
    Content-type: message/delivery-status

    Reporting-MTA: dns; mail.example.com

    Action: failed
    Final-Recipient: rfc822;ann@example.net
    Status: 5.0.0
    \(words)

    --1795860000-eximdsn-1804289383
    Content-type: message/rfc822

    Return-path: <bounces+token@bounces.example.com>
    From: news@example.com
    To: ann@example.net
    Message-ID: <019a8b7c-6d5e-7f40-8123-456789abcdef@example.com>

    Hello

    --1795860000-eximdsn-1804289383--
    """
  }

  /// After RFC 3464, appendix E.2, but of two recipients, one of whom the server still tries, with a comment behind a status.
  static let delayed = """
    Date: Fri, 8 Jul 1994 09:21:47 -0400
    From: Mail Delivery Subsystem <MAILER-DAEMON@CS.UTK.EDU>
    Subject: Warning: message still undelivered after 4 hours
    To: <owner-info-mime@cs.utk.edu>
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status;
          boundary="JAA13167.773673707/CS.UTK.EDU"

    --JAA13167.773673707/CS.UTK.EDU
    content-type: text/plain; charset=us-ascii

    The original message was received at Fri, 8 Jul 1994 09:21:47 -0400.

    --JAA13167.773673707/CS.UTK.EDU
    content-type: message/delivery-status

    Reporting-MTA: dns; cs.utk.edu

    Original-Recipient: rfc822;arathib@vnet.ibm.com
    Final-Recipient: rfc822;arathib@vnet.ibm.com
    Action: delayed
    Status: 4.0.0
    Diagnostic-Code: smtp; 426 connection timed out

    Original-Recipient: rfc822;johnh@hpnjld.njd.hp.com
    Final-Recipient: rfc822;johnh@hpnjld.njd.hp.com
    Action: failed
    Status: 4.4.7 (delivery time expired)

    --JAA13167.773673707/CS.UTK.EDU--
    """

  /// RFC 6533: an internationalized address, in a part with a transfer encoding.
  static let international = """
    From: <MAILER-DAEMON@example.com>
    To: bounces@example.com
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary=x

    --x
    Content-Type: message/global-delivery-status
    Content-Transfer-Encoding: quoted-printable

    Reporting-MTA: dns; mail.example.com

    Final-Recipient: utf-8; j=C3=B6rg@example.net
    Original-Recipient: utf-8; J\\x{F6}rg@example.net
    Action: failed
    Status: 5.1.6
    --x
    Content-Type: text/rfc822-headers

    Message-ID: <m@example.com>
    --x--
    """

  /// RFC 5965, appendix B.2, with our own header in the mail.
  static let complaint = """
    From: <abusedesk@example.com>
    Date: Thu, 8 Mar 2005 17:40:36 EDT
    Subject: FW: Earn money
    To: <abuse@example.net>
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=feedback-report;
         boundary="part1_13d.2e68ed54_boundary"

    --part1_13d.2e68ed54_boundary
    Content-Type: text/plain; charset="US-ASCII"
    Content-Transfer-Encoding: 7bit

    This is an email abuse report for an email message received from IP
    192.0.2.1 on Thu, 8 Mar 2005 14:00:00 EDT.

    --part1_13d.2e68ed54_boundary
    Content-Type: message/feedback-report

    Feedback-Type: abuse
    User-Agent: SomeGenerator/1.0
    Version: 1
    Original-Mail-From: <somespammer@example.net>
    Original-Rcpt-To: <user@example.com>
    Arrival-Date: Thu, 8 Mar 2005 14:00:00 EDT
    Reporting-MTA: dns; mail.example.com
    Source-IP: 192.0.2.1
    Removal-Recipient: user@example.com

    --part1_13d.2e68ed54_boundary
    Content-Type: message/rfc822
    Content-Disposition: inline

    From: <somespammer@example.net>
    To: <Undisclosed Recipients>
    Subject: Earn money
    MIME-Version: 1.0
    Message-ID: 8787KJKJ3K4J3K4J3K4J3.mail@example.net

    Spam
    --part1_13d.2e68ed54_boundary--
    """
}
