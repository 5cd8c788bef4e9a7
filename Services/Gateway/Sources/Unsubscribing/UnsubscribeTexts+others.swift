extension UnsubscribeTexts {
  static let italian = UnsubscribeTexts(
    language: "it",
    ask: "Annullare l’iscrizione a «{category}»?",
    stops: "Non riceverà più e-mail del tipo «{category}». Una che è già in viaggio può ancora arrivare.",
    goesOn:
      "Tutte le altre e-mail continuano, come pure le notifiche di questo tipo nell’app e sui suoi dispositivi, secondo le sue "
      + "impostazioni.",
    unsubscribe: "Annulla iscrizione",
    unsubscribed: "Iscrizione annullata",
    isOff: "Non riceve e-mail di questo tipo",
    stopped: "Non le vengono più inviate e-mail del tipo «{category}». Una che è già in viaggio può ancora arrivare.",
    takeBack: "Ricevere di nuovo queste e-mail",
    takenBack: "Riceve di nuovo queste e-mail",
    comesAgain: "Le e-mail del tipo «{category}» arrivano come prima.",
    reported:
      "Le e-mail del tipo «{category}» non le vengono inviate, perché dal suo indirizzo un’e-mail è stata segnalata come spam.",
    suppressed: "Le e-mail del tipo «{category}» non le vengono inviate, perché il suo indirizzo è bloccato qui.",
    senderAlone: "Solo il mittente può cambiarlo. Gli scriva, se vuole queste e-mail.",
    nothingKept: "Non c’è più nulla da annullare",
    nothingKeptWhy: "Tutto ciò che era conservato qui su di lei è stato cancellato. Nessuno le invia più e-mail.",
    invalid: "Questo link non è valido",
    expired: "Questo link è scaduto",
    useNewer: "Usi il link di un’e-mail più recente, o cambi le impostazioni nell’app.",
    failed: "Non ha funzionato",
    tryAgain: "Non è cambiato nulla. Riprovi tra un minuto."
  )

  static let dutch = UnsubscribeTexts(
    language: "nl",
    ask: "Uitschrijven voor ‘{category}’?",
    stops: "U krijgt geen e-mails van het soort ‘{category}’ meer. Een die al onderweg is, kan nog aankomen.",
    goesOn:
      "Alle andere e-mails gaan door. Dat geldt ook voor meldingen van dit soort in de app en op uw apparaten, zoals u die hebt "
      + "ingesteld.",
    unsubscribe: "Uitschrijven",
    unsubscribed: "U bent uitgeschreven",
    isOff: "U krijgt geen e-mails van dit soort",
    stopped:
      "Er worden geen e-mails van het soort ‘{category}’ meer aan u gestuurd. Een die al onderweg is, kan nog aankomen.",
    takeBack: "Deze e-mails weer krijgen",
    takenBack: "U krijgt deze e-mails weer",
    comesAgain: "E-mails van het soort ‘{category}’ komen zoals voorheen.",
    reported:
      "E-mails van het soort ‘{category}’ worden u niet gestuurd, omdat vanaf uw adres een e-mail als spam is gemeld.",
    suppressed: "E-mails van het soort ‘{category}’ worden u niet gestuurd, omdat uw adres hier is geblokkeerd.",
    senderAlone: "Alleen de afzender kan dit veranderen. Schrijf hem als u deze e-mails wilt.",
    nothingKept: "Er is niets meer om te stoppen",
    nothingKeptWhy: "Alles wat hier over u werd bewaard, is gewist. Niemand stuurt u nog e-mails.",
    invalid: "Deze link is niet geldig",
    expired: "Deze link is verlopen",
    useNewer: "Gebruik de link in een nieuwere e-mail, of wijzig uw instellingen in de app.",
    failed: "Dit is niet gelukt",
    tryAgain: "Er is niets veranderd. Probeer het over een minuut opnieuw."
  )

  static let portuguese = UnsubscribeTexts(
    language: "pt",
    ask: "Cancelar a inscrição em “{category}”?",
    stops: "Não receberá mais e-mails do tipo “{category}”. Um que já esteja a caminho ainda pode chegar.",
    goesOn:
      "Todos os outros e-mails continuam, assim como as notificações deste tipo na aplicação e nos seus dispositivos, conforme as suas "
      + "definições.",
    unsubscribe: "Cancelar inscrição",
    unsubscribed: "Inscrição cancelada",
    isOff: "Não recebe e-mails deste tipo",
    stopped: "Já não lhe são enviados e-mails do tipo “{category}”. Um que já esteja a caminho ainda pode chegar.",
    takeBack: "Voltar a receber estes e-mails",
    takenBack: "Volta a receber estes e-mails",
    comesAgain: "Os e-mails do tipo “{category}” chegam como antes.",
    reported:
      "Não lhe são enviados e-mails do tipo “{category}”, porque a partir do seu endereço um e-mail foi denunciado como spam.",
    suppressed: "Não lhe são enviados e-mails do tipo “{category}”, porque o seu endereço está bloqueado aqui.",
    senderAlone: "Só o remetente pode mudar isto. Escreva-lhe se quiser estes e-mails.",
    nothingKept: "Já não há nada para cancelar",
    nothingKeptWhy: "Tudo o que aqui estava guardado sobre si foi apagado. Ninguém lhe envia mais e-mails.",
    invalid: "Este link não é válido",
    expired: "Este link expirou",
    useNewer: "Use o link de um e-mail mais recente ou altere as suas definições na aplicação.",
    failed: "Não funcionou",
    tryAgain: "Nada mudou. Tente novamente dentro de um minuto."
  )

  static let polish = UnsubscribeTexts(
    language: "pl",
    ask: "Wypisać się z „{category}”?",
    stops:
      "Nie będziesz już dostawać e-maili z kategorii „{category}”. Ten, który jest już w drodze, może jeszcze dotrzeć.",
    goesOn:
      "Wszystkie inne e-maile przychodzą dalej. Tak samo powiadomienia z tej kategorii w aplikacji i na Twoich urządzeniach, zgodnie z "
      + "Twoimi ustawieniami.",
    unsubscribe: "Wypisz się",
    unsubscribed: "Wypisano",
    isOff: "Nie dostajesz e-maili z tej kategorii",
    stopped:
      "E-maile z kategorii „{category}” nie są już do Ciebie wysyłane. Ten, który jest już w drodze, może jeszcze dotrzeć.",
    takeBack: "Chcę znów dostawać te e-maile",
    takenBack: "Znów dostajesz te e-maile",
    comesAgain: "E-maile z kategorii „{category}” przychodzą jak dawniej.",
    reported:
      "E-maile z kategorii „{category}” nie są do Ciebie wysyłane, bo z Twojego adresu zgłoszono e-mail jako spam.",
    suppressed: "E-maile z kategorii „{category}” nie są do Ciebie wysyłane, bo Twój adres jest tu zablokowany.",
    senderAlone: "Zmienić to może tylko nadawca. Napisz do niego, jeśli chcesz dostawać te e-maile.",
    nothingKept: "Nie ma już czego zatrzymywać",
    nothingKeptWhy: "Wszystko, co było tu o Tobie zapisane, zostało usunięte. Nikt nie wysyła Ci już e-maili.",
    invalid: "Ten link jest nieprawidłowy",
    expired: "Ten link wygasł",
    useNewer: "Użyj linku z nowszego e-maila albo zmień ustawienia w aplikacji.",
    failed: "Nie udało się",
    tryAgain: "Nic się nie zmieniło. Spróbuj ponownie za minutę."
  )
}
