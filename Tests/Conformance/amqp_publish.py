"""Publishes the body given on standard input or by --body with pika, a stock AMQP client, and waits for the confirm."""

import argparse

import pika

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--url", required=True)
parser.add_argument("--exchange", default="belfry.ingest")
parser.add_argument("--key", default="request")
parser.add_argument("--message-id")
parser.add_argument("--app-id")
parser.add_argument("--times", type=int, default=1)
parser.add_argument("--body-size", type=int, help="publish so many bytes of x instead of --body")
parser.add_argument("--body", default="")
arguments = parser.parse_args()

body = ("x" * arguments.body_size if arguments.body_size else arguments.body).encode()
connection = pika.BlockingConnection(pika.URLParameters(arguments.url))
channel = connection.channel()
channel.confirm_delivery()
properties = pika.BasicProperties(
    delivery_mode=2, content_type="application/json", message_id=arguments.message_id, app_id=arguments.app_id
)
for _ in range(arguments.times):
    channel.basic_publish(arguments.exchange, arguments.key, body, properties, mandatory=True)
connection.close()
