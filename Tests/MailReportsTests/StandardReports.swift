/// Reports after the examples of the standards that define them, each named after its standard.
enum StandardReports {
  /// RFC 3464, appendix E.1: one recipient; what was tried failed for now, and is given up.
  static let simple = """
    Date: Thu, 7 Jul 1994 17:16:05 -0400
    From: Mail Delivery Subsystem <MAILER-DAEMON@CS.UTK.EDU>
    Message-Id: <199407072116.RAA14128@CS.UTK.EDU>
    Subject: Returned mail: Cannot send message for 5 days
    To: <owner-info-mime@cs.utk.edu>
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status;
          boundary="RAA14128.773615765/CS.UTK.EDU"

    --RAA14128.773615765/CS.UTK.EDU

    The original message was received at Sat, 2 Jul 1994 17:10:28 -0400
    from root@localhost

       ----- The following addresses had delivery problems -----
    <louisl@larry.slip.umd.edu>  (unrecoverable error)

    --RAA14128.773615765/CS.UTK.EDU
    content-type: message/delivery-status

    Reporting-MTA: dns; cs.utk.edu

    Original-Recipient: rfc822;louisl@larry.slip.umd.edu
    Final-Recipient: rfc822;louisl@larry.slip.umd.edu
    Action: failed
    Status: 4.0.0
    Diagnostic-Code: smtp; 426 connection timed out
    Last-Attempt-Date: Thu, 7 Jul 1994 17:15:49 -0400

    --RAA14128.773615765/CS.UTK.EDU
    content-type: message/rfc822

    From: <owner-info-mime@cs.utk.edu>
    Message-ID: <simple@cs.utk.edu>

    [original message goes here]

    --RAA14128.773615765/CS.UTK.EDU--
    """

  /// RFC 3464, appendix E.2: several recipients, with fates of their own, comments and a folded line.
  static let severalRecipients = """
    Date: Fri, 8 Jul 1994 09:21:47 -0400
    From: Mail Delivery Subsystem <MAILER-DAEMON@CS.UTK.EDU>
    Subject: Returned mail: User unknown
    To: <owner-ups-mib@CS.UTK.EDU>
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status;
          boundary="JAA13167.773673707/CS.UTK.EDU"

    --JAA13167.773673707/CS.UTK.EDU
    content-type: text/plain; charset=us-ascii

       ----- The following addresses had delivery problems -----
    <arathib@vnet.ibm.com>  (unrecoverable error)
    <wsnell@sdcc13.ucsd.edu>  (unrecoverable error)

    --JAA13167.773673707/CS.UTK.EDU
    content-type: message/delivery-status

    Reporting-MTA: dns; cs.utk.edu

    Original-Recipient: rfc822;arathib@vnet.ibm.com
    Final-Recipient: rfc822;arathib@vnet.ibm.com
    Action: failed
    Status: 5.0.0 (permanent failure)
    Diagnostic-Code: smtp; 550 'arathib@vnet.IBM.COM' is not a
     registered gateway user
    Remote-MTA: dns; vnet.ibm.com

    Original-Recipient: rfc822;johnh@hpnjld.njd.hp.com
    Final-Recipient: rfc822;johnh@hpnjld.njd.hp.com
    Action: delayed
    Status: 4.0.0 (hpnjld.njd.jp.com: host name lookup failure)

    Original-Recipient: rfc822;wsnell@sdcc13.ucsd.edu
    Final-Recipient: rfc822;wsnell@sdcc13.ucsd.edu
    Action: failed
    Status: 5.0.0
    Diagnostic-Code: smtp; 550 user unknown
    Remote-MTA: dns; sdcc13.ucsd.edu

    --JAA13167.773673707/CS.UTK.EDU
    content-type: message/rfc822

    From: <owner-ups-mib@CS.UTK.EDU>
    Message-ID: <several@cs.utk.edu>

    [original message goes here]

    --JAA13167.773673707/CS.UTK.EDU--
    """

  /// RFC 3464, appendix E.3: of a gateway to a system whose addresses are no mail addresses.
  static let gateway = """
    Disclose-recipients: prohibited
    Date: Fri, 08 Jul 1994 09:21:25 -0400 (EDT)
    From: Message Router Submission Agent <AMMGR@corp.timeplex.com>
    Subject: Status of : Re: Battery current sense
    To: owner-ups-mib@CS.UTK.EDU
    Message-id: <01HEGJ0WNBY28Y95LN@mr.timeplex.com>
    MIME-version: 1.0
    content-type: multipart/report; report-type=delivery-status;
      boundary="[;84229080704991/122306@SYS30]"

    --[;84229080704991/122306@SYS30]
    content-type: text/plain

    Invalid address - nair_s
    %DIR-E-NODIRMTCH, No matching Directory Entry found

    --[;84229080704991/122306@SYS30]
    content-type: message/delivery-status

    Reporting-MTA: mailbus; SYS30

    Final-Recipient: unknown; nair_s
    Status: 5.0.0 (unknown permanent failure)
    Action: failed

    --[;84229080704991/122306@SYS30]--
    """

  /// RFC 3464, appendix E.4: the server still tries, and returns nothing.
  static let delayed = """
    MIME-Version: 1.0
    From: <postmaster@nsfnet-relay.ac.uk>
    Date: Sun, 10 Jul 1994 00:36:51 +0100
    To: owner-info-mime@cs.utk.edu
    Cc: postmaster@nsfnet-relay.ac.uk
    Subject: WARNING: message delayed at "nsfnet-relay.ac.uk"
    content-type: multipart/report; report-type=delivery-status;
          boundary=foobar

    --foobar
    content-type: text/plain

    The following message has not been delivered to the intended recipient:

    thomas@de-montfort.ac.uk

    --foobar
    content-type: message/delivery-status

    Reporting-MTA: dns; sun2.nsfnet-relay.ac.uk

    Final-Recipient: rfc822;thomas@de-montfort.ac.uk
    Status: 4.0.0 (unknown temporary failure)
    Action: delayed

    --foobar--
    """

  /// RFC 6522, section 4: of the mail that came back, its header alone.
  static let headersAlone = """
    From: MAILER-DAEMON@mail.example.com
    To: <bounces+token@bounces.example.com>
    Subject: Undelivered mail
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="r/6522"

    --r/6522
    Content-Type: multipart/alternative; boundary="words"

    --words
    Content-Type: text/plain

    No such person.
    --words
    Content-Type: text/html

    <p>No such person.
    --words--
    --r/6522
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com

    Final-Recipient: rfc822; ann@example.net
    Action: failed
    Status: 5.1.1

    --r/6522
    Content-Type: text/rfc822-headers

    Return-Path: <bounces+token@bounces.example.com>
    From: News <news@example.com>
    To: ann@example.net
    Message-ID: <headers@example.com>
    Subject: Hello
    --r/6522--
    """

  /// RFC 6533, section 4: a status in UTF-8, sent as it is, and the header of an internationalized mail.
  static let internationalized = """
    From: <MAILER-DAEMON@example.com>
    To: <bounces+token@bounces.example.com>
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="r/6533"

    --r/6533
    Content-Type: text/plain; charset=utf-8
    Content-Transfer-Encoding: 8bit

    Für jörg@example.net gibt es hier kein Postfach.
    --r/6533
    Content-Type: message/global-delivery-status
    Content-Transfer-Encoding: 8bit

    Reporting-MTA: dns; mail.example.com

    Original-Recipient: utf-8; Jörg@example.net
    Final-Recipient: utf-8; jörg@example.net
    Action: failed
    Status: 5.1.1
    Diagnostic-Code: smtp; 550 5.1.1 kein Postfach für jörg

    Original-Recipient: rfc822; ann@example.net
    Final-Recipient: rfc822; ann@example.net
    Action: delayed
    Status: 4.4.1

    --r/6533
    Content-Type: message/global-headers
    Content-Transfer-Encoding: 8bit

    Return-Path: <bounces+token@bounces.example.com>
    To: Jörg <Jörg@example.net>
    Message-ID: <global@example.com>
    Subject: Grüße
    --r/6533--
    """

  /// RFC 6533, section 3: the same address for servers that know ASCII alone, as `\x{HEX}` in a status of RFC 3464.
  static let internationalizedInASCII = """
    From: <MAILER-DAEMON@example.com>
    To: <bounces+token@bounces.example.com>
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="r/6533"

    --r/6533
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mail.example.com

    Original-Recipient: utf-8; J\\x{F6}rg@example.net
    Final-Recipient: rfc822; joerg@example.net
    Action: failed
    Status: 5.1.1

    --r/6533
    Content-Type: text/rfc822-headers

    Message-ID: <ascii@example.com>
    --r/6533--
    """

  /// All of them, each by its standard.
  static let all = [
    (name: "RFC 3464, E.1", text: simple), (name: "RFC 3464, E.2", text: severalRecipients),
    (name: "RFC 3464, E.3", text: gateway), (name: "RFC 3464, E.4", text: delayed),
    (name: "RFC 6522", text: headersAlone), (name: "RFC 6533", text: internationalized),
    (name: "RFC 6533 in ASCII", text: internationalizedInASCII),
  ]
}
