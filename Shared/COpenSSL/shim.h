// Much of OpenSSL is macros, which Swift cannot call.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int copenssl_require_tls_1_2(SSL_CTX *context) {
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline void copenssl_forbid_renegotiation(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

// Server name indication (RFC 6066).
static inline int copenssl_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}
