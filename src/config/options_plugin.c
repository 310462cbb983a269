/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* The whole: what all clusters have in common. */
#include "config/options_parts.h"

static const struct option list[] = {
    {.name = "ClusterFiles",
     .places = IN_PLUGIN,
     .type = OPTION_PATTERNS,
     .max = 1024,
     .fallback = "\"/etc/collectd/jolokia.d/*.conf\"",
     .unit = "file patterns",
     .help = "files with further Cluster blocks",
     PLUGIN(cluster_files)},
    {.name = "StateDir",
     .places = IN_PLUGIN,
     .type = OPTION_FOLDER,
     .max = 1024,
     .fallback = "\"/run/collectd-jolokia\"",
     .unit = "folder",
     .help = "where the processes of this host are to keep what they share",
     PLUGIN(state_dir)},
    {.name = "Instances",
     .places = IN_PLUGIN,
     .type = OPTION_COUNT,
     .min = 1,
     .max = 1000,
     .fallback = "1",
     .unit = "collectds",
     .help = "the most programs, on all hosts, that ask these nodes at once: "
             "divides every rate",
     PLUGIN(instances)},
    {.name = "MaxMemory",
     .places = IN_PLUGIN,
     .type = OPTION_COUNT,
     .min = MIB,
     .max = 1048576 * MIB,
     .fallback = "268435456",
     .unit = "bytes",
     .help = "the most that the size limits of all nodes may reserve",
     PLUGIN(max_memory)},
    {.name = "Cluster",
     .places = IN_PLUGIN,
     .type = OPTION_CLUSTER,
     .max = 127,
     .example = "\"orders\"",
     .unit = "name",
     .help = "a block: a group of nodes"},
};

const struct options_part options_plugin = {list, sizeof list / sizeof list[0]};
