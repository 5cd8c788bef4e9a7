/// What the pages of links to unsubscribe say, in one language. `{category}` is the category's name.
struct UnsubscribeTexts: Sendable {
  /// BCP 47, as in `lang`.
  let language: String
  let ask: String
  let stops: String
  let goesOn: String
  let unsubscribe: String
  let unsubscribed: String
  /// Where mails were off already, and by no link.
  let isOff: String
  let stopped: String
  let takeBack: String
  let takenBack: String
  let comesAgain: String
  /// Where mails are wanted and do not come.
  let reported: String
  let suppressed: String
  let senderAlone: String
  let nothingKept: String
  let nothingKeptWhy: String
  let invalid: String
  let expired: String
  let useNewer: String
  let failed: String
  let tryAgain: String
}

extension UnsubscribeTexts {
  /// That of the first locale whose language there is, else English.
  ///
  /// - Parameter locales: As in `de-AT` or `de_AT`, the most wanted first.
  static func of(_ locales: [String]) -> UnsubscribeTexts {
    for locale in locales {
      let language = locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
      if let texts = all.first(where: { $0.language == language }) { return texts }
    }
    return english
  }

  /// Those in which the built-in layout words the link that leads here.
  static let all = [english, german, french, spanish, italian, dutch, portuguese, polish]

  static let english = UnsubscribeTexts(
    language: "en",
    ask: "Unsubscribe from “{category}”?",
    stops: "You will get no more mails of the kind “{category}”. One that is on its way may still arrive.",
    goesOn:
      "All other mails go on. So do notifications of this kind in the app and on your devices, as you have set them.",
    unsubscribe: "Unsubscribe",
    unsubscribed: "You have unsubscribed",
    isOff: "You get no mails of this kind",
    stopped: "No more mails of the kind “{category}” are sent to you. One that is on its way may still arrive.",
    takeBack: "Get these mails again",
    takenBack: "You get these mails again",
    comesAgain: "Mails of the kind “{category}” come as before.",
    reported:
      "Mails of the kind “{category}” are not sent to you, because your address reported a mail as spam.",
    suppressed:
      "Mails of the kind “{category}” are not sent to you, because your address is blocked here.",
    senderAlone:
      "Only the sender can change this. Please write to them if you want these mails.",
    nothingKept: "There is nothing left to stop",
    nothingKeptWhy: "Everything that was kept about you here has been erased. Nobody sends you mails any more.",
    invalid: "This link is not valid",
    expired: "This link has expired",
    useNewer: "Take the link in a newer mail, or change your settings in the app.",
    failed: "This did not work",
    tryAgain: "Nothing has changed. Please try again in a minute."
  )

  static let german = UnsubscribeTexts(
    language: "de",
    ask: "„{category}“ abbestellen?",
    stops: "Sie bekommen keine E-Mails der Art „{category}“ mehr. Eine, die schon unterwegs ist, kann noch ankommen.",
    goesOn:
      "Alle anderen E-Mails kommen weiter. Auch Mitteilungen dieser Art in der App und auf Ihren Geräten kommen weiter, so wie Sie es "
      + "eingestellt haben.",
    unsubscribe: "Abbestellen",
    unsubscribed: "Abbestellt",
    isOff: "Sie bekommen keine E-Mails dieser Art",
    stopped:
      "Es werden keine E-Mails der Art „{category}“ mehr an Sie gesendet. Eine, die schon unterwegs ist, kann noch ankommen.",
    takeBack: "Diese E-Mails wieder bekommen",
    takenBack: "Sie bekommen diese E-Mails wieder",
    comesAgain: "E-Mails der Art „{category}“ kommen wie bisher.",
    reported:
      "E-Mails der Art „{category}“ werden Ihnen nicht gesendet, weil eine E-Mail von Ihrer Adresse aus als Spam gemeldet wurde.",
    suppressed:
      "E-Mails der Art „{category}“ werden Ihnen nicht gesendet, weil Ihre Adresse hier gesperrt ist.",
    senderAlone:
      "Nur der Absender kann das ändern. Schreiben Sie ihm, wenn Sie diese E-Mails möchten.",
    nothingKept: "Hier gibt es nichts mehr abzubestellen",
    nothingKeptWhy: "Alles, was hier über Sie gespeichert war, ist gelöscht. Niemand sendet Ihnen mehr E-Mails.",
    invalid: "Dieser Link ist nicht gültig",
    expired: "Dieser Link ist abgelaufen",
    useNewer: "Nehmen Sie den Link in einer neueren E-Mail, oder ändern Sie Ihre Einstellungen in der App.",
    failed: "Das hat nicht geklappt",
    tryAgain: "Es hat sich nichts geändert. Versuchen Sie es in einer Minute noch einmal."
  )

  static let french = UnsubscribeTexts(
    language: "fr",
    ask: "Se désabonner de « {category} » ?",
    stops: "Vous ne recevrez plus d’e-mails du type « {category} ». Un e-mail déjà envoyé peut encore arriver.",
    goesOn:
      "Tous les autres e-mails continuent, de même que les notifications de ce type dans l’application et sur vos appareils, selon vos "
      + "réglages.",
    unsubscribe: "Se désabonner",
    unsubscribed: "Vous êtes désabonné",
    isOff: "Vous ne recevez pas d’e-mails de ce type",
    stopped: "Plus aucun e-mail du type « {category} » ne vous est envoyé. Un e-mail déjà envoyé peut encore arriver.",
    takeBack: "Recevoir à nouveau ces e-mails",
    takenBack: "Vous recevez à nouveau ces e-mails",
    comesAgain: "Les e-mails du type « {category} » arrivent comme avant.",
    reported:
      "Les e-mails du type « {category} » ne vous sont pas envoyés, car un e-mail a été signalé comme spam depuis votre adresse.",
    suppressed:
      "Les e-mails du type « {category} » ne vous sont pas envoyés, car votre adresse est bloquée ici.",
    senderAlone:
      "Seul l’expéditeur peut changer cela. Écrivez-lui si vous voulez ces e-mails.",
    nothingKept: "Il n’y a plus rien à arrêter",
    nothingKeptWhy:
      "Tout ce qui était enregistré ici à votre sujet a été effacé. Plus personne ne vous envoie d’e-mails.",
    invalid: "Ce lien n’est pas valide",
    expired: "Ce lien a expiré",
    useNewer: "Utilisez le lien d’un e-mail plus récent, ou modifiez vos réglages dans l’application.",
    failed: "Cela n’a pas fonctionné",
    tryAgain: "Rien n’a changé. Réessayez dans une minute."
  )

  static let spanish = UnsubscribeTexts(
    language: "es",
    ask: "¿Cancelar la suscripción a «{category}»?",
    stops: "No recibirá más correos del tipo «{category}». Puede que aún llegue alguno que ya esté en camino.",
    goesOn:
      "Todos los demás correos continúan, al igual que las notificaciones de este tipo en la aplicación y en sus dispositivos, según su "
      + "configuración.",
    unsubscribe: "Cancelar la suscripción",
    unsubscribed: "Suscripción cancelada",
    isOff: "No recibe correos de este tipo",
    stopped: "Ya no se le envían correos del tipo «{category}». Puede que aún llegue alguno que ya esté en camino.",
    takeBack: "Volver a recibir estos correos",
    takenBack: "Vuelve a recibir estos correos",
    comesAgain: "Los correos del tipo «{category}» llegan como antes.",
    reported:
      "No se le envían correos del tipo «{category}», porque desde su dirección se marcó un correo como spam.",
    suppressed:
      "No se le envían correos del tipo «{category}», porque su dirección está bloqueada aquí.",
    senderAlone:
      "Solo el remitente puede cambiarlo. Escríbale si quiere estos correos.",
    nothingKept: "Ya no queda nada que cancelar",
    nothingKeptWhy: "Se ha borrado todo lo que se guardaba aquí sobre usted. Nadie le envía ya correos.",
    invalid: "Este enlace no es válido",
    expired: "Este enlace ha caducado",
    useNewer: "Use el enlace de un correo más reciente o cambie su configuración en la aplicación.",
    failed: "No ha funcionado",
    tryAgain: "Nada ha cambiado. Inténtelo de nuevo dentro de un minuto."
  )
}
