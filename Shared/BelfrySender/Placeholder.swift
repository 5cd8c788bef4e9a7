// For backends: sends, bulk sends, events and schedules over REST.
