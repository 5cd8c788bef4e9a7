extension UnsubscribeTexts {
  static let italian = UnsubscribeTexts(
    language: "it",
    ask: "Annullare l’iscrizione a «{category}»?",
    stops: "Non riceverà più e-mail del tipo «{category}». Un’e-mail già in viaggio può ancora arrivare.",
    goesOn:
      "Tutte le altre e-mail continueranno ad arrivare, come pure le notifiche di questo tipo nell’app e sui suoi "
      + "dispositivi, secondo le sue impostazioni.",
    unsubscribe: "Annulla iscrizione",
    unsubscribed: "Iscrizione annullata",
    isOff: "Non riceve e-mail di questo tipo",
    stopped: "Non le vengono più inviate e-mail del tipo «{category}». Un’e-mail già in viaggio può ancora arrivare.",
    takeBack: "Ricevere di nuovo queste e-mail",
    takenBack: "Riceverà di nuovo queste e-mail",
    comesAgain: "Le e-mail del tipo «{category}» arriveranno come prima.",
    suppressed: "Le e-mail del tipo «{category}» non le vengono inviate, perché il suo indirizzo è bloccato qui.",
    senderAlone: "Solo il mittente può cambiarlo. Gli scriva, se vuole queste e-mail.",
    nothingKept: "Non c’è più nulla da annullare",
    nothingKeptWhy:
      "Tutto ciò che era conservato qui su di lei quando questa e-mail è stata inviata è stato cancellato. Con questo link "
      + "non c’è più nulla da annullare.",
    invalid: "Questo link non è valido",
    expired: "Questo link è scaduto",
    useNewer: "Usi il link di un’e-mail più recente, o cambi le impostazioni nell’app.",
    failed: "Qualcosa è andato storto",
    tryAgain: "Riprovi tra un minuto."
  )

  static let dutch = UnsubscribeTexts(
    language: "nl",
    ask: "Uitschrijven voor ‘{category}’?",
    stops: "U krijgt geen e-mails van het soort ‘{category}’ meer. Een e-mail die al onderweg is, kan nog aankomen.",
    goesOn:
      "Alle andere e-mails blijven komen. Dat geldt ook voor meldingen van dit soort in de app en op uw apparaten, zoals u "
      + "die hebt ingesteld.",
    unsubscribe: "Uitschrijven",
    unsubscribed: "U bent uitgeschreven",
    isOff: "U krijgt geen e-mails van dit soort",
    stopped:
      "Er worden geen e-mails van het soort ‘{category}’ meer aan u gestuurd. Een e-mail die al onderweg is, kan nog aankomen.",
    takeBack: "Deze e-mails weer krijgen",
    takenBack: "U krijgt deze e-mails weer",
    comesAgain: "E-mails van het soort ‘{category}’ komen zoals voorheen.",
    suppressed: "E-mails van het soort ‘{category}’ worden u niet gestuurd, omdat uw adres hier is geblokkeerd.",
    senderAlone: "Alleen de afzender kan dit veranderen. Neem contact op met de afzender als u deze e-mails wilt.",
    nothingKept: "Er valt niets meer af te melden",
    nothingKeptWhy:
      "Alles wat hier over u werd bewaard toen deze e-mail werd verstuurd, is gewist. Met deze link valt niets meer af te melden.",
    invalid: "Deze link is niet geldig",
    expired: "Deze link is verlopen",
    useNewer: "Gebruik de link in een nieuwere e-mail, of wijzig uw instellingen in de app.",
    failed: "Dit is niet gelukt",
    tryAgain: "Probeer het over een minuut opnieuw."
  )

  static let portuguese = UnsubscribeTexts(
    language: "pt",
    ask: "Cancelar a inscrição em “{category}”?",
    stops: "Você não receberá mais e-mails do tipo “{category}”. Um que já esteja a caminho ainda pode chegar.",
    goesOn:
      "Todos os outros e-mails continuarão chegando, assim como as notificações deste tipo no aplicativo e nos seus "
      + "dispositivos, conforme suas configurações.",
    unsubscribe: "Cancelar inscrição",
    unsubscribed: "Inscrição cancelada",
    isOff: "Você não recebe e-mails deste tipo",
    stopped:
      "E-mails do tipo “{category}” não são mais enviados a você. Um que já esteja a caminho ainda pode chegar.",
    takeBack: "Voltar a receber estes e-mails",
    takenBack: "Você voltará a receber estes e-mails",
    comesAgain: "Os e-mails do tipo “{category}” chegarão como antes.",
    suppressed: "E-mails do tipo “{category}” não são enviados a você, porque o seu endereço está bloqueado aqui.",
    senderAlone: "Só o remetente pode mudar isso. Entre em contato com ele se quiser receber estes e-mails.",
    nothingKept: "Não há mais nada para cancelar",
    nothingKeptWhy:
      "Tudo o que estava armazenado aqui sobre você quando este e-mail foi enviado foi apagado. Com este link não há mais "
      + "nada para cancelar.",
    invalid: "Este link não é válido",
    expired: "Este link expirou",
    useNewer: "Use o link de um e-mail mais recente ou altere suas configurações no aplicativo.",
    failed: "Algo deu errado",
    tryAgain: "Tente novamente em um minuto."
  )

  static let polish = UnsubscribeTexts(
    language: "pl",
    ask: "Wypisać się z „{category}”?",
    stops:
      "Nie będziesz już dostawać e-maili z kategorii „{category}”. E-mail, który jest już w drodze, może jeszcze dotrzeć.",
    goesOn:
      "Wszystkie inne e-maile nadal będą przychodzić. Tak samo powiadomienia z tej kategorii w aplikacji i na Twoich "
      + "urządzeniach, zgodnie z Twoimi ustawieniami.",
    unsubscribe: "Wypisz się",
    unsubscribed: "Wypisano",
    isOff: "Nie dostajesz e-maili z tej kategorii",
    stopped:
      "E-maile z kategorii „{category}” nie są już do Ciebie wysyłane. E-mail, który jest już w drodze, może jeszcze dotrzeć.",
    takeBack: "Chcę znów dostawać te e-maile",
    takenBack: "Znów będziesz dostawać te e-maile",
    comesAgain: "E-maile z kategorii „{category}” będą przychodzić jak dawniej.",
    suppressed: "E-maile z kategorii „{category}” nie są do Ciebie wysyłane, bo Twój adres jest tu zablokowany.",
    senderAlone: "Zmienić to może tylko nadawca. Napisz do niego, jeśli chcesz dostawać te e-maile.",
    nothingKept: "Nie ma już czego zatrzymywać",
    nothingKeptWhy:
      "Wszystko, co było tu o Tobie zapisane w chwili wysłania tego e-maila, zostało usunięte. Ten link nie ma już czego "
      + "zatrzymać.",
    invalid: "Ten link jest nieprawidłowy",
    expired: "Ten link wygasł",
    useNewer: "Użyj linku z nowszego e-maila albo zmień ustawienia w aplikacji.",
    failed: "Coś poszło nie tak",
    tryAgain: "Spróbuj ponownie za minutę."
  )
}
