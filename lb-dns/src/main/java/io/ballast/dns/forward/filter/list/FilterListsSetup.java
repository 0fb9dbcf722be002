package io.ballast.dns.forward.filter.list;

import io.ballast.core.control.ControlPlane;
import io.ballast.dns.wire.NameHash;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What lists need around them.
 *
 * @param hash that of the names which will be judged
 * @param control on which lists change and tables are published
 * @param background on which lists are read and tables compiled
 * @param cache a directory of its own for lists that were fetched
 * @param tls how to verify servers; null for what this Java trusts
 * @param mostRules in all lists together
 * @param random draws when URLs are asked; used on the control plane
 */
public record FilterListsSetup(
        NameHash hash,
        ControlPlane control,
        Executor background,
        Path cache,
        @Nullable SSLContext tls,
        int mostRules,
        RandomGenerator random) {}
