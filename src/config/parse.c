/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "config/parse.h"

#include "config/file.h"
#include "config/reader.h"
#include "config/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 64, FILE_BYTES_MAX = 16 * 1024 * 1024 };

struct parser {
  struct scanner scanner;
  struct config_tree *tree;
  struct problems *problems;
  const char *file;
  int depth; /* of files; -1: Include is refused */
  struct config_item *blocks[BLOCKS_MAX];
  size_t n_blocks;            /* 1 or more: the first is the file's own level */
  struct token broken_string; /* the first of this line with bare line breaks */
  enum status status;         /* STATUS_INVALID: the rest is not read */
};

static struct config_item *block(const struct parser *parser) {
  return parser->blocks[parser->n_blocks - 1];
}

/* collectd skips bytes that it does not know. In a block of another plugin that
 * is that plugin's affair. */
static bool is_foreign(const struct parser *parser) {
  return parser->n_blocks > 1 && config_key_is(parser->blocks[1], "Plugin") &&
         !config_is_plugin_block(parser->blocks[1]);
}

static void mark_broken(struct parser *parser) {
  for (size_t i = 0; i < parser->n_blocks; i++)
    parser->blocks[i]->is_broken = true;
}

__attribute__((format(printf, 3, 4))) static void
mistake(struct parser *parser, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  problems_vadd_at(parser->problems, parser->file, line,
                   config_cluster_of(block(parser)), false, format, args);
  va_end(args);
  mark_broken(parser);
}

static void refuse_byte(struct parser *parser, const struct token *token) {
  unsigned char byte = (unsigned char)parser->scanner.text[token->at];
  char shown[sizeof "byte 0xff"];
  if (byte > ' ' && byte < 0x7f)
    snprintf(shown, sizeof shown, "'%c'", byte);
  else
    snprintf(shown, sizeof shown, "byte 0x%02x", byte);
  problems_add_at(parser->problems, parser->file, token->line,
                  config_cluster_of(block(parser)), is_foreign(parser),
                  "%s cannot stand outside quotes: put the value in \"...\"",
                  shown);
  mark_broken(parser);
}

/* A string may be a password. */
static void token_drop(struct token *token) {
  if (token->text)
    explicit_bzero(token->text, strlen(token->text));
  free(token->text);
  token->text = NULL;
}

/* A mistake in a line that has a string with bare line breaks is most likely a
 * forgotten quote: the lines that the string swallowed are read again.
 * Takes ${token}. */
static void refuse_line(struct parser *parser, struct token *token,
                        const char *reason) {
  const struct token *string = &parser->broken_string;
  if (token->kind == TOKEN_NO_MEMORY) {
    parser->status = STATUS_NO_MEMORY;
    return;
  }
  if (string->kind == TOKEN_STRING) {
    mistake(parser, string->line,
            "the string does not end on its line: put a \" at its end");
    parser->scanner.at = string->at;
    parser->scanner.line = string->line;
  } else if (token->kind == TOKEN_UNCLOSED) {
    mistake(parser, token->line,
            "the string has no closing quote: put a \" at its end");
  } else if (token->kind == TOKEN_STRAY) {
    refuse_byte(parser, token);
  } else {
    mistake(parser, token->line, "%s", reason);
  }
  if (token->kind != TOKEN_EOL || string->kind == TOKEN_STRING)
    scan_skip_line(&parser->scanner);
  token_drop(token);
}

static void next_token(struct parser *parser, struct token *ret) {
  scan_token(&parser->scanner, ret);
  if (ret->spans_breaks && parser->broken_string.kind != TOKEN_STRING)
    parser->broken_string = *ret;
}

static char *token_text(const struct parser *parser,
                        const struct token *token) {
  return strndup(parser->scanner.text + token->at, token->len);
}

static enum status add_value(struct parser *parser, struct config_item *item,
                             const struct token *token) {
  enum status status = config_take_text(item, token->kind == TOKEN_STRING
                                                  ? token->text
                                                  : token_text(parser, token));
  if (status)
    return status;
  struct config_value *value = &item->values[item->n_values - 1];
  if (token->kind == TOKEN_NUMBER) {
    value->type = CONFIG_NUMBER;
    value->number = token->number;
  } else if (token->kind == TOKEN_BOOL) {
    value->type = CONFIG_BOOL;
    value->number = token->is_true ? 1 : 0;
  }
  return STATUS_OK;
}

/* Takes values as long as there are any, and gives what stands behind them. */
static void parse_values(struct parser *parser, struct config_item *item,
                         struct token *ret_next) {
  for (;;) {
    next_token(parser, ret_next);
    if (ret_next->kind != TOKEN_WORD && ret_next->kind != TOKEN_STRING &&
        ret_next->kind != TOKEN_NUMBER && ret_next->kind != TOKEN_BOOL)
      return;
    enum status status = add_value(parser, item, ret_next);
    ret_next->text = NULL;
    if (status) {
      ret_next->kind = TOKEN_NO_MEMORY;
      return;
    }
  }
}

/* NULL: parser->status says why. */
static struct config_item *add_item(struct parser *parser,
                                    const struct token *key) {
  if (!config_tree_count(parser->tree)) {
    mistake(parser, key->line,
            "more than %d lines and blocks: the rest is not read; split the "
            "configuration",
            CONFIG_ITEMS_MAX);
    parser->status = STATUS_INVALID;
    return NULL;
  }
  char *text = token_text(parser, key);
  struct config_item *item = text ? config_add_item(block(parser), text) : NULL;
  free(text);
  if (!item) {
    parser->status = STATUS_NO_MEMORY;
    return NULL;
  }
  item->file = parser->file;
  item->line = key->line;
  return item;
}

static void drop_last(struct parser *parser) {
  config_truncate(block(parser), block(parser)->n_children - 1);
}

/* An Include at the file's own level gives way to what it includes. */
static void follow_include(struct parser *parser) {
  struct config_item *parent = block(parser);
  const struct config_item *last = &parent->children[parent->n_children - 1];
  if (parser->n_blocks > 1 || !config_key_is(last, "Include"))
    return;
  if (parser->depth < 0) {
    mistake(parser, last->line, "Include works in files alone: remove it");
    drop_last(parser);
    return;
  }
  struct config_item include;
  config_detach_last(parent, &include);
  enum status status = reader_include(parser->tree, parent, &include,
                                      parser->depth, parser->problems);
  config_item_fini(&include);
  if (status)
    parser->status = status;
}

static void parse_option(struct parser *parser, const struct token *key) {
  struct config_item *item = add_item(parser, key);
  if (!item)
    return;
  struct token next;
  parse_values(parser, item, &next);
  if (next.kind == TOKEN_EOL && item->n_values > 0) {
    follow_include(parser);
    return;
  }
  const char *reason = "only words, numbers and strings may follow an option "
                       "on its line: put the value in \"...\"";
  if (next.kind == TOKEN_EOL)
    reason = "an option needs a value on its line";
  else if (next.kind == TOKEN_END)
    reason = "the last line has no line break: collectd refuses it; add one";
  drop_last(parser);
  refuse_line(parser, &next, reason);
}

/* The block is opened even where its first line is wrong: else every line in it
 * would be told as a mistake too. */
static void parse_block(struct parser *parser, const struct token *key) {
  if (parser->n_blocks == BLOCKS_MAX) {
    mistake(parser, key->line,
            "more than %d blocks in each other: the rest is not read",
            BLOCKS_MAX - 1);
    parser->status = STATUS_INVALID;
    return;
  }
  struct config_item *item = add_item(parser, key);
  if (!item)
    return;
  struct token next;
  parse_values(parser, item, &next);
  parser->blocks[parser->n_blocks++] = item;
  if (next.kind == TOKEN_CLOSE) {
    next_token(parser, &next);
    if (next.kind != TOKEN_EOL)
      refuse_line(parser, &next, "a block's first line ends with its >");
  } else {
    refuse_line(parser, &next, "a block's first line needs a > at its end");
  }
}

/* collectd drops a block that has neither values nor content. */
static void close_block(struct parser *parser) {
  const struct config_item *item = block(parser);
  parser->n_blocks--;
  if (item->n_values == 0 && item->n_children == 0)
    drop_last(parser);
  else
    follow_include(parser);
}

static void refuse_open_block(struct parser *parser) {
  mistake(parser, block(parser)->line,
          "<%s> is not closed: put </%s> behind its last line",
          block(parser)->key, block(parser)->key);
  close_block(parser);
}

/* The number of blocks outside of the innermost one that ${key} closes. */
static size_t closed_by(const struct parser *parser, const char *key) {
  size_t n = parser->n_blocks - 1;
  while (n > 0 && !config_key_is(parser->blocks[n], key))
    n--;
  return n;
}

static void leave_block(struct parser *parser, const char *key, int line) {
  size_t n = closed_by(parser, key);
  if (n == 0) {
    mistake(parser, line, "</%s> closes no block: remove it", key);
    return;
  }
  while (parser->n_blocks - 1 > n)
    refuse_open_block(parser);
  if (strcmp(block(parser)->key, key) != 0)
    mistake(parser, line, "<%s> is closed by </%s>: write both alike",
            block(parser)->key, key);
  close_block(parser);
}

static void parse_close(struct parser *parser) {
  struct token key;
  next_token(parser, &key);
  if (key.kind != TOKEN_WORD) {
    refuse_line(parser, &key, "</ needs the name of the block");
    return;
  }
  char *name = token_text(parser, &key);
  if (!name) {
    parser->status = STATUS_NO_MEMORY;
    return;
  }
  struct token next;
  next_token(parser, &next);
  bool is_closed = next.kind == TOKEN_CLOSE;
  if (is_closed)
    next_token(parser, &next);
  if (next.kind != TOKEN_EOL || !is_closed)
    refuse_line(parser, &next,
                next.kind == TOKEN_END && is_closed
                    ? "the last line has no line break: collectd refuses it; "
                      "add one"
                    : "the end of a block is </NAME> alone on its line");
  leave_block(parser, name, key.line);
  free(name);
}

static void parse_bracket(struct parser *parser) {
  struct token token;
  next_token(parser, &token);
  if (token.kind == TOKEN_SLASH) {
    parse_close(parser);
  } else if (token.kind == TOKEN_WORD) {
    parse_block(parser, &token);
  } else {
    refuse_line(parser, &token, "< needs the name of a block");
  }
}

static void parse_lines(struct parser *parser) {
  struct token token;
  do {
    parser->broken_string = (struct token){0};
    next_token(parser, &token);
    if (token.kind == TOKEN_WORD) {
      parse_option(parser, &token);
    } else if (token.kind == TOKEN_OPEN) {
      parse_bracket(parser);
    } else if (token.kind != TOKEN_EOL && token.kind != TOKEN_END) {
      refuse_line(parser, &token,
                  "a line begins with the name of an option, unquoted, or "
                  "with <BLOCK");
    }
  } while (token.kind != TOKEN_END && !parser->status);
  while (parser->n_blocks > 1 && !parser->status)
    refuse_open_block(parser);
}

static enum status parse(struct config_tree *tree, struct config_item *parent,
                         const struct file_text *file, const char *name,
                         int depth, struct problems *problems) {
  struct parser parser = {
      .scanner = {.text = file->bytes, .len = file->len, .line = 1},
      .tree = tree,
      .problems = problems,
      .file = config_tree_name(tree, name),
      .depth = depth,
      .blocks = {parent},
      .n_blocks = 1};
  if (!parser.file)
    return STATUS_NO_MEMORY;
  const char *nul = memchr(file->bytes, 0, file->len);
  if (nul)
    parser.scanner.len = (size_t)(nul - file->bytes);
  parse_lines(&parser);
  if (nul && !parser.status)
    mistake(&parser, parser.scanner.line,
            "a NUL byte: the rest is not read; is this a text file?");
  return parser.status == STATUS_NO_MEMORY ? STATUS_NO_MEMORY : STATUS_OK;
}

enum status reader_file(struct config_tree *tree, struct config_item *parent,
                        const char *path, int depth,
                        struct problems *problems) {
  struct file_text file;
  struct error error;
  enum status status = file_read(path, FILE_BYTES_MAX, &file, &error);
  if (status == STATUS_INVALID)
    problems_add(problems, NULL, NULL, false,
                 "%s: cannot be read: %s; mend the path or its permissions",
                 path, error.text);
  if (status)
    return status;
  status = parse(tree, parent, &file, path, depth, problems);
  file_fini(&file);
  return status;
}

enum status config_parse_file(struct config_tree *tree, const char *path,
                              struct problems *problems) {
  size_t n_errors = problems->n_errors;
  enum status status =
      reader_file(tree, config_tree_root(tree), path, 0, problems);
  if (!status && problems->n_errors > n_errors)
    status = STATUS_INVALID;
  return status;
}

enum status config_parse_text(struct config_tree *tree, const char *text,
                              size_t len, const char *name,
                              struct problems *problems) {
  size_t n_errors = problems->n_errors;
  struct file_text file = {.bytes = malloc(len + 1), .len = len};
  if (!file.bytes)
    return STATUS_NO_MEMORY;
  memcpy(file.bytes, text, len);
  file.bytes[len] = 0;
  enum status status =
      parse(tree, config_tree_root(tree), &file, name, -1, problems);
  file_fini(&file);
  if (!status && problems->n_errors > n_errors)
    status = STATUS_INVALID;
  return status;
}
