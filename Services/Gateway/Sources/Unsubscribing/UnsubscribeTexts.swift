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
    stops: "You will no longer get “{category}” emails. One that is already on its way may still arrive.",
    goesOn:
      "All other emails continue, and so do these notifications in the app and on your devices, as you have set them.",
    unsubscribe: "Unsubscribe",
    unsubscribed: "You have unsubscribed",
    isOff: "You do not get these emails",
    stopped: "You no longer get “{category}” emails. One that is already on its way may still arrive.",
    takeBack: "Get these emails again",
    takenBack: "You will get these emails again",
    comesAgain: "“{category}” emails will arrive as before.",
    suppressed: "You do not get “{category}” emails, because your address is blocked here.",
    senderAlone: "Only the sender can change this. Please contact them if you want these emails.",
    nothingKept: "There is nothing left to stop",
    nothingKeptWhy:
      "Everything that was kept about you here when this email was sent has been erased. This link has nothing left to stop.",
    invalid: "This link is not valid",
    expired: "This link has expired",
    useNewer: "Use the link in a newer email, or change your settings in the app.",
    failed: "Something went wrong",
    tryAgain: "Please try again in a minute."
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
    suppressed:
      "E-Mails der Art „{category}“ werden Ihnen nicht gesendet, weil Ihre Adresse hier gesperrt ist.",
    senderAlone: "Nur der Absender kann das ändern. Wenden Sie sich an ihn, wenn Sie diese E-Mails möchten.",
    nothingKept: "Hier gibt es nichts mehr abzubestellen",
    nothingKeptWhy:
      "Alles, was hier über Sie gespeichert war, als diese E-Mail gesendet wurde, ist gelöscht. Mit diesem Link lässt sich "
      + "nichts mehr abbestellen.",
    invalid: "Dieser Link ist nicht gültig",
    expired: "Dieser Link ist abgelaufen",
    useNewer: "Verwenden Sie den Link aus einer neueren E-Mail, oder ändern Sie Ihre Einstellungen in der App.",
    failed: "Das hat nicht geklappt",
    tryAgain: "Versuchen Sie es in einer Minute noch einmal."
  )

  static let french = UnsubscribeTexts(
    language: "fr",
    ask: "Se désabonner de «\u{a0}{category}\u{a0}»\u{202f}?",
    stops:
      "Vous ne recevrez plus d’e-mails du type «\u{a0}{category}\u{a0}». Un e-mail déjà envoyé peut encore arriver.",
    goesOn:
      "Tous les autres e-mails continueront d’arriver, de même que les notifications de ce type dans l’application et sur "
      + "vos appareils, selon vos réglages.",
    unsubscribe: "Se désabonner",
    unsubscribed: "Désabonnement confirmé",
    isOff: "Vous ne recevez pas d’e-mails de ce type",
    stopped:
      "Plus aucun e-mail du type «\u{a0}{category}\u{a0}» ne vous est envoyé. Un e-mail déjà envoyé peut encore arriver.",
    takeBack: "Recevoir à nouveau ces e-mails",
    takenBack: "Vous recevrez à nouveau ces e-mails",
    comesAgain: "Les e-mails du type «\u{a0}{category}\u{a0}» arriveront comme avant.",
    suppressed:
      "Les e-mails du type «\u{a0}{category}\u{a0}» ne vous sont pas envoyés, car votre adresse est bloquée ici.",
    senderAlone:
      "Seul l’expéditeur peut changer cela. Écrivez-lui si vous voulez ces e-mails.",
    nothingKept: "Il n’y a plus rien à arrêter",
    nothingKeptWhy:
      "Tout ce qui était enregistré ici à votre sujet lors de l’envoi de cet e-mail a été effacé. Ce lien n’a plus rien à arrêter.",
    invalid: "Ce lien n’est pas valide",
    expired: "Ce lien a expiré",
    useNewer: "Utilisez le lien d’un e-mail plus récent, ou modifiez vos réglages dans l’application.",
    failed: "Une erreur s’est produite",
    tryAgain: "Veuillez réessayer dans une minute."
  )

  static let spanish = UnsubscribeTexts(
    language: "es",
    ask: "¿Cancelar la suscripción a «{category}»?",
    stops: "No recibirá más correos del tipo «{category}». Puede que aún llegue alguno que ya esté en camino.",
    goesOn:
      "Todos los demás correos seguirán llegando, al igual que las notificaciones de este tipo en la aplicación y en sus "
      + "dispositivos, según su configuración.",
    unsubscribe: "Cancelar la suscripción",
    unsubscribed: "Suscripción cancelada",
    isOff: "No recibe correos de este tipo",
    stopped: "Ya no se le envían correos del tipo «{category}». Puede que aún llegue alguno que ya esté en camino.",
    takeBack: "Volver a recibir estos correos",
    takenBack: "Volverá a recibir estos correos",
    comesAgain: "Los correos del tipo «{category}» llegarán como antes.",
    suppressed:
      "No se le envían correos del tipo «{category}», porque su dirección está bloqueada aquí.",
    senderAlone:
      "Solo el remitente puede cambiarlo. Escríbale si quiere estos correos.",
    nothingKept: "Ya no queda nada que cancelar",
    nothingKeptWhy:
      "Todo lo que se guardaba aquí sobre usted cuando se envió este correo se ha borrado. Con este enlace ya no queda nada "
      + "que cancelar.",
    invalid: "Este enlace no es válido",
    expired: "Este enlace ha caducado",
    useNewer: "Use el enlace de un correo más reciente o cambie su configuración en la aplicación.",
    failed: "Algo ha salido mal",
    tryAgain: "Inténtelo de nuevo dentro de un minuto."
  )
}
