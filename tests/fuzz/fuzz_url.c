/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* A URL that is taken is taken again as it is sent, with the same key; one
 * that is refused shows nothing that stands before its last '@'. */
#include "fuzz.h"
#include "jolokia/url.h"

#include <string.h>

static void check_taken(const struct url *url) {
  struct url again;
  FUZZ_CHECK(url_parse(url->text, &again, NULL) == STATUS_OK);
  FUZZ_CHECK(strcmp(again.text, url->text) == 0);
  FUZZ_CHECK(strcmp(again.key, url->key) == 0);
  FUZZ_CHECK(strcmp(again.origin, url->origin) == 0);
  FUZZ_CHECK(again.port == url->port && url->port != 0);
  FUZZ_CHECK(again.is_loopback == url->is_loopback);
  FUZZ_CHECK(strncmp(url->key, url->origin, strlen(url->origin)) == 0);
  FUZZ_CHECK(!strpbrk(url->key, "?#\\ \r\n"));
}

static void check_refused(const char *text, const struct error *error) {
  const char *at = strrchr(text, '@');
  FUZZ_CHECK(error->kind == STATUS_INVALID);
  FUZZ_CHECK(strstr(error->text, "URL"));
  if (!at || at - text < 40)
    return;
  char login[33] = ""; /* long enough not to stand there by chance */
  memcpy(login, at - 32, 32);
  FUZZ_CHECK(strstr(at, login) || !strstr(error->text, login));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[URL_MAX + 16];
  struct url url;
  struct error error = {STATUS_OK, ""};
  size_t len = size < sizeof(text) ? size : sizeof(text) - 1;
  memcpy(text, data, len);
  text[len] = '\0';
  if (url_parse(text, &url, &error) == STATUS_OK)
    check_taken(&url);
  else
    check_refused(text, &error);
  return 0;
}
