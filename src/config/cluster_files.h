/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef CONFIG_CLUSTER_FILES_H
#define CONFIG_CLUSTER_FILES_H

/* Reading the files that ClusterFiles names, for the plugin and jolokiactl. */

#include "config/parse.h"

/* cluster_files_read(tree, use_default, problems): adds the Cluster blocks of
 * every file that the tree's ClusterFiles patterns match (or, without any, the
 * default's if ${use_default}) to the tree that settings_load() is given next.
 * Files are read in the order of the patterns, then by name, each once. A
 * file has Cluster blocks, bare or in <Plugin jolokia>, and nothing else; one
 * with a mistake in its grammar costs itself alone: none of it is added, and it
 * is told. Patterns that match nothing are no mistake; a path without a pattern
 * that is not there is warned of. Reads files, never waits.
 * STATUS_INVALID: an error was added. STATUS_NO_MEMORY. */
enum status cluster_files_read(struct config_tree *tree, bool use_default,
                               struct problems *problems);

#endif
