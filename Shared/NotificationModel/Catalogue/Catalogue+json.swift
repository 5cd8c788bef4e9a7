public import BelfryJSON
import Recurrence
import Rules
import WallClock

/// The catalogue for others to read.
extension Catalogue {
  /// What anybody may know: which types there are, and what apps show of them. Neither texts, nor policies, rules, events or
  /// schedule templates, which describe the deployment.
  ///
  /// - Parameter locale: The reader's, for the buttons' titles.
  public func writeOpenPart(to writer: inout JSONWriter, locale: String?) {
    writer.object { writer in
      writer.array("types") { writer in
        for type in types {
          writer.object { type.writeOpenPart(to: &$0, locale: locale, in: self) }
        }
      }
      writer.array("categories") { writer in
        for category in categoryNames {
          writer.object { $0.field("name", category) }
        }
      }
      writer.array("settings") { writer in
        for setting in settings {
          let title = setting.title?.text(locale: locale, default: defaults.locale)
          writer.object { setting.writeFields(to: &$0, title: title) }
        }
      }
    }
  }

  /// Every category that a type has, in the order of the categories and then of the types.
  public var categoryNames: [String] {
    var names: [String] = []
    let used = Set(types.map(\.category))
    for name in categories.map(\.name) + types.map(\.category) where used.contains(name) && !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// All of it, for operators.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("defaultLocale", defaults.locale)
      writer.field("currency", defaults.currency)
      writer.array("types") { writer in
        for type in types { type.write(to: &writer, in: self) }
      }
      writer.array("categories") { writer in
        for name in categoryNames {
          writer.object { writer in
            writer.field("name", name)
            let own = categories.first { $0.name == name }
            writer.key("channels")
            if let channels = own?.channels { writer.channels(channels, among: self.channels) } else { writer.null() }
            let mail = own?.mail ?? .standard
            writer.object("mail") { writer in
              writer.field("stream", mail.stream.rawValue)
              writer.field("unsubscribe", mail.mayUnsubscribe)
            }
          }
        }
      }
      writer.array("events") { writer in
        for event in events {
          writer.object { writer in
            writer.field("name", event.name)
            if let payload = event.payload { writer.texts("payload", payload) }
            writer.texts("arguments", event.arguments)
            writer.texts("amounts", event.amounts)
            writer.field("relay", event.isRelayed)
          }
        }
      }
      writer.array("rules") { writer in
        for rule in rules.rules {
          writer.object { writer in
            writer.field("name", rule.name)
            writer.field("event", rule.event)
            writer.texts("types", rule.types.sorted())
            writer.field("words", rule.words)
          }
        }
      }
      writer.array("schedules") { writer in
        for schedule in schedules {
          writer.object { writer in
            writer.field("name", schedule.name)
            writer.field("type", type(schedule.type)?.name ?? schedule.type.description)
            writer.field("recurrence", schedule.recurrence.description)
            writer.field("time", schedule.time.description)
          }
        }
      }
      writer.array("settings") { writer in
        for setting in settings {
          let title = setting.title?.text(locale: nil, default: defaults.locale)
          writer.object { setting.writeFields(to: &$0, title: title) }
        }
      }
    }
  }
}

extension NotificationType {
  fileprivate func writeOpenPart(to writer: inout JSONWriter, locale: String?, in catalogue: Catalogue) {
    writer.field("code", code)
    writer.field("name", name)
    writer.field("category", category)
    writer.key("channels")
    writer.channels(channels, among: catalogue.channels)
    writer.array("actions") { writer in
      for action in actions {
        writer.object { writer in
          writer.field("id", action.id)
          writer.field("title", action.title.text(locale: locale, default: catalogue.defaults.locale))
        }
      }
    }
  }

  fileprivate func write(to writer: inout JSONWriter, in catalogue: Catalogue) {
    writer.object { writer in
      writeOpenPart(to: &writer, locale: nil, in: catalogue)
      writer.field("priority", priority.rawValue)
      writer.field("timeToLiveDays", timeToLive / 86_400)
      writer.texts("locales", template.locales)
      writer.texts("data", template.missing(in: [:]))
      writer.field("quietHours", quietHours.rawValue)
      writer.field("sound", sound)
      writer.array("policies") { writer in
        for policy in policies { writer.string(policy) }
      }
      if let payload { writer.texts("payload", payload) }
      if let example {
        writer.object("example") { writer in
          for (name, value) in example.sorted(by: { $0.key < $1.key }) {
            writer.dynamicKey(name)
            writer.string(value)
          }
        }
      }
    }
  }
}

extension JSONWriter {
  /// An object of the channels that there are.
  fileprivate mutating func channels(_ choices: PerChannel<Bool>, among channels: [any RoutingChannel]) {
    object { writer in
      for routing in channels {
        writer.dynamicKey(routing.name)
        writer.bool(choices[routing.channel] ?? false)
      }
    }
  }

  fileprivate mutating func texts(_ name: StaticString, _ texts: [String]) {
    array(name) { writer in
      for text in texts { writer.string(text) }
    }
  }
}
