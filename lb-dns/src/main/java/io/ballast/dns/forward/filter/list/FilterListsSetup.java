package io.ballast.dns.forward.filter.list;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.wire.NameHash;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The resources that rule lists need.
 *
 * @param hash the keyed hash function for the lookup of names
 * @param control the control plane, which activates new tables
 * @param backgroundExecutor executor that reads lists and compiles tables
 * @param fetchExecutor executor that downloads lists, with one thread for each concurrent download
 * @param cacheDirectory a separate directory for downloaded lists
 * @param download the downloader
 * @param maxRules the maximum number of rules in all lists together
 * @param groups names of client groups, which rules may refer to
 * @param random source of random jitter for the times of downloads; used on the control plane
 */
public record FilterListsSetup(
        NameHash hash,
        ControlPlane control,
        Executor backgroundExecutor,
        Executor fetchExecutor,
        Path cacheDirectory,
        ListDownload download,
        int maxRules,
        Set<String> groups,
        RandomGenerator random) {}
