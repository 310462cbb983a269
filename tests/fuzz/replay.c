/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* fuzz_NAME [FILE ...]: runs the target on each FILE, or on all the files of
 * tests/fuzz/corpus/NAME. Finding none is a failure. */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 1;
  }
  size_t len = 0;
  size_t capacity = 4096;
  uint8_t *data = malloc(capacity);
  while (data) {
    len += fread(data + len, 1, capacity - len, file);
    if (len < capacity)
      break;
    capacity *= 2;
    uint8_t *larger = realloc(data, capacity);
    if (!larger)
      free(data);
    data = larger;
  }
  int failed = !data || ferror(file);
  fclose(file);
  /* Of exactly its size, so that a sanitizer sees a read past its end. */
  uint8_t *exact = failed ? NULL : malloc(len ? len : 1);
  if (exact) {
    memcpy(exact, data, len);
    LLVMFuzzerTestOneInput(exact, len);
  } else {
    fprintf(stderr, "%s: cannot be read\n", path);
    failed = 1;
  }
  free(exact);
  free(data);
  return failed;
}

static int replay_folder(const char *folder, size_t *ret_n) {
  int failed = 0;
  DIR *dir = opendir(folder);
  if (!dir) {
    perror(folder);
    return 1;
  }
  for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
    char path[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
    failed |= replay_file(path);
    ++*ret_n;
  }
  closedir(dir);
  return failed;
}

int main(int argc, char **argv) {
  int failed = 0;
  size_t n = 0;
  for (int i = 1; i < argc; i++, n++)
    failed |= replay_file(argv[i]);
  if (argc == 1) {
    const char *top = getenv("top_srcdir");
    const char *name = strrchr(argv[0], '/');
    char folder[2048];
    name = name ? name + 1 : argv[0];
    if (strncmp(name, "lt-", 3) == 0)
      name += 3;
    if (strncmp(name, "fuzz_", 5) == 0)
      name += 5;
    snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/%s", top ? top : ".",
             name);
    failed |= replay_folder(folder, &n);
  }
  if (n == 0)
    fprintf(stderr, "no file was replayed\n");
  else
    printf("%zu files replayed\n", n);
  return failed || n == 0;
}
