// Much of OpenSSL is macros, which Swift cannot call.
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
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

// Public keys from their numbers, big-endian, as JWKs have them (RFC 7518, section 6); NULL if they are none.
static inline EVP_PKEY *copenssl_public_key(const char *type, OSSL_PARAM *parameters) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
  if (context && parameters && EVP_PKEY_fromdata_init(context) == 1)
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
  EVP_PKEY_CTX_free(context);
  return key;
}

static inline EVP_PKEY *copenssl_rsa_public_key(const unsigned char *n, size_t n_count, const unsigned char *e, size_t e_count) {
  EVP_PKEY *key = NULL;
  BIGNUM *modulus = BN_bin2bn(n, (int)n_count, NULL);
  BIGNUM *exponent = BN_bin2bn(e, (int)e_count, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  if (modulus && exponent && builder && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) == 1 &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) == 1) {
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    key = copenssl_public_key("RSA", parameters);
    OSSL_PARAM_free(parameters);
  }
  OSSL_PARAM_BLD_free(builder);
  BN_free(modulus);
  BN_free(exponent);
  return key;
}

// `point` in SEC 1's uncompressed form: 0x04, x, y.
static inline EVP_PKEY *copenssl_p256_public_key(const unsigned char *point, size_t count) {
  char curve[] = "P-256";
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve, 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, count),
      OSSL_PARAM_construct_end(),
  };
  return copenssl_public_key("EC", parameters);
}

static inline EVP_PKEY *copenssl_generate_rsa(size_t bits) { return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits); }
static inline EVP_PKEY *copenssl_generate_p256(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

// HKDF with SHA-256 (RFC 5869). OpenSSL 3.0 cannot copy a context of HKDF, so each has its hash looked up.
static inline int copenssl_hkdf(EVP_KDF *kdf, const unsigned char *secret, size_t secret_count, const unsigned char *salt,
                                size_t salt_count, const unsigned char *info, size_t info_count, unsigned char *out, size_t count) {
  char digest[] = "SHA256";
  EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count),
      OSSL_PARAM_construct_end(),
  };
  int is_done = context && EVP_KDF_derive(context, out, count, parameters) == 1;
  EVP_KDF_CTX_free(context);
  return is_done;
}

// HMAC with SHA-256 (RFC 2104).
static inline int copenssl_set_sha256_key(EVP_MAC_CTX *context, const unsigned char *key, size_t count) {
  char digest[] = "SHA256";
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key, count, parameters);
}

// Adds an extension, as openssl.cnf would have it (x509v3_config(5)).
static inline int copenssl_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  int is_added = extension && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return is_added;
}
