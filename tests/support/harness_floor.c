/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "harness_floor.h"

#include <curl/curl.h>

#include <stdio.h>
#include <time.h>

enum { TIMES = 10 };

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

void floor_report(const char *url) {
  CURL *curl = curl_easy_init();
  struct curl_slist *headers =
      curl_slist_append(NULL, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Origin: http://127.0.0.1");
  headers = curl_slist_append(headers, "Expect:");
  size_t total = 0;
  double least_ms = 0;
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &total);
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  for (int i = 0; i < TIMES; i++) {
    total = 0;
    double begin_ms = cpu_ms();
    CURLcode code = curl_easy_perform(curl);
    double took_ms = cpu_ms() - begin_ms;
    if (code != CURLE_OK)
      fprintf(stderr, "harness: floor: %s\n", curl_easy_strerror(code));
    if (i == 0 || took_ms < least_ms)
      least_ms = took_ms;
  }
  printf("floor_cpu_ms=%.3f\nfloor_bytes=%zu\n", least_ms, total);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
}
