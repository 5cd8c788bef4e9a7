extension MailReport {
  /// Bytes of a mail.
  public static let maximumBytes = 10 * 1_024 * 1_024
  static let maximumDepth = 8
  static let maximumParts = 100
  /// Recipients of one report that are read; ours have one.
  static let maximumRecipients = 100
  static let maximumReturnAddresses = 20

  /// Reads a whole mail, as it came: header, empty line and body; lines end in CRLF or LF. One that breaks off is read as far as it goes.
  public static func parse(_ bytes: [UInt8]) throws(MailReportError) -> MailReport {
    guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    let mail = try MailEntity(bytes[...])
    guard !mail.header.isEmpty else { throw .noMail }
    var search = MailPartSearch()
    try search.visit(mail, depth: 0)
    var report = MailReport(kind: .other)
    if let feedback = search.feedback {
      let fields = try MailHeader.blocks(of: feedback).first ?? MailHeader()
      report.kind = .feedback(MailFeedback(fields))
      report.add(fields.addresses("Original-Mail-From"))
    } else if let status = search.status {
      let blocks = try MailHeader.blocks(of: status)
      report.kind = .delivery(Array(blocks.compactMap { RecipientFate($0) }.prefix(maximumRecipients)))
    }
    guard report.kind != .other else { return report }
    for name in ["Delivered-To", "X-Original-To", "Envelope-To", "To"] { report.add(mail.header.addresses(name)) }
    if let original = search.original {
      report.add(original.addresses("Return-Path"))
      report.messageID = original.identifier("Message-ID")
    }
    return report
  }

  private mutating func add(_ addresses: [String]) {
    for address in addresses where !returnAddresses.contains(address) {
      guard returnAddresses.count < Self.maximumReturnAddresses else { return }
      returnAddresses.append(address)
    }
  }
}

/// Looks for the parts of a report in a mail. What is in a returned mail is not the report's.
struct MailPartSearch {
  /// The machine-readable part of a delivery status notification, decoded.
  private(set) var status: ArraySlice<UInt8>?
  /// The same of a feedback report.
  private(set) var feedback: ArraySlice<UInt8>?
  /// Header of the mail that it is about.
  private(set) var original: MailHeader?
  private var count = 0

  mutating func visit(_ part: MailEntity, depth: Int) throws(MailReportError) {
    guard depth <= MailReport.maximumDepth else { throw .tooDeep(limit: MailReport.maximumDepth) }
    count += 1
    guard count <= MailReport.maximumParts else { throw .tooManyParts(limit: MailReport.maximumParts) }
    switch part.type {
    case "message/delivery-status", "message/global-delivery-status":
      if status == nil { status = part.decodedBody }
    case "message/feedback-report":
      if feedback == nil { feedback = part.decodedBody }
    case "message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers", "message/global-headers":
      // Of a mail alone, without a report before it, nothing is read: it is somebody's forwarded mail.
      if original == nil, depth > 0 { original = try MailEntity(part.decodedBody).header }
    case let type where type.hasPrefix("multipart/"):
      guard let boundary = part.parameter("boundary") else { return }
      for inner in try MultipartBody.parts(of: part.body, boundary: boundary) {
        try visit(MailEntity(inner), depth: depth + 1)
      }
    default: break
    }
  }
}
