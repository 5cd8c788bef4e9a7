public import BelfryJSON
public import NotificationModel
import Rules

/// The form in which a wording travels beside the content that stands in for it. Routers that do not know its templates send
/// its title and body.
extension Wording {
  public init(_ fields: JSONFields) throws(JSONFieldError) {
    self.init(
      title: try fields.optionalString("title"),
      body: try fields.optionalString("body"),
      data: try fields.ruleTexts("data"),
      own: OwnTemplates(
        title: try fields.optionalString("titleTemplate"),
        body: try fields.optionalString("bodyTemplate")
      )
    )
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.optionalField("title", title)
      writer.optionalField("body", body)
      writer.field("data", data)
      writer.optionalField("titleTemplate", own.title)
      writer.optionalField("bodyTemplate", own.body)
    }
  }
}
