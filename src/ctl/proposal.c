/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/proposal.h"

#include <stdio.h>
#include <string.h>

static void add_quoted(struct buf *out, const char *text) {
  buf_add_text(out, "\"");
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      buf_add_text(out, "\\");
    buf_add(out, text, 1);
  }
  buf_add_text(out, "\"");
}

static void add_line(struct buf *out, const char *key, const char *value) {
  buf_printf(out, "  %s ", key);
  add_quoted(out, value);
  buf_add_text(out, "\n");
}

static void add_login(const struct proposal *proposal, struct buf *out) {
  if (proposal->username) {
    add_line(out, "Username", proposal->username);
    add_line(out, "PasswordFile", proposal->password_file);
  }
  if (proposal->origin)
    add_line(out, "Origin", proposal->origin);
}

/* What a broker said stands in a comment: on one line. */
static void add_comment(struct buf *out, const char *text) {
  for (; *text; text++) {
    bool is_plain = (unsigned char)*text >= ' ' && *text != 0x7f;
    buf_add(out, is_plain ? text : "?", 1);
  }
}

typedef void adder(struct buf *out, const char *text);

static void add_both(struct buf *out, adder *add, const char *head,
                     const char *first, const char *between,
                     const char *second) {
  buf_add_text(out, head);
  add(out, first);
  buf_add_text(out, between);
  add(out, second);
  buf_add_text(out, "\n");
}

static void add_nodes(const struct proposal *proposal, struct buf *out) {
  for (size_t i = 0; i < proposal->n_nodes; i++)
    add_both(out, add_quoted, "  Node ", proposal->nodes[i].name, " ",
             proposal->nodes[i].url);
}

static void add_left(const struct proposal *proposal, struct buf *out) {
  for (size_t i = 0; i < proposal->n_left; i++)
    add_both(out, add_comment, "  # not in here: ", proposal->left[i].core,
             ": ", proposal->left[i].why);
}

static void add_discovery(const struct proposal *proposal, struct buf *out) {
  add_both(out, add_quoted,
           "  # To watch members that join later, too:\n"
           "  # Discover true\n"
           "  # DiscoverHosts ",
           proposal->host, "\n  # URLTemplate ", proposal->url_template);
}

void proposal_write(const struct proposal *proposal, struct buf *out) {
  buf_add_text(out, "<Cluster ");
  add_quoted(out, proposal->cluster);
  buf_add_text(out, ">\n");
  add_login(proposal, out);
  add_nodes(proposal, out);
  add_left(proposal, out);
  add_discovery(proposal, out);
  buf_add_text(out, "</Cluster>\n");
}

void proposal_template(const struct url *url, char *ret) {
  const char *from = strstr(url->text, "://") + 3;
  bool is_bracketed = *from == '[';
  const char *end = from + strcspn(from, is_bracketed ? "]" : ":/");
  snprintf(ret, URL_MAX + 8, "%.*s{host}%s", (int)(from - url->text), url->text,
           end + is_bracketed);
}

void proposal_hosts(const char *host, char *ret) {
  const char *dot = strchr(host, '.');
  bool is_name = dot && dot[1] && strspn(host, "0123456789.") < strlen(host) &&
                 !strchr(host, ':');
  snprintf(ret, 260, "%s%s", is_name ? "*" : "", is_name ? dot : host);
}
