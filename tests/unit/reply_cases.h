/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#ifndef TESTS_REPLY_CASES_H
#define TESTS_REPLY_CASES_H

/* Replies as brokers send them (2.18.0, 2.28.0, 2.40.0), and broken ones. */

#define OK1 "end ok items 1"
#define IN(value) "[{\"value\":" value ",\"status\":200}]"

static const struct reply_case cases[] = {
    {"a value, without a timestamp as 2.40.0 sends it",
     {VALUE},
     1,
     "[{\"request\":{\"type\":\"version\"},\"value\":\"2.40.0\",\"status\":200}"
     "]",
     "row 0 <> '2.40.0'\nitem 0 ok 200 rows 1\n" OK1},
    {"an echo and a time stamp are not looked at",
     {VALUE},
     1,
     "[{\"request\":{\"value\":7,\"status\":[404,{\"error\":\"}\\\"]\"}]},"
     "\"timestamp\":1700000000,\"status\":200,\"value\":5}]",
     "row 0 <> 5\nitem 0 ok 200 rows 1\n" OK1},
    {"exact integers",
     {VALUE, VALUE, VALUE},
     3,
     "[{\"value\":9223372036854775807,\"status\":200},"
     "{\"value\":-9223372036854775808,\"status\":200},"
     "{\"value\":9223372036854775808,\"status\":200}]",
     "row 0 <> 9223372036854775807\nitem 0 ok 200 rows 1\n"
     "row 1 <> -9223372036854775808\nitem 1 ok 200 rows 1\n"
     "row 2 <> r9.2233720368547758e+18\nitem 2 ok 200 rows 1\nend ok items 3"},
    {"an MBean",
     {MBEAN},
     1,
     IN("{\"a\":1,\"x\":\"y\",\"b\":\"3\"}"),
     "row 0 <> 1 3\"3\"\nitem 0 ok 200 rows 1\n" OK1},
    {"a pattern",
     {PATTERN},
     1,
     IN("{\"d:q=\\\"a\\\\\\\"b\\\"\":{\"a\":1,\"b\":true},"
        "\"d:q=c\":{\"b\":null}}"),
     "row 0 <d:q=\"a\\\"b\"> 1 true\nrow 0 <d:q=c> . null\n"
     "item 0 ok 200 rows 2\n" OK1},
    {"names",
     {NAMES},
     1,
     IN("[\"d:b=1\",\"d:b=2\"]"),
     "row 0 <d:b=1>\nrow 0 <d:b=2>\nitem 0 ok 200 rows 2\n" OK1},
    {"a listing",
     {LISTING},
     1,
     IN("\"{\\\"data\\\":[{\\\"id\\\":\\\"1\\\",\\\"name\\\":\\\"q\\\","
        "\\\"messageCount\\\":\\\"12\\\",\\\"durable\\\":\\\"true\\\"},"
        "{\\\"id\\\":\\\"2\\\",\\\"name\\\":\\\"r\\\","
        "\\\"messageCount\\\":\\\"-3\\\",\\\"durable\\\":\\\"false\\\"}],"
        "\\\"count\\\":2}\""),
     "row 0 <> 'q' 12\"12\" true\"true\"\nrow 0 <> 'r' -3\"-3\" "
     "false\"false\"\nitem 0 ok 200 rows 2 count 2\n" OK1},
};

#endif
