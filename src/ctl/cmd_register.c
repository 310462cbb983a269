/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "base/clock.h"
#include "base/host.h"
#include "config/value.h"
#include "ctl/exit_code.h"
#include "ctl/operator.h"
#include "ctl/output.h"
#include "ctl/proposal.h"
#include "ctl/prospect.h"
#include "ctl/registration.h"
#include "ctl/session.h"
#include "ctl/subject.h"
#include "ctl/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 262144
#define USUAL_ORIGIN "http://localhost"

/* -- What the broker at a URL is, and what the login may do there -- */

static const char *may(enum probe_may may) {
  return may == PROBE_MAY ? "yes" : may == PROBE_MAY_NOT ? "no" : "unknown";
}

static const char *role_of(const struct identity *identity) {
  if (identity->is_active)
    return "active";
  return identity->is_backup ? "backup" : "starting";
}

static void tell_json(struct registration *registration, const struct url *url,
                      const struct probe *probe) {
  struct buf *out = &registration->line;
  bool is_broker = probe->conclusion == PROBE_BROKER;
  const struct identity *identity = &probe->identity;
  member_begin(out);
  member_text(out, "url", url->key);
  member_text(out, "conclusion", probe_conclusion_name(probe->conclusion));
  member_text(out, "broker", is_broker ? identity->broker_name : NULL);
  member_text(out, "version", is_broker ? identity->version : NULL);
  member_text(out, "agent", is_broker ? identity->agent : NULL);
  member_text(out, "role", is_broker ? role_of(identity) : NULL);
  member_text(out, "node_id", is_broker ? identity->node_id : NULL);
  member_text(out, "may_search", may(probe->may_search));
  member_text(out, "may_list", may(probe->may_list));
  member_text(out, "may_change_by_id", may(probe->may_by_id));
  member_text(out, "error", is_broker ? NULL : status_name(probe->why.kind));
  member_text(out, "reason", is_broker ? NULL : probe->why.text);
  member_end(out);
  output_write(&registration->output, out);
}

static void tell(struct registration *registration, const struct url *url,
                 const struct probe *probe) {
  const struct identity *identity = &probe->identity;
  if (registration->output.is_json) {
    tell_json(registration, url, probe);
    return;
  }
  if (probe->conclusion != PROBE_BROKER) {
    fprintf(stderr, "%s: %s: %s%s\n", url->key,
            probe_conclusion_name(probe->conclusion), probe->why.text,
            probe->conclusion == PROBE_NO_LOGIN
                ? ", or here give --user NAME, with --password-file FILE or at "
                  "a terminal"
                : "");
    return;
  }
  output_note("%s: broker %s, Artemis %s, Jolokia %s, %s", url->key,
              identity->broker_name, identity->version, identity->agent,
              role_of(identity));
  if (probe->may_search == PROBE_MAY_NOT)
    fputs("  search is refused\n", stderr);
  if (probe->may_list == PROBE_MAY_NOT)
    fputs("  listing is refused: queues will be read by pattern, which costs "
          "the broker more\n",
          stderr);
  if (probe->may_by_id == PROBE_MAY_NOT)
    fputs("  this login may not move or remove messages, as a monitor's "
          "should not\n",
          stderr);
}

/* Ctrl-C at a question is no answer to it. */
static enum status check_stop(struct error *error) {
  return session_is_stopped() ? error_set(error, STATUS_CANCELLED,
                                          "interrupted: nothing is written")
                              : STATUS_OK;
}

/* -- The URL itself -- */

static enum status probe_once(struct registration *registration,
                              const struct url *url, struct topology *topology,
                              struct probe *ret, struct error *error) {
  *error = (struct error){.kind = STATUS_OK};
  registration->prospect.username = registration->login.username;
  registration->prospect.password = registration->login.password;
  enum status status =
      prospect_probe(&registration->prospect, url, topology, ret, error);
  if (!status)
    tell(registration, url, ret);
  return status;
}

/* A login is asked for where none was given and one is wanted. */
static bool ask_login(struct registration *registration) {
  char user[256];
  struct error error;
  struct ctl ctl = *registration->ctl;
  if (registration->login.username || !terminal_is_there() ||
      !terminal_ask("User (of the monitor)", ":", user, sizeof(user)) ||
      !user[0])
    return false;
  ctl.user = user;
  if (operator_open(&ctl, &registration->login, &error) == STATUS_OK)
    return true;
  fprintf(stderr, "jolokiactl: %s\n", error.text);
  return false;
}

static enum status probe_first(struct registration *registration,
                               struct topology *topology, struct probe *ret,
                               struct error *error) {
  const struct url *url = &registration->url;
  enum status status = probe_once(registration, url, topology, ret, error);
  if (!status && ret->conclusion == PROBE_NO_LOGIN && ask_login(registration))
    status = probe_once(registration, url, topology, ret, error);
  if (!status)
    status = check_stop(error);
  if (!status && ret->conclusion == PROBE_ORIGIN) {
    fprintf(stderr, "Origin %s is refused; trying the usual other one, %s\n",
            url->origin, USUAL_ORIGIN);
    registration->prospect.origin = USUAL_ORIGIN;
    status = probe_once(registration, url, topology, ret, error);
  }
  return status;
}

/* -- Its members -- */

static bool is_known(const struct registration *registration,
                     const struct topology_member *member) {
  for (size_t i = 0; i < registration->n_found; i++) {
    const struct found *found = &registration->found[i];
    if (member->node_id[0] && found->is_backup == member->is_backup &&
        strcmp(found->node_id, member->node_id) == 0)
      return true;
  }
  return false;
}

/* The login goes to the first URL's own host, to those of --allow-host, and to
 * those that a person at the terminal has said yes to. */
static bool may_send(const struct registration *registration,
                     const struct url *url) {
  const char *pattern = registration->ctl->allow_host;
  return strcmp(url->host, registration->url.host) == 0 ||
         (pattern && host_matches(&pattern, 1, url->host));
}

/* The URL of a member; false: it has none, ${why} says why. */
static bool url_of(const struct registration *registration,
                   const struct topology_member *member, const char *core,
                   struct url *ret, struct error *why) {
  static const char *const all[] = {"*"};
  char template[URL_MAX + 8];
  char prompt[1024];
  char answer[URL_MAX] = "";
  proposal_template(&registration->url, template);
  const struct topology_rules rules = {
      .url_template = template, .hosts = all, .n_hosts = 1};
  bool is_made = topology_url(&rules, &member->core, ret, why) == STATUS_OK &&
                 !registration_has_url(registration, ret);
  if (is_made && may_send(registration, ret))
    return true;
  if (!terminal_is_there()) {
    error_set(why, STATUS_DENIED,
              is_made
                  ? "its host was named by a broker alone: --allow-host "
                    "\"%s\" lets it have the login"
                  : "no URL is known for it, as %s has one already: add its "
                    "Node line by hand",
              ret->host);
    return false;
  }
  snprintf(prompt, sizeof(prompt),
           "Member %s: the URL to send the login to, or Enter for %.400s", core,
           is_made ? ret->key : "none");
  if (!terminal_ask(prompt, ":", answer, sizeof(answer)) ||
      (!answer[0] && !is_made)) {
    error_set(why, STATUS_NOT_FOUND, "no URL was given");
    return false;
  }
  return !answer[0] || strcmp(answer, "-") == 0
             ? answer[0] == 0
             : url_parse(answer, ret, why) == STATUS_OK;
}

/* Whether it is a node of the file now; else ${why}, which is told. */
static bool take_member(struct registration *registration,
                        const struct topology_member *member, const char *core,
                        struct error *why) {
  struct url url;
  struct probe probe;
  if (registration->n_found == REGISTRATION_NODES_MAX) {
    error_set(why, STATUS_INVALID, "there are %d already",
              REGISTRATION_NODES_MAX);
  } else if (url_of(registration, member, core, &url, why) &&
             probe_once(registration, &url, NULL, &probe, why) == STATUS_OK) {
    if (probe.conclusion == PROBE_BROKER) {
      registration_add(registration, &url, &probe.identity);
      return true;
    }
    *why = probe.why;
    return false;
  }
  output_note("member %s: %s", core, why->text);
  return false;
}

/* A member that cannot be had costs itself alone. */
static enum status follow(struct registration *registration,
                          const struct topology *topology,
                          struct error *error) {
  for (size_t i = 0; i < topology->n; i++) {
    const struct topology_member *member = &topology->members[i];
    char core[300];
    struct error why = {.kind = STATUS_NOT_FOUND, .text = "it was left out"};
    if (is_known(registration, member))
      continue;
    snprintf(core, sizeof(core), "%s%s%s:%u", member->core.is_ipv6 ? "[" : "",
             member->core.host, member->core.is_ipv6 ? "]" : "",
             (unsigned)member->core.port);
    bool is_taken = take_member(registration, member, core, &why);
    if (check_stop(error))
      return STATUS_CANCELLED;
    if (!is_taken)
      registration_leave(registration, core, why.text);
  }
  return STATUS_OK;
}

/* -- The file -- */

static enum exit_code hand_over(struct registration *registration) {
  const struct ctl *ctl = registration->ctl;
  struct error error;
  struct buf *out = &registration->line;
  registration_write(registration);
  if (check_stop(&error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return EXIT_CODE_INTERRUPTED;
  }
  if (!registration->output.is_json && !ctl->write) {
    buf_add(out, registration->text.data, registration->text.len);
    output_write(&registration->output, out);
  }
  registration_check(registration);
  if (ctl->write && registration_save(registration, &error)) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    return EXIT_CODE_USAGE;
  }
  registration_tell_next(registration);
  return registration->n_left ? EXIT_CODE_SOME : EXIT_CODE_DONE;
}

/* -- All of it -- */

static enum exit_code run(struct registration *registration) {
  struct topology topology;
  struct probe probe = {.conclusion = PROBE_ODD};
  struct error error = {.kind = STATUS_OK};
  topology_init(&topology);
  enum status status = probe_first(registration, &topology, &probe, &error);
  if (!status && probe.conclusion != PROBE_BROKER) {
    topology_fini(&topology);
    return exit_code_of(probe.why.kind);
  }
  bool is_read = error.kind == STATUS_OK;
  if (!status && !is_read)
    fprintf(stderr, "the members of its cluster cannot be read: %s\n",
            error.text);
  if (!status) {
    registration_add(registration, &registration->url, &probe.identity);
    status = follow(registration, &topology, &error);
  }
  topology_fini(&topology);
  if (!status) {
    enum exit_code code = hand_over(registration);
    return code == EXIT_CODE_DONE && !is_read ? EXIT_CODE_SOME : code;
  }
  fprintf(stderr, "jolokiactl: %s\n", error.text);
  return exit_code_of(status);
}

static enum status open_all(struct registration *registration,
                            const struct subject *subject,
                            struct error *error) {
  const struct ctl *ctl = registration->ctl;
  enum status status = operator_open(ctl, &registration->login, error);
  if (!status)
    status = session_client_new(subject, ctl->is_unshared,
                                &registration->prospect.client, error);
  if (status)
    return status;
  session_catch_signals(registration->prospect.client);
  registration->prospect.ctl = ctl;
  registration->prospect.deadline_ns =
      ctl->timeout_ns ? clock_mono_ns() + ctl->timeout_ns : CLOCK_NEVER;
  return STATUS_OK;
}

static enum status check_arguments(struct registration *registration,
                                   const char *url, struct error *error) {
  const struct ctl *ctl = registration->ctl;
  const char *reason = ctl->name ? value_name_error(ctl->name) : NULL;
  if (reason)
    return error_set(error, STATUS_INVALID, "--name \"%.64s\" %s", ctl->name,
                     reason);
  if (ctl->write && access(ctl->write, F_OK) == 0)
    return error_set(error, STATUS_INVALID,
                     "--write %.256s: the file is there already, and is never "
                     "written over: name another, or move it away",
                     ctl->write);
  return url_parse(url, &registration->url, error);
}

int register_main(const struct ctl *given) {
  struct ctl ctl = *given;
  struct registration registration = {.ctl = &ctl,
                                      .output = output_begin(given->is_json)};
  struct subject subject;
  struct error error;
  enum exit_code code;
  buf_init(&registration.line, TEXT_MAX);
  buf_init(&registration.text, TEXT_MAX);
  ctl.target = NULL; /* it is no cluster's name */
  enum status status = check_arguments(&registration, given->target, &error);
  enum status loaded = subject_load(&ctl, &subject, status ? NULL : &error);
  if (!status)
    status = loaded;
  if (!status)
    status = open_all(&registration, &subject, &error);
  if (status) {
    fprintf(stderr, "jolokiactl: %s\n", error.text);
    code = exit_code_of(status);
  } else {
    code = run(&registration);
  }
  session_catch_signals(NULL);
  client_free(registration.prospect.client);
  registration_fini(&registration);
  subject_fini(&subject);
  if (!output_end(&registration.output))
    code = EXIT_CODE_SOME;
  return (int)code;
}
