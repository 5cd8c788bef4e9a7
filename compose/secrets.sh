#!/bin/sh
# Keeps in a folder what the services of compose.yaml have for secrets, which is what .env says, else what is there, else something
# random, and hands each service its own. Files are readable by the services' user alone.
#
#   belfry-secrets FOLDER GIVEN SERVICES [SIMULATOR]
#
# GIVEN: a file of lines NAME=value, those of .env. SERVICES: has a folder for each service, which sees no other and not FOLDER.
# SIMULATOR: its host name. Where no Firebase key or mail server is given, push and email are told to use that one.
#
# Releases before handed all out in FOLDER (belfry.env, push.env, email.env). That stays there: while they are upgraded their services
# may start again.
set -eu
umask 077
cd "$1"
given=$2 services=${3:?which folder has one for each service? compose.yaml of this release says so} simulator=${4:-}
# Of two at once the second finds what the first has made.
exec 9>.lock
flock 9

# value NAME: what .env says of it, as it stands there.
value() {
  sed -n "s/^$1=//p" "$given"
}

# keep FILE TEXT: the file's new text.
keep() {
  printf '%s' "$2" >"$1.new"
  chown "$BELFRY_UID:$BELFRY_GID" "$1.new"
  chmod 0400 "$1.new"
  mv "$1.new" "$1"
}

# close FOLDER: to all but the services' user.
close() {
  chown "$BELFRY_UID:$BELFRY_GID" "$1"
  chmod 0500 "$1"
}

# hand SERVICE FILE TEXT: a file in the service's own folder.
hand() {
  keep "$services/$1/$2" "$3"
  close "$services/$1"
}

# secret NAME TEXT: as is given, or as it was, or 32 random bytes in hexadecimal digits.
secret() {
  if [ -n "$2" ]; then
    keep "$1" "$2"
  elif [ ! -s "$1" ]; then
    random=$(od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n')
    [ ${#random} -eq 64 ] || { echo "there are no random bytes" >&2; exit 1; }
    keep "$1" "$random"
  else
    # Whoever the services run as now.
    chown "$BELFRY_UID:$BELFRY_GID" "$1"
  fi
}

# password NAME VARIABLE HOW: the secret of a server, which knows it since its first start.
password() {
  new=$(value "$2")
  if [ -n "$new" ] && [ -s "$1" ] && [ "$new" != "$(cat "$1")" ]; then
    echo "$2 in .env is not the password that the server was started with, and would lock the services out." >&2
    echo "Change it there first: $3" >&2
    echo "then remove the old one: docker compose run --rm --no-deps -T secrets rm /run/belfry/$1" >&2
    exit 1
  fi
  secret "$1" "$new"
}

# In a URL all but letters, digits and -._~ is written in percent (RFC 3986, 2.1).
encoded() {
  od -An -v -tx1 "$1" | tr -d ' \n' | sed 's/../%&/g'
}

password postgres-password POSTGRES_PASSWORD \
  "docker compose exec postgres psql --username=belfry --command \"ALTER ROLE belfry PASSWORD '…'\""
password rabbitmq-password RABBITMQ_PASSWORD "docker compose exec rabbitmq rabbitmqctl change_password belfry …"
if [ -z "$(value BELFRY_AUTH_JWKS_FILE)" ] || [ -n "$(value BELFRY_AUTH_SECRET)" ]; then
  secret auth-secret "$(value BELFRY_AUTH_SECRET)"
else
  rm -f auth-secret
fi

# setting NAME VALUE: a line, if there is a value.
setting() {
  [ -z "$2" ] || printf '%s=%s\n' "$1" "$2"
}

database() {
  setting BELFRY_DATABASE_URL "postgresql://belfry:$(encoded postgres-password)@postgres/belfry"
}

stores() {
  database
  setting BELFRY_BROKER_URL "amqp://belfry:$(encoded rabbitmq-password)@rabbitmq:5672/"
}

# Whoever has this can mint a token of any role: for those who verify tokens, and for the demo, which mints its own.
tokens() {
  [ ! -e auth-secret ] || setting BELFRY_AUTH_SECRET "$(cat auth-secret)"
}

hand postgres postgres-password "$(cat postgres-password)"
hand rabbitmq rabbitmq-password "$(cat rabbitmq-password)"

# The files that services read by BELFRY_CONFIG_FILE.
hand migrate belfry.env "$(database)"
hand gateway belfry.env "$(
  stores
  tokens
  # The public half of what push has.
  setting BELFRY_GATEWAY_VAPID_PUBLIC_KEY "$(value BELFRY_VAPID_PUBLIC_KEY)"
  setting BELFRY_RECEIPTS_KEYS "$(value BELFRY_RECEIPTS_KEYS)"
  setting BELFRY_UNSUBSCRIBE_KEYS "$(value BELFRY_UNSUBSCRIBE_KEYS)"
  for name in EMAIL_RETURN_PATH_KEYS BOUNCES_POSTMARK_CREDENTIALS BOUNCES_MAILGUN_KEYS; do
    setting "BELFRY_$name" "$(value "BELFRY_$name")"
  done
)"
hand router belfry.env "$(stores)"
hand inapp belfry.env "$(stores && tokens)"
hand demo belfry.env "$(tokens)"

hand push belfry.env "$(
  stores
  if [ -n "$(value BELFRY_SERVICE_ACCOUNT_FILE)" ]; then
    setting BELFRY_PUSH_SERVICE_ACCOUNT_FILE "/etc/belfry/files/$(value BELFRY_SERVICE_ACCOUNT_FILE)"
  elif [ -n "$simulator" ]; then
    setting BELFRY_PUSH_SERVICE_ACCOUNT_FILE /run/simulator/service-account.json
    setting BELFRY_PUSH_ENDPOINT "https://$simulator:4443"
    setting BELFRY_PUSH_CA_FILE /run/simulator/ca.pem
  fi
  # For BELFRY_PUSH_PROVIDERS with apns; for fcm alone they change nothing. Team and topic also where settings.env has a key of the
  # sandbox, and there is no other.
  if [ -n "$(value BELFRY_APNS_KEY_FILE)" ]; then
    setting BELFRY_PUSH_APNS_KEY_FILE "/etc/belfry/files/$(value BELFRY_APNS_KEY_FILE)"
    setting BELFRY_PUSH_APNS_KEY_ID "$(value BELFRY_APNS_KEY_ID)"
  fi
  for name in TEAM_ID TOPIC; do
    setting "BELFRY_PUSH_APNS_$name" "$(value "BELFRY_APNS_$name")"
  done
  # And so for webPush.
  for name in KEY_FILE PREVIOUS_KEY_FILE; do
    file=$(value "BELFRY_VAPID_$name")
    [ -z "$file" ] || setting "BELFRY_PUSH_WEBPUSH_$name" "/etc/belfry/files/$file"
  done
  setting BELFRY_PUSH_WEBPUSH_SUBJECT "$(value BELFRY_VAPID_SUBJECT)"
  setting BELFRY_RECEIPTS_KEYS "$(value BELFRY_RECEIPTS_KEYS)"
)"

hand email belfry.env "$(
  stores
  if [ -n "$(value BELFRY_EMAIL_HOST)" ]; then
    for name in HOST PORT SECURITY USERNAME PASSWORD FROM DOMAIN BULK_HOST BULK_USERNAME BULK_PASSWORD RETURN_PATH RETURN_PATH_KEYS; do
      setting "BELFRY_EMAIL_$name" "$(value "BELFRY_EMAIL_$name")"
    done
  elif [ -n "$simulator" ]; then
    setting BELFRY_EMAIL_HOST "$simulator"
    setting BELFRY_EMAIL_PORT 2525
    setting BELFRY_EMAIL_CA_FILE /run/simulator/ca.pem
    from=$(value BELFRY_EMAIL_FROM)
    setting BELFRY_EMAIL_FROM "${from:-belfry@localhost}"
  fi
  setting BELFRY_PUBLIC_URL "$(value BELFRY_PUBLIC_URL)"
  setting BELFRY_UNSUBSCRIBE_KEYS "$(value BELFRY_UNSUBSCRIBE_KEYS)"
)"

close .
