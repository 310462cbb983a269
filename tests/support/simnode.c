/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "simnode.h"

#include <errno.h>
#include <getopt.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct options {
  const char *listen;
  unsigned port;
  size_t n_ports;
  const char *port_file;
  const char *certificate;
  const char *client_ca;
  size_t n_queues;
  long n_addresses; /* -1: one a queue */
  size_t n_messages;
  const char *origin;
  bool nasty;
  const char *names;
  bool internal;
  long seconds;
  pid_t with;
  char **hazards; /* "[INDEX:]NAME[=VALUE]" */
  size_t n_hazards;
};

static volatile sig_atomic_t is_stopping;

static void stop(int signal_number) {
  (void)signal_number;
  is_stopping = 1;
}

static void help(FILE *out) {
  fputs(
      "simnode: an Artemis-like Jolokia endpoint for tests, on loopback.\n"
      "Prints its ports, one a line, when it listens; ends on SIGTERM.\n\n"
      "  --port N            the first port; 0 (as by default): any free ones\n"
      "  --ports N           so many ports, each a node of its own [1]\n"
      "  --listen ADDRESS    [127.0.0.1]\n"
      "  --port-file FILE    the ports, one a line, once they listen\n"
      "  --log FILE          the log of arrivals\n"
      "  --log-wire          headers and bodies into it, too\n"
      "  --cert FILE         TLS, with this certificate chain and key (PEM)\n"
      "  --client-ca FILE    and only for clients with a certificate of these\n"
      "  --queues N          [10] sim.queue.00001, ...\n"
      "  --addresses N       [one a queue]\n"
      "  --internal          DLQ, ExpiryQueue, internal and temporary queues\n"
      "  --nasty             queues with odd names\n"
      "  --queue-names FILE  queues with the names of a JSON array\n"
      "  --version X.Y.Z     of Artemis [2.40.0]; before 2.40 Jolokia is 1.x\n"
      "  --domain NAME       [org.apache.activemq.artemis]\n"
      "  --name NAME         of the broker [sim]\n"
      "  --one-broker        all ports and paths have one NodeID, and an "
      "uptime\n"
      "                      that runs as the clock does\n"
      "  --topology JSON     what listNetworkTopology answers [[]]; @FILE: "
      "what\n"
      "                      stands there then\n"
      "  --messages N        in the first queue, with ids from 1000 on [0]\n"
      "  --origin QUEUE      which they come from, but every tenth\n"
      "  --set OBJECT.ATTRIBUTE=JSON  a value: broker.ConnectionCount=9,\n"
      "                      sim.queue.00001.MessageCount=7\n"
      "  --seconds N         ends after so long [3600]\n"
      "  --with PID          and with that process\n"
      "  --hazard [INDEX:]NAME[=VALUE]  of every port, or of the INDEXth\n\n"
      "A path takes hazards too: /slow=200+cut=9/console/jolokia. Each port\n"
      "and path is a node with counters of its own, which rise by request.\n\n"
      "The log's lines: NANOSECONDS PORT CONNECTION, and one of\n"
      "  open | close WHY | request N METHOD PATH HEADERBYTES\n"
      "  operations N COUNT TYPE... | answered N STATUS BYTES\n"
      "  executed ID true|false|... | looked COUNT LASTID (messages)\n"
      "N counts a port's requests, from the end of a header block on; a\n"
      "request's time is that of its arrival, by the kernel's stamp.\n\n"
      "Hazards:\n",
      out);
  hazards_help(out);
}

_Noreturn static void usage(const char *why, const char *what) {
  fprintf(stderr, "simnode: %s: %s (see --help)\n", why, what);
  exit(2);
}

static long number(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);

  if (end == text || *end != '\0' || value < 0)
    usage("not a number", text);
  return value;
}

static void add_preset(struct broker *broker, const char *word) {
  char *copy = strdup(word);
  char *equals = strchr(copy, '=');
  char *dot;
  struct preset *presets =
      realloc(broker->presets, (broker->n_presets + 1) * sizeof *presets);

  if (presets == NULL)
    exit(1);
  broker->presets = presets;
  if (equals != NULL)
    *equals = '\0';
  dot = strrchr(copy, '.');
  if (equals == NULL || dot == NULL)
    usage("not OBJECT.ATTRIBUTE=JSON", word);
  *dot = '\0';
  presets[broker->n_presets++] =
      (struct preset){.object = copy, .attribute = dot + 1, .json = equals + 1};
}

static void set_version(struct broker *broker, const char *version) {
  unsigned major, minor;

  if (sscanf(version, "%u.%u", &major, &minor) != 2)
    usage("not a version", version);
  broker->version = version;
  broker->version_number = 1000 * major + minor;
  broker->is_jolokia2 = broker->version_number >= 2040;
  broker->slashes = !broker->is_jolokia2;
}

enum option_key {
  O_PORT = 256,
  O_PORTS,
  O_LISTEN,
  O_PORT_FILE,
  O_LOG,
  O_LOG_WIRE,
  O_CERT,
  O_CLIENT_CA,
  O_QUEUES,
  O_ADDRESSES,
  O_INTERNAL,
  O_NASTY,
  O_QUEUE_NAMES,
  O_VERSION,
  O_DOMAIN,
  O_NAME,
  O_ONE_BROKER,
  O_TOPOLOGY,
  O_MESSAGES,
  O_ORIGIN,
  O_SET,
  O_SECONDS,
  O_WITH,
  O_HAZARD,
  O_HELP
};

static const struct option long_options[] = {
    {"port", required_argument, NULL, O_PORT},
    {"ports", required_argument, NULL, O_PORTS},
    {"listen", required_argument, NULL, O_LISTEN},
    {"port-file", required_argument, NULL, O_PORT_FILE},
    {"log", required_argument, NULL, O_LOG},
    {"log-wire", no_argument, NULL, O_LOG_WIRE},
    {"cert", required_argument, NULL, O_CERT},
    {"client-ca", required_argument, NULL, O_CLIENT_CA},
    {"queues", required_argument, NULL, O_QUEUES},
    {"addresses", required_argument, NULL, O_ADDRESSES},
    {"internal", no_argument, NULL, O_INTERNAL},
    {"nasty", no_argument, NULL, O_NASTY},
    {"queue-names", required_argument, NULL, O_QUEUE_NAMES},
    {"version", required_argument, NULL, O_VERSION},
    {"domain", required_argument, NULL, O_DOMAIN},
    {"name", required_argument, NULL, O_NAME},
    {"one-broker", no_argument, NULL, O_ONE_BROKER},
    {"topology", required_argument, NULL, O_TOPOLOGY},
    {"messages", required_argument, NULL, O_MESSAGES},
    {"origin", required_argument, NULL, O_ORIGIN},
    {"set", required_argument, NULL, O_SET},
    {"seconds", required_argument, NULL, O_SECONDS},
    {"with", required_argument, NULL, O_WITH},
    {"hazard", required_argument, NULL, O_HAZARD},
    {"help", no_argument, NULL, O_HELP},
    {NULL, 0, NULL, 0}};

static void add_hazard(struct options *options, char *word) {
  char **hazards =
      realloc(options->hazards, (options->n_hazards + 1) * sizeof *hazards);

  if (hazards == NULL)
    exit(1);
  options->hazards = hazards;
  hazards[options->n_hazards++] = word;
}

static void take_option(struct sim *sim, struct options *options, int key) {
  switch (key) {
  case O_PORT:
    options->port = (unsigned)number(optarg);
    break;
  case O_PORTS:
    options->n_ports = (size_t)number(optarg);
    break;
  case O_LISTEN:
    options->listen = optarg;
    break;
  case O_PORT_FILE:
    options->port_file = optarg;
    break;
  case O_LOG:
    log_open(optarg);
    break;
  case O_LOG_WIRE:
    sim->log_wire = true;
    break;
  case O_CERT:
    options->certificate = optarg;
    break;
  case O_CLIENT_CA:
    options->client_ca = optarg;
    break;
  case O_QUEUES:
    options->n_queues = (size_t)number(optarg);
    break;
  case O_ADDRESSES:
    options->n_addresses = number(optarg);
    break;
  case O_INTERNAL:
    options->internal = true;
    break;
  case O_NASTY:
    options->nasty = true;
    break;
  case O_QUEUE_NAMES:
    options->names = optarg;
    break;
  case O_VERSION:
    set_version(&sim->broker, optarg);
    break;
  case O_DOMAIN:
    sim->broker.domain = optarg;
    break;
  case O_NAME:
    sim->broker.name = optarg;
    break;
  case O_ONE_BROKER:
    sim->broker.one_since_ns = now_ns();
    break;
  case O_TOPOLOGY:
    sim->broker.topology = optarg;
    break;
  case O_MESSAGES:
    options->n_messages = (size_t)number(optarg);
    break;
  case O_ORIGIN:
    options->origin = optarg;
    break;
  case O_SET:
    add_preset(&sim->broker, optarg);
    break;
  case O_SECONDS:
    options->seconds = number(optarg);
    break;
  case O_WITH:
    options->with = (pid_t)number(optarg);
    break;
  case O_HAZARD:
    add_hazard(options, optarg);
    break;
  case O_HELP:
    help(stdout);
    exit(0);
  default:
    exit(2);
  }
}

static void apply_hazards(struct sim *sim, const struct options *options) {
  for (size_t h = 0; h < options->n_hazards; h++) {
    char *word = options->hazards[h];
    size_t digits = strspn(word, "0123456789");
    size_t first = 0, last = sim->n_ports;

    if (digits > 0 && word[digits] == ':') {
      first = strtoul(word, NULL, 10) - 1;
      last = first + 1;
      word += digits + 1;
    }
    if (last > sim->n_ports)
      usage("no such port", options->hazards[h]);
    for (size_t i = first; i < last; i++)
      if (!hazards_add(&sim->ports[i].hazards, word))
        usage("no such hazard, or not with this value", word);
  }
}

static void open_port(struct port *port, const char *listen_at,
                      unsigned wanted) {
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE,
                           .ai_socktype = SOCK_STREAM};
  struct addrinfo *found;
  struct sockaddr_storage bound;
  socklen_t len = sizeof bound;
  char service[16];
  int one = 1;

  snprintf(service, sizeof service, "%u", wanted);
  if (getaddrinfo(listen_at, service, &hints, &found) != 0)
    usage("not an address", listen_at);
  port->fd =
      socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(port->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  stamp_want(port->fd);
  if (port->fd < 0 || bind(port->fd, found->ai_addr, found->ai_addrlen) < 0 ||
      (!port->hazards.on[H_REFUSE] && listen(port->fd, 1024) < 0) ||
      getsockname(port->fd, (struct sockaddr *)&bound, &len) < 0) {
    perror("simnode: listen");
    exit(1);
  }
  freeaddrinfo(found);
  getnameinfo((struct sockaddr *)&bound, len, NULL, 0, service, sizeof service,
              NI_NUMERICSERV);
  port->number = (unsigned)strtoul(service, NULL, 10);
}

static void tell_ports(const struct sim *sim, const char *file) {
  struct text lines = {0}, hidden = {0};
  FILE *out;

  for (size_t i = 0; i < sim->n_ports; i++) {
    text_number(&lines, sim->ports[i].number);
    text_addz(&lines, "\n");
  }
  fputs(lines.bytes, stdout);
  fflush(stdout);
  if (file != NULL) { /* whole, or not there yet */
    text_addz(&hidden, file);
    text_addz(&hidden, ".new");
    out = fopen(hidden.bytes, "we");
    if (out == NULL || fputs(lines.bytes, out) < 0 || fclose(out) != 0 ||
        rename(hidden.bytes, file) != 0) {
      perror(file);
      exit(1);
    }
  }
  text_free(&lines);
  text_free(&hidden);
}

static void end_with(const struct sim *sim, pid_t process) {
  struct epoll_event event = {.events = EPOLLIN};
  int fd = (int)syscall(SYS_pidfd_open, process, 0);

  if (fd < 0 || epoll_ctl(sim->epoll, EPOLL_CTL_ADD, fd, &event) < 0) {
    perror("simnode: --with");
    exit(1);
  }
}

static void start(struct sim *sim, const struct options *options) {
  struct rlimit files;

  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  sim->n_ports = options->n_ports;
  sim->ports = calloc(sim->n_ports, sizeof *sim->ports);
  sim->epoll = epoll_create1(EPOLL_CLOEXEC);
  if (sim->ports == NULL || sim->epoll < 0)
    exit(1);
  if (options->with > 0)
    end_with(sim, options->with);
  apply_hazards(sim, options);
  if (options->certificate != NULL)
    tls_open(options->certificate, options->client_ca);
  broker_build(&sim->broker, options->n_queues,
               options->n_addresses < 0 ? options->n_queues
                                        : (size_t)options->n_addresses,
               options->nasty, options->internal, options->names);
  messages_build(options->n_messages, options->origin);
  for (size_t i = 0; i < sim->n_ports; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &sim->ports[i]};

    open_port(&sim->ports[i], options->listen,
              options->port > 0 ? options->port + (unsigned)i : 0);
    if (!sim->ports[i].hazards.on[H_REFUSE])
      epoll_ctl(sim->epoll, EPOLL_CTL_ADD, sim->ports[i].fd, &event);
  }
  tell_ports(sim, options->port_file);
}

/* Milliseconds until something is due, at most a second; runs what is. */
static int run_due(struct sim *sim) {
  int64_t now = now_ns(), soonest = now + 1000000000;

  for (struct conn *conn = sim->conns; conn != NULL; conn = conn->next) {
    if (!conn->is_closed && conn->due_ns > 0 && conn->due_ns <= now)
      conn_due(sim, conn);
    if (!conn->is_closed && conn->due_ns > 0 && conn->due_ns < soonest)
      soonest = conn->due_ns;
  }
  conn_sweep(sim);
  return soonest <= now ? 0 : (int)((soonest - now + 999999) / 1000000);
}

static void loop(struct sim *sim, int64_t until_ns) {
  struct epoll_event events[64];

  while (!is_stopping && now_ns() < until_ns) {
    int n = epoll_wait(sim->epoll, events, 64, run_due(sim));

    for (int i = 0; i < n; i++) {
      struct port *port = events[i].data.ptr;

      if (port == NULL)
        is_stopping = 1;
      else if (port >= sim->ports && port < sim->ports + sim->n_ports)
        conn_open(sim, port);
      else if (!((struct conn *)events[i].data.ptr)->is_closed)
        conn_ready(sim, events[i].data.ptr, events[i].events);
    }
  }
}

static void finish(struct sim *sim) {
  for (struct conn *conn = sim->conns; conn != NULL; conn = conn->next) {
    if (!conn->is_closed)
      close(conn->fd);
    conn->is_closed = true;
  }
  conn_sweep(sim);
  for (size_t i = 0; i < sim->n_ports; i++) {
    while (sim->ports[i].nodes != NULL) {
      struct node *node = sim->ports[i].nodes;

      sim->ports[i].nodes = node->next;
      hazards_free(&node->hazards);
      free(node->path);
      free(node);
    }
    hazards_free(&sim->ports[i].hazards);
    close(sim->ports[i].fd);
  }
  tls_close();
  free(sim->ports);
  broker_free(&sim->broker);
  close(sim->epoll);
}

int main(int argc, char **argv) {
  struct sim sim = {.broker = {.domain = "org.apache.activemq.artemis",
                               .name = "sim",
                               .topology = "[]"}};
  struct options options = {.listen = "127.0.0.1",
                            .n_ports = 1,
                            .n_queues = 10,
                            .n_addresses = -1,
                            .seconds = 3600};
  struct sigaction action = {.sa_handler = stop};
  int key;

  set_version(&sim.broker, "2.40.0");
  while ((key = getopt_long(argc, argv, "", long_options, NULL)) != -1)
    take_option(&sim, &options, key);
  if (optind < argc)
    usage("unknown word", argv[optind]);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  /* OpenSSL writes without MSG_NOSIGNAL, to connections that were reset too. */
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
  start(&sim, &options);
  loop(&sim, now_ns() + options.seconds * INT64_C(1000000000));
  finish(&sim);
  free(options.hazards);
  return 0;
}
