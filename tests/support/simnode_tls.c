/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#ifdef HAVE_OPENSSL
#include <openssl/err.h>
#include <openssl/ssl.h>

static SSL_CTX *context;

static void give_up(const char *what) {
  fprintf(stderr, "simnode: %s\n", what);
  ERR_print_errors_fp(stderr);
  exit(2);
}

void tls_open(const char *certificate, const char *client_ca) {
  context = SSL_CTX_new(TLS_server_method());
  if (context == NULL)
    give_up("no TLS");
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, certificate, SSL_FILETYPE_PEM) != 1)
    give_up(certificate);
  if (client_ca == NULL)
    return;
  if (SSL_CTX_load_verify_locations(context, client_ca, NULL) != 1)
    give_up(client_ca);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                     NULL);
}

void tls_accept(struct conn *conn) {
  SSL *tls;

  if (context == NULL)
    return;
  tls = SSL_new(context);
  if (tls == NULL || SSL_set_fd(tls, conn->fd) != 1)
    give_up("no TLS connection");
  SSL_set_accept_state(tls);
  conn->tls = tls;
}

void tls_end(struct conn *conn, bool is_orderly) {
  if (conn->tls == NULL)
    return;
  if (is_orderly)
    SSL_shutdown(conn->tls);
  SSL_free(conn->tls);
  conn->tls = NULL;
}

/* As recv() and send() would have it. */
static ssize_t outcome(SSL *tls, int n) {
  int why = SSL_get_error(tls, n);

  ERR_clear_error();
  if (n > 0)
    return n;
  if (why == SSL_ERROR_ZERO_RETURN)
    return 0;
  errno = why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? EAGAIN
                                                                    : EPROTO;
  return -1;
}

ssize_t tls_recv(struct conn *conn, void *bytes, size_t len) {
  if (conn->tls == NULL)
    return stamp_recv(conn->fd, bytes, len, &conn->arrived_ns);
  conn->arrived_ns = now_ns();
  return outcome(conn->tls, SSL_read(conn->tls, bytes, (int)len));
}

ssize_t tls_send(struct conn *conn, const void *bytes, size_t len) {
  if (conn->tls == NULL)
    return send(conn->fd, bytes, len, MSG_NOSIGNAL);
  return outcome(conn->tls, SSL_write(conn->tls, bytes, (int)len));
}

void tls_close(void) { SSL_CTX_free(context); }

#else

void tls_open(const char *certificate, const char *client_ca) {
  (void)certificate;
  (void)client_ca;
  fputs("simnode: built without OpenSSL: no TLS\n", stderr);
  exit(77);
}
void tls_accept(struct conn *conn) { (void)conn; }
void tls_end(struct conn *conn, bool is_orderly) {
  (void)conn;
  (void)is_orderly;
}
ssize_t tls_recv(struct conn *conn, void *bytes, size_t len) {
  return stamp_recv(conn->fd, bytes, len, &conn->arrived_ns);
}
ssize_t tls_send(struct conn *conn, const void *bytes, size_t len) {
  return send(conn->fd, bytes, len, MSG_NOSIGNAL);
}
void tls_close(void) {}

#endif
