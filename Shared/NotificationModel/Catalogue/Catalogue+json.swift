public import JSON
import Recurrence
import Rules
import WallClock

/// The catalogue for others to read.
extension Catalogue {
  /// What anybody may know: which types there are, and what apps show of them. Neither texts, nor policies, rules, events or
  /// schedule templates, which tell of the deployment.
  ///
  /// - Parameter locale: The reader's, for the buttons' titles.
  public func writeOpenPart(to writer: inout JSONWriter, locale: String?) {
    writer.object { writer in
      writer.array("types") { writer in
        for type in types {
          writer.object { type.writeOpenPart(to: &$0, locale: locale, defaults: defaults) }
        }
      }
      writer.array("categories") { writer in
        for category in categoryNames {
          writer.object { $0.field("name", category) }
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
        for type in types { type.write(to: &writer, defaults: defaults) }
      }
      writer.array("categories") { writer in
        for name in categoryNames {
          writer.object { writer in
            writer.field("name", name)
            let own = categories.first { $0.name == name }?.channels
            writer.key("channels")
            if let own { writer.channels(own) } else { writer.null() }
          }
        }
      }
      writer.array("events") { writer in
        for event in events {
          writer.object { writer in
            writer.field("name", event.name)
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
    }
  }
}

extension NotificationType {
  fileprivate func writeOpenPart(to writer: inout JSONWriter, locale: String?, defaults: TextDefaults) {
    writer.field("code", code)
    writer.field("name", name)
    writer.field("category", category)
    writer.key("channels")
    writer.channels(channels)
    writer.array("actions") { writer in
      for action in actions {
        writer.object { writer in
          writer.field("id", action.id)
          writer.field("title", action.title.text(locale: locale, default: defaults.locale))
        }
      }
    }
  }

  fileprivate func write(to writer: inout JSONWriter, defaults: TextDefaults) {
    writer.object { writer in
      writeOpenPart(to: &writer, locale: nil, defaults: defaults)
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
    }
  }
}

extension JSONWriter {
  /// An object of this version's channels.
  fileprivate mutating func channels(_ choices: PerChannel<Bool>) {
    object { writer in
      for channel in Channel.allCases {
        writer.dynamicKey(channel.name)
        writer.bool(choices[channel] ?? false)
      }
    }
  }

  fileprivate mutating func texts(_ name: StaticString, _ texts: [String]) {
    array(name) { writer in
      for text in texts { writer.string(text) }
    }
  }
}
