#ifndef BELFRY_CRABBITMQ_SHIM_H
#define BELFRY_CRABBITMQ_SHIM_H

#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <stddef.h>

/* Swift can neither call variadic functions nor read macros that cast; this header gives both a typed face. */

static inline amqp_rpc_reply_t belfry_amqp_login_plain(
    amqp_connection_state_t connection, const char *vhost, int channel_max, int frame_max, int heartbeat,
    const amqp_table_t *properties, const char *user, const char *password) {
  return amqp_login_with_properties(connection, vhost, channel_max, frame_max, heartbeat, properties,
                                    AMQP_SASL_METHOD_PLAIN, user, password);
}

enum belfry_amqp_method {
  BELFRY_AMQP_CONNECTION_CLOSE = 0x000A0032,
  BELFRY_AMQP_CONNECTION_CLOSE_OK = 0x000A0033,
  BELFRY_AMQP_CONNECTION_BLOCKED = 0x000A003C,
  BELFRY_AMQP_CONNECTION_UNBLOCKED = 0x000A003D,
  BELFRY_AMQP_CHANNEL_CLOSE = 0x00140028,
  BELFRY_AMQP_CHANNEL_CLOSE_OK = 0x00140029,
  BELFRY_AMQP_BASIC_CANCEL = 0x003C001E,
  BELFRY_AMQP_BASIC_CANCEL_OK = 0x003C001F,
  BELFRY_AMQP_BASIC_PUBLISH = 0x003C0028,
  BELFRY_AMQP_BASIC_RETURN = 0x003C0032,
  BELFRY_AMQP_BASIC_DELIVER = 0x003C003C,
  BELFRY_AMQP_BASIC_GET = 0x003C0046,
  BELFRY_AMQP_BASIC_GET_OK = 0x003C0047,
  BELFRY_AMQP_BASIC_GET_EMPTY = 0x003C0048,
  BELFRY_AMQP_BASIC_ACK = 0x003C0050,
  BELFRY_AMQP_BASIC_NACK = 0x003C0078,
};

_Static_assert(BELFRY_AMQP_BASIC_CANCEL == AMQP_BASIC_CANCEL_METHOD, "basic.cancel");
_Static_assert(BELFRY_AMQP_BASIC_PUBLISH == AMQP_BASIC_PUBLISH_METHOD, "basic.publish");
_Static_assert(BELFRY_AMQP_BASIC_RETURN == AMQP_BASIC_RETURN_METHOD, "basic.return");
_Static_assert(BELFRY_AMQP_BASIC_GET == AMQP_BASIC_GET_METHOD, "basic.get");
_Static_assert(BELFRY_AMQP_BASIC_NACK == AMQP_BASIC_NACK_METHOD, "basic.nack");

#endif
