/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
#include "artemis/collectd_type.h"

#include <string.h>

/* types.db of collectd 5.12, without the types of kind COUNTER and ABSOLUTE and
 * those whose data sources are of two kinds. Each name ends with a 0, each list
 * with an empty one. */

static const char gauges[] =
    "apache_connections\0apache_idle_workers\0apache_scoreboard\0"
    "arc_l2_size\0arc_ratio\0ath_nodes\0backends\0bad_peb_count\0"
    "bitrate\0blocked_clients\0bool\0bucket\0buffer\0bytes\0cache_ratio\0"
    "cache_size\0capacity\0ceph_bytes\0ceph_latency\0"
    "changes_since_last_save\0charge\0clock_last_meas\0"
    "clock_last_update\0clock_mode\0clock_reachability\0clock_skew_ppm\0"
    "clock_state\0clock_stratum\0compression_ratio\0conntrack\0"
    "controller\0count\0cpu_affinity\0cpufreq\0current\0"
    "current_connections\0current_sessions\0delay\0delay_rate\0"
    "df_complex\0df_inodes\0dilution_of_precision\0disk_allocation\0"
    "disk_capacity\0disk_error\0disk_physical\0dns_qtype_cached\0"
    "duration\0email_check\0email_count\0email_size\0energy\0energy_wh\0"
    "entropy\0fanspeed\0file_handles\0file_size\0files\0flow\0freepages\0"
    "frequency\0frequency_error\0frequency_offset\0gauge\0health\0"
    "humidity\0ib_cap_mask\0ib_lid\0ib_lid_mask_count\0ib_phys_state\0"
    "ib_rate\0ib_sm_lid\0ib_sm_sl\0ib_state\0ipc\0latency\0links\0"
    "max_ec\0md_disks\0media\0memcached_connections\0memcached_items\0"
    "memory\0memory_lua\0multimeter\0mysql_bpool_bytes\0"
    "mysql_bpool_pages\0nginx_connections\0node_rssi\0node_tx_rate\0"
    "nvme_avail_spare\0nvme_avail_spare_thresh\0nvme_crc_error_count\0"
    "nvme_critical_comp_time\0nvme_critical_warning\0"
    "nvme_ctrl_busy_time\0nvme_data_units_read\0nvme_data_units_written\0"
    "nvme_end_to_end_error_detection_count\0"
    "nvme_endu_grp_crit_warn_sumry\0nvme_erase_fail_count\0"
    "nvme_host_bytes_written\0nvme_host_commands_read\0"
    "nvme_host_commands_written\0nvme_media_errors\0"
    "nvme_nand_bytes_written\0nvme_num_err_log_entries\0"
    "nvme_percent_used\0nvme_pll_lock_loss_count\0nvme_power_cycles\0"
    "nvme_power_on_hours\0nvme_program_fail_count\0"
    "nvme_retry_buffer_overflow_count\0nvme_temp_sensor\0"
    "nvme_temperature\0nvme_thermal_mgmt_temp1_total_time\0"
    "nvme_thermal_mgmt_temp1_transition_count\0"
    "nvme_thermal_mgmt_temp2_total_time\0"
    "nvme_thermal_mgmt_temp2_transition_count\0"
    "nvme_thermal_throttle_status\0nvme_timed_workload_host_reads\0"
    "nvme_timed_workload_media_wear\0nvme_timed_workload_timer\0"
    "nvme_unsafe_shutdowns\0nvme_warning_temp_time\0nvme_wear_leveling\0"
    "objects\0operations_per_second\0pending_operations\0percent\0"
    "percent_bytes\0percent_inodes\0pf_states\0pg_db_size\0pg_n_tup_g\0"
    "pg_numbackends\0ping\0ping_droprate\0ping_stddev\0players\0pools\0"
    "power\0pressure\0ps_code\0ps_data\0ps_rss\0ps_stacksize\0ps_state\0"
    "ps_vm\0pstates_enabled\0pubsub\0queue_length\0records\0requests\0"
    "response_code\0response_time\0root_delay\0root_dispersion\0"
    "route_etx\0route_metric\0routes\0satellites\0segments\0"
    "signal_noise\0signal_power\0signal_quality\0slurm_cycle_last\0"
    "slurm_job_state\0slurm_last_cycle_depth\0slurm_node_state\0"
    "smart_badsectors\0smart_powercycles\0smart_poweron\0"
    "smart_temperature\0snr\0spam_check\0spam_score\0spl\0swap\0"
    "sysevent\0tcp_connections\0tdp\0temperature\0threads\0"
    "time_dispersion\0time_offset\0time_offset_ntp\0time_offset_rms\0"
    "time_ref\0timeleft\0timestamp\0turbo_enabled\0uncore_ratio\0uptime\0"
    "users\0vcl\0vcpu\0vf_link_info\0vmpage_number\0volatile_changes\0"
    "voltage\0vs_memory\0vs_processes\0vs_threads\0";

static const char gauges_2[] =
    "df\0disk_latency\0domain_state\0ps_count\0voltage_threshold\0";

static const char gauges_3[] = "load\0";

static const char gauges_4[] = "arc_size\0smart_attribute\0";

static const char derives[] =
    "apache_bytes\0apache_requests\0ath_stat\0cache_eviction\0"
    "cache_operation\0cache_result\0ceph_rate\0commands\0connections\0"
    "contextswitch\0cookies\0cpu\0derive\0disk_ops_complex\0dns_answer\0"
    "dns_notify\0dns_opcode\0dns_qtype\0dns_query\0dns_question\0"
    "dns_rcode\0dns_reject\0dns_request\0dns_resolver\0dns_response\0"
    "dns_transfer\0dns_update\0dns_zops\0drbd_resource\0errors\0"
    "evicted_keys\0expired_keys\0filter_result\0fork_rate\0fscache_stat\0"
    "hash_collisions\0http_request_methods\0http_requests\0"
    "http_response_codes\0ib_errors\0ib_link_error_recovery\0ib_octets\0"
    "ib_packets\0ib_xmit_wait\0if_collisions\0if_multicast\0"
    "if_rx_dropped\0if_rx_errors\0if_rx_nohandler\0if_rx_octets\0"
    "if_rx_packets\0if_tx_dropped\0if_tx_errors\0if_tx_octets\0"
    "if_tx_packets\0invocations\0ipt_bytes\0ipt_packets\0irq\0job_stats\0"
    "memcached_command\0memcached_ops\0memory_bandwidth\0"
    "memory_throttle_count\0mutex_operations\0mysql_bpool_counters\0"
    "mysql_commands\0mysql_handler\0mysql_innodb_data\0"
    "mysql_innodb_dblwr\0mysql_innodb_log\0mysql_innodb_pages\0"
    "mysql_innodb_row_lock\0mysql_innodb_rows\0mysql_locks\0"
    "mysql_log_position\0mysql_select\0mysql_slow_queries\0mysql_sort\0"
    "mysql_sort_merge_passes\0mysql_sort_rows\0nfs_procedure\0"
    "nginx_requests\0node_stat\0operations\0packets\0perf\0pf_counters\0"
    "pf_limits\0pf_source\0pf_state\0pg_blks\0pg_n_tup_c\0pg_scan\0"
    "pg_xact\0protocol_counter\0redis_command_cputime\0"
    "slurm_backfilled_jobs\0slurm_cycle_depth\0slurm_cycle_duration\0"
    "slurm_cycles\0slurm_job_stats\0slurm_queue_length\0swap_io\0"
    "total_bytes\0total_connections\0total_events\0total_objects\0"
    "total_operations\0total_requests\0total_sessions\0total_threads\0"
    "total_time_in_ms\0total_values\0transitions\0vf_broadcast\0"
    "vf_multicast\0virt_cpu_total\0virt_vcpu\0vmpage_action\0";

static const char derives_2[] =
    "compression\0disk_io_time\0disk_merged\0disk_octets\0disk_ops\0"
    "disk_time\0dns_octets\0if_dropped\0if_errors\0if_octets\0"
    "if_packets\0io_octets\0io_ops\0io_packets\0memcached_octets\0"
    "mysql_octets\0node_octets\0ps_cputime\0ps_disk_octets\0ps_disk_ops\0"
    "ps_pagefaults\0serial_octets\0vf_bytes\0vf_dropped\0vf_packets\0"
    "vmpage_faults\0vmpage_io\0";

static const struct {
  const char *names;
  size_t n;
  bool is_derive;
} lists[] = {{gauges, 1, false},   {gauges_2, 2, false}, {gauges_3, 3, false},
             {gauges_4, 4, false}, {derives, 1, true},   {derives_2, 2, true}};

bool collectd_type_find(const char *name, struct collectd_type *ret) {
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    for (const char *at = lists[i].names; *at; at += strlen(at) + 1)
      if (strcmp(at, name) == 0) {
        *ret = (struct collectd_type){
            .name = at, .n = lists[i].n, .is_derive = lists[i].is_derive};
        return true;
      }
  return false;
}

enum status collectd_type_check(const char *name, size_t n,
                                struct error *error) {
  struct collectd_type type;
  if (!collectd_type_find(name, &type))
    return error_set(error, STATUS_INVALID,
                     "the type %.64s is not in collectd's types.db, or is a "
                     "counter; write \"gauge\", \"derive\" or another of its "
                     "gauges and derives",
                     name);
  if (type.n == n)
    return STATUS_OK;
  return error_set(error, STATUS_INVALID,
                   "the type %.64s has %zu data sources, here it gets %zu; "
                   "name an attribute for each, or another type",
                   name, type.n, n);
}
