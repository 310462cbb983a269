/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/registration.h"

#include "config/options.h"
#include "config/value.h"
#include "ctl/proposal.h"
#include "ctl/subject.h"
#include "ctl/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROPOSAL "the proposed file"
#define FOLDER "/etc/collectd"

void registration_fini(struct registration *registration) {
  operator_close(&registration->login);
  free(registration->found);
  free(registration->left);
  buf_fini(&registration->line);
  buf_fini(&registration->text);
}

/* -- Nodes -- */

bool registration_has_url(const struct registration *registration,
                          const struct url *url) {
  for (size_t i = 0; i < registration->n_found; i++)
    if (strcmp(registration->found[i].url.key, url->key) == 0)
      return true;
  return false;
}

static bool has_name(const struct registration *registration,
                     const char *name) {
  for (size_t i = 0; i < registration->n_found; i++)
    if (strcmp(registration->found[i].name, name) == 0)
      return true;
  return false;
}

static void name_it(const struct registration *registration,
                    const struct identity *identity, struct found *found) {
  const char *name = identity->broker_name;
  if (!value_name_error(name) && strlen(name) < sizeof(found->name) &&
      !has_name(registration, name))
    snprintf(found->name, sizeof(found->name), "%.127s", name);
  else
    snprintf(found->name, sizeof(found->name), "%.110s-%u", found->url.host,
             (unsigned)found->url.port);
  for (char *c = found->name; *c; c++)
    if (*c == ':') /* of an IPv6 address */
      *c = '-';
}

void registration_add(struct registration *registration, const struct url *url,
                      const struct identity *identity) {
  struct found *found =
      reallocarray(registration->found, registration->n_found + 1,
                   sizeof(*registration->found));
  if (!found)
    return;
  registration->found = found;
  found += registration->n_found;
  *found = (struct found){.url = *url, .is_backup = !identity->is_active};
  memcpy(found->node_id, identity->node_id, sizeof(found->node_id));
  name_it(registration, identity, found);
  registration->n_found++;
}

void registration_leave(struct registration *registration, const char *core,
                        const char *why) {
  if (registration->n_left == REGISTRATION_LEFT_MAX)
    return;
  struct left *left = reallocarray(registration->left, registration->n_left + 1,
                                   sizeof(*registration->left));
  if (!left)
    return;
  registration->left = left;
  left += registration->n_left++;
  snprintf(left->core, sizeof(left->core), "%s", core);
  snprintf(left->why, sizeof(left->why), "%s", why);
}

/* -- The text -- */

/* A node's name would do for a cluster of one, but not once it discovers. */
static void name_cluster(struct registration *registration) {
  char *name = registration->cluster;
  size_t size = sizeof(registration->cluster);
  char question[256];
  char answer[128];
  snprintf(name, size, "%.118s-cluster", registration->found[0].name);
  if (registration->ctl->name) {
    snprintf(name, size, "%.127s", registration->ctl->name);
    return;
  }
  snprintf(question, sizeof(question), "Name of the cluster, or Enter for %s",
           name);
  for (int tries = 0; tries < 3 && terminal_is_there(); tries++) {
    if (!terminal_ask(question, ":", answer, sizeof(answer)) || !answer[0])
      return;
    const char *reason = value_name_error(answer);
    if (!reason && !has_name(registration, answer)) {
      snprintf(name, size, "%s", answer);
      return;
    }
    fprintf(stderr, "It %s\n", reason ? reason : "is a node's name");
  }
}

/* Where the file's reader is to find the password: never in the file. */
static void name_password_file(const struct registration *registration,
                               char *ret, size_t size) {
  const char *given = registration->ctl->password_file;
  const char *file = registration->ctl->write;
  const char *slash = file ? strrchr(file, '/') : NULL;
  char *path = given && strcmp(given, "-") != 0 ? realpath(given, NULL) : NULL;
  char *folder = NULL;
  if (file && !slash)
    folder = realpath(".", NULL);
  else if (slash && slash != file) {
    char *copy = strndup(file, (size_t)(slash - file));
    folder = copy ? realpath(copy, NULL) : NULL;
    free(copy);
  }
  if (path)
    snprintf(ret, size, "%s", path);
  else
    snprintf(ret, size, "%s/%s.password", folder ? folder : FOLDER,
             registration->cluster);
  free(path);
  free(folder);
}

void registration_write(struct registration *registration) {
  struct proposal_node nodes[REGISTRATION_NODES_MAX];
  struct proposal_left left[REGISTRATION_LEFT_MAX];
  char password_file[4096];
  char template[URL_MAX + 8];
  char hosts[260];
  name_cluster(registration);
  name_password_file(registration, password_file, sizeof(password_file));
  proposal_template(&registration->url, template);
  proposal_hosts(registration->url.host, hosts);
  for (size_t i = 0; i < registration->n_found; i++)
    nodes[i] = (struct proposal_node){registration->found[i].name,
                                      registration->found[i].url.text};
  for (size_t i = 0; i < registration->n_left; i++)
    left[i] = (struct proposal_left){registration->left[i].core,
                                     registration->left[i].why};
  const struct proposal proposal = {.cluster = registration->cluster,
                                    .username = registration->login.username,
                                    .password_file = password_file,
                                    .origin = registration->prospect.origin,
                                    .nodes = nodes,
                                    .n_nodes = registration->n_found,
                                    .left = left,
                                    .n_left = registration->n_left,
                                    .url_template = template,
                                    .host = hosts};
  proposal_write(&proposal, &registration->text);
}

void registration_check(const struct registration *registration) {
  struct subject subject;
  struct buf whole;
  struct error error;
  buf_init(&whole, registration->text.max + 100);
  buf_add_text(&whole, "<Plugin jolokia>\n");
  buf_add(&whole, registration->text.data, registration->text.len);
  buf_add_text(&whole, "</Plugin>\n");
  (void)subject_load_with(registration->ctl, buf_text(&whole), PROPOSAL,
                          &subject, &error);
  for (size_t i = 0; i < subject.problems.n; i++) {
    const struct problem *problem = &subject.problems.list[i];
    if (strncmp(problem->place, PROPOSAL, strlen(PROPOSAL)) == 0)
      fprintf(stderr, "still to be mended: %s\n", problem->text);
  }
  subject_fini(&subject);
  buf_fini(&whole);
}

/* -- The file -- */

static enum status refuse(const char *path, struct error *error) {
  return error_set(error, STATUS_INVALID, "--write %.256s: %s", path,
                   strerrordesc_np(errno));
}

/* Through a file beside it, which gets the name only where nothing has it. */
enum status registration_save(const struct registration *registration,
                              struct error *error) {
  const char *path = registration->ctl->write;
  const struct buf *text = &registration->text;
  char scratch[4096];
  if (text->status)
    return error_set(error, text->status,
                     "--write: no room for the file: nothing is written");
  int n = snprintf(scratch, sizeof(scratch), "%s.XXXXXX", path);
  if (n < 0 || (size_t)n >= sizeof(scratch))
    return error_set(error, STATUS_INVALID, "--write: the path is too long");
  int fd = mkostemp(scratch, O_CLOEXEC);
  if (fd < 0)
    return refuse(path, error);
  bool is_well = write(fd, text->data, text->len) == (ssize_t)text->len &&
                 fchmod(fd, 0640) == 0 && fsync(fd) == 0;
  is_well = close(fd) == 0 && is_well && link(scratch, path) == 0;
  enum status status = is_well ? STATUS_OK : refuse(path, error);
  unlink(scratch);
  return status;
}

/* Whether no ClusterFiles is set: a line of it would end what is read now. */
static bool has_default_files(const struct subject *subject,
                              const char *fallback) {
  const struct pattern_list *files = &subject->settings.cluster_files;
  return subject->is_collectd_conf && files->n == 1 &&
         strcmp(fallback, files->pattern[0]) == 0;
}

static bool is_read(const struct registration *registration,
                    const struct subject *subject) {
  const struct settings *settings = &subject->settings;
  const struct problems *problems = &subject->problems;
  const char *cluster = registration->cluster;
  for (size_t i = 0; i < settings->n_nodes; i++)
    if (strcmp(settings->nodes[i].cluster, cluster) == 0)
      return true;
  for (size_t i = 0; i < problems->n; i++)
    if (strcmp(problems->list[i].cluster, cluster) == 0)
      return true;
  return false;
}

/* The file of the cluster's name, where a pattern has one star, in its last
 * part. */
static bool path_of(const char *pattern, const char *cluster, char *ret,
                    size_t size) {
  size_t before = strcspn(pattern, "*?[\\");
  const char *after = pattern + before + 1;
  if (pattern[before] != '*' || strpbrk(after, "*?[\\/"))
    return false;
  snprintf(ret, size, "%.*s%s%s", (int)before, pattern, cluster, after);
  return true;
}

struct next {
  char path[4096]; /* where the file is, or should be */
  char line[4300]; /* what collectd.conf needs */
  bool is_option;  /* ${line} stands in the <Plugin jolokia> block */
};

/* It is not among ClusterFiles. */
static void need_option(struct next *next, const char *others) {
  snprintf(next->line, sizeof(next->line), "ClusterFiles %s%s\"%s\"", others,
           *others ? " " : "", next->path);
  next->is_option = true;
}

static void where_to_save(const struct registration *registration,
                          const struct subject *subject, const char *fallback,
                          struct next *next) {
  const struct pattern_list *files = &subject->settings.cluster_files;
  const char *cluster = registration->cluster;
  for (size_t i = 0; i < files->n; i++)
    if (path_of(files->pattern[i], cluster, next->path, sizeof(next->path)))
      return;
  (void)path_of(fallback, cluster, next->path, sizeof(next->path));
  need_option(next, "");
}

static void find_next(const struct registration *registration,
                      struct next *next) {
  const char *quoted = option_find("ClusterFiles", IN_PLUGIN)->fallback;
  char fallback[64];
  const char *written = registration->ctl->write;
  struct subject subject;
  struct error error;
  char *whole = written ? realpath(written, NULL) : NULL;
  snprintf(fallback, sizeof(fallback), "%.*s", (int)strlen(quoted) - 2,
           quoted + 1);
  *next = (struct next){.line = "LoadPlugin jolokia"};
  (void)subject_load(registration->ctl, &subject, &error);
  if (written)
    snprintf(next->path, sizeof(next->path), "%s", whole ? whole : written);
  if (!written)
    where_to_save(registration, &subject, fallback, next);
  else if (!is_read(registration, &subject))
    need_option(next, has_default_files(&subject, fallback) ? quoted : "");
  subject_fini(&subject);
  free(whole);
}

void registration_tell_next(struct registration *registration) {
  const char *written = registration->ctl->write;
  struct next next;
  find_next(registration, &next);
  if (registration->output.is_json) {
    struct buf *out = &registration->line;
    member_begin(out);
    member_text(out, "cluster", registration->cluster);
    member_int(out, "nodes", (int64_t)registration->n_found);
    member_int(out, "left_out", (int64_t)registration->n_left);
    member_text(out, "file", written ? next.path : NULL);
    member_text(out, "text", buf_text(&registration->text));
    member_text(out, "line", next.line);
    member_end(out);
    output_write(&registration->output, out);
    return;
  }
  if (written)
    fprintf(stderr, "%s is written%s", written,
            next.is_option ? "" : ", and is among ClusterFiles");
  else
    fprintf(stderr, "Save this as %s", next.path);
  fprintf(stderr, "; collectd.conf needs%s the line\n  %s\n",
          next.is_option ? ", in its <Plugin jolokia> block," : "", next.line);
}
