/// Howard Hinnant, "chrono-compatible low-level date algorithms": `days_from_civil` and `civil_from_days`. A year
/// begins in March there, so that the leap day is its last.
extension LocalDate {
  /// Year, month and day at once; each of the single properties computes all three.
  public var civil: (year: Int, month: Int, day: Int) {
    let shifted = dayNumber + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// Days since 1970-01-01 of a date that exists.
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floorDivide(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func isLeap(year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The length of a month of 1…12.
  package static func daysIn(month: Int, year: Int) -> Int {
    if month == 2 { return isLeap(year: year) ? 29 : 28 }
    // 31, 30, 31, 30, 31 from March to July, and again from August.
    return 30 + (month + month / 8) % 2
  }
}
