#!/bin/sh
# Writes into a folder what the services of compose.yaml keep secret: what the environment (.env) says, else what is there, else
# something random. Files are readable by the services' user alone.
#
#   belfry-secrets /run/belfry [simulator]
#
# simulator: its host name. Where no Firebase key or mail server is given, push and email are told to use that one.
set -eu
umask 077
cd "$1"
simulator=${2:-}

# secret NAME GIVEN: the file's text is what is given, or what it was, or 32 random bytes in hexadecimal digits.
secret() {
  if [ -n "$2" ]; then
    printf '%s' "$2" >"$1.new"
    mv "$1.new" "$1"
  elif [ ! -s "$1" ]; then
    od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$1.new"
    mv "$1.new" "$1"
  fi
}

# In a URL all but letters, digits and -._~ is written in percent (RFC 3986, 2.1).
encoded() {
  od -An -v -tx1 "$1" | tr -d ' \n' | sed 's/../%&/g'
}

secret postgres-password "${POSTGRES_PASSWORD:-}"
secret rabbitmq-password "${RABBITMQ_PASSWORD:-}"
[ -n "${BELFRY_AUTH_JWKS_FILE:-}" ] || secret auth-secret "${BELFRY_AUTH_SECRET:-}"

stores() {
  echo "BELFRY_DATABASE_URL=postgresql://belfry:$(encoded postgres-password)@postgres/belfry"
  echo "BELFRY_BROKER_URL=amqp://belfry:$(encoded rabbitmq-password)@rabbitmq:5672/"
}

# setting NAME VALUE: a line, if there is a value.
setting() {
  [ -z "$2" ] || printf '%s=%s\n' "$1" "$2"
}

{
  stores
  if [ -n "${BELFRY_AUTH_JWKS_FILE:-}" ]; then
    setting BELFRY_AUTH_SECRET "${BELFRY_AUTH_SECRET:-}"
  else
    setting BELFRY_AUTH_SECRET "$(cat auth-secret)"
  fi
} >belfry.env.new

{
  stores
  if [ -n "${BELFRY_SERVICE_ACCOUNT_FILE:-}" ]; then
    setting BELFRY_PUSH_SERVICE_ACCOUNT_FILE /etc/belfry/service-account.json
  elif [ -n "$simulator" ]; then
    setting BELFRY_PUSH_SERVICE_ACCOUNT_FILE /run/simulator/service-account.json
    setting BELFRY_PUSH_ENDPOINT "https://$simulator:4443"
    setting BELFRY_PUSH_CA_FILE /run/simulator/ca.pem
  fi
} >push.env.new

{
  stores
  if [ -n "${BELFRY_EMAIL_HOST:-}" ]; then
    setting BELFRY_EMAIL_HOST "$BELFRY_EMAIL_HOST"
    setting BELFRY_EMAIL_PORT "${BELFRY_EMAIL_PORT:-}"
    setting BELFRY_EMAIL_SECURITY "${BELFRY_EMAIL_SECURITY:-}"
    setting BELFRY_EMAIL_USERNAME "${BELFRY_EMAIL_USERNAME:-}"
    setting BELFRY_EMAIL_PASSWORD "${BELFRY_EMAIL_PASSWORD:-}"
    setting BELFRY_EMAIL_FROM "${BELFRY_EMAIL_FROM:-}"
    setting BELFRY_EMAIL_DOMAIN "${BELFRY_EMAIL_DOMAIN:-}"
  elif [ -n "$simulator" ]; then
    setting BELFRY_EMAIL_HOST "$simulator"
    setting BELFRY_EMAIL_PORT 2525
    setting BELFRY_EMAIL_CA_FILE /run/simulator/ca.pem
    setting BELFRY_EMAIL_FROM "${BELFRY_EMAIL_FROM:-belfry@localhost}"
  fi
} >email.env.new

for file in belfry push email; do mv "$file.env.new" "$file.env"; done
chown -R "$BELFRY_UID:$BELFRY_GID" .
chmod 0500 .
chmod 0400 ./*
