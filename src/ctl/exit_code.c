/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "ctl/exit_code.h"

enum exit_code exit_code_of(enum status kind) {
  static const enum exit_code codes[STATUS_COUNT] = {
      [STATUS_OK] = EXIT_CODE_DONE,
      [STATUS_PERMIT_TIMEOUT] = EXIT_CODE_NO_PERMIT,
      [STATUS_PERMIT_QUEUE_FULL] = EXIT_CODE_NO_PERMIT,
      [STATUS_CONNECT] = EXIT_CODE_CONNECTION,
      [STATUS_TLS] = EXIT_CODE_CONNECTION,
      [STATUS_TIMEOUT] = EXIT_CODE_CONNECTION,
      [STATUS_RESET] = EXIT_CODE_CONNECTION,
      [STATUS_CANCELLED] = EXIT_CODE_INTERRUPTED,
      [STATUS_CLOSING] = EXIT_CODE_INTERRUPTED,
      [STATUS_HELD] = EXIT_CODE_NO_PERMIT,
      [STATUS_AUTH] = EXIT_CODE_REFUSED,
      [STATUS_DENIED] = EXIT_CODE_REFUSED,
      [STATUS_THROTTLED] = EXIT_CODE_REFUSED,
      [STATUS_NOT_JOLOKIA] = EXIT_CODE_SOME,
      [STATUS_HTTP_STATUS] = EXIT_CODE_SOME,
      [STATUS_REPLY_TOO_LARGE] = EXIT_CODE_SOME,
      [STATUS_REQUEST_TOO_LARGE] = EXIT_CODE_SOME,
      [STATUS_MALFORMED_REPLY] = EXIT_CODE_SOME,
      [STATUS_NOT_FOUND] = EXIT_CODE_SOME,
      [STATUS_ITEM_DENIED] = EXIT_CODE_REFUSED,
      [STATUS_NOT_STARTED] = EXIT_CODE_SOME,
      [STATUS_BUSY] = EXIT_CODE_SOME,
      [STATUS_ITEM_ERROR] = EXIT_CODE_SOME,
      [STATUS_INVALID] = EXIT_CODE_USAGE,
      [STATUS_NO_MEMORY] = EXIT_CODE_SOME,
  };
  return kind < STATUS_COUNT ? codes[kind] : EXIT_CODE_SOME;
}

void exit_codes_add(struct exit_codes *codes, enum exit_code code) {
  codes->n++;
  if (code == EXIT_CODE_DONE)
    return;
  if (codes->n_failed++ == 0)
    codes->first = code;
  else if (codes->first != code)
    codes->is_mixed = true;
}

enum exit_code exit_codes_all(const struct exit_codes *codes) {
  if (codes->n_failed == 0)
    return EXIT_CODE_DONE;
  return codes->n_failed == codes->n && !codes->is_mixed ? codes->first
                                                         : EXIT_CODE_SOME;
}
