// The client, for apps: live notifications, the inbox, preferences, devices and pushes.
