/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "harness_floor.h"

#include "harness_spread.h"

#include <curl/curl.h>

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static const char body[] =
    "[{\"type\":\"exec\",\"mbean\":\"org.apache.activemq.artemis:broker="
    "\\\"sim\\\"\",\"operation\":\"listQueues(java.lang.String,int,int)\","
    "\"arguments\":[\"{\\\"field\\\":\\\"\\\",\\\"operation\\\":\\\"\\\","
    "\\\"value\\\":\\\"\\\",\\\"sortOrder\\\":\\\"\\\"}\",1,2147483647],"
    "\"config\":{\"includeRequest\":false}}]";

static size_t discard(char *bytes, size_t size, size_t n, void *cookie) {
  size_t *total = cookie;
  (void)bytes;
  *total += size * n;
  return size * n;
}

static double cpu_ms(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

static struct {
  CURL *curl;
  struct curl_slist *headers;
  size_t bytes;         /* of the last reply */
  struct spread spread; /* after the first */
} asker;

static void set_up(const char *url) {
  CURL *curl = curl_easy_init();
  asker.curl = curl;
  asker.headers = curl_slist_append(NULL, "Content-Type: application/json");
  asker.headers = curl_slist_append(asker.headers, "Expect:");
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, asker.headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &asker.bytes);
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
}

void floor_ask(const char *url) {
  bool is_first = asker.curl == NULL;
  if (is_first)
    set_up(url);
  asker.bytes = 0;
  double begin_ms = cpu_ms();
  CURLcode code = curl_easy_perform(asker.curl);
  double took_ms = cpu_ms() - begin_ms;
  if (code != CURLE_OK)
    fprintf(stderr, "harness: floor: %s\n", curl_easy_strerror(code));
  if (!is_first)
    spread_add(&asker.spread, took_ms);
}

void floor_report(void) {
  printf("floor_middle_ms=%.3f\nfloor_least_ms=%.3f\nfloor_bytes=%zu\n",
         spread_middle(&asker.spread), spread_least(&asker.spread),
         asker.bytes);
  curl_slist_free_all(asker.headers);
  curl_easy_cleanup(asker.curl);
}
