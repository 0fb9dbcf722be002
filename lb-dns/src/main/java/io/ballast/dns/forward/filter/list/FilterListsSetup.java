package io.ballast.dns.forward.filter.list;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.wire.NameHash;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What lists need around them.
 *
 * @param hash that of the names which will be judged
 * @param control on which lists change and tables are published
 * @param background on which lists are read and tables compiled
 * @param fetching on which URLs are waited for: of as many threads as may be slow at once
 * @param cache a directory of its own for lists that were fetched
 * @param download by which URLs are asked
 * @param mostRules in all lists together
 * @param groups names of client groups, which rules may name
 * @param random draws when URLs are asked; used on the control plane
 */
public record FilterListsSetup(
        NameHash hash,
        ControlPlane control,
        Executor background,
        Executor fetching,
        Path cache,
        ListDownload download,
        int mostRules,
        Set<String> groups,
        RandomGenerator random) {}
