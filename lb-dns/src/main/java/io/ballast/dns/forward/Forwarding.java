package io.ballast.dns.forward;

import io.ballast.core.net.CidrSet;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.filter.SpecialNames;
import org.jspecify.annotations.Nullable;

/**
 * What answering threads know of the forwarder: who may ask, which resolvers a name goes to, what is kept, and how many may wait.
 *
 * <p>Thread safety: immutable, apart from what is kept and from {@link #places}.
 *
 * @param clients whose queries are answered
 * @param specialNames names that no resolver is asked for unless a route names them
 * @param places for queries that wait
 * @param filter null if every name is answered
 */
public record Forwarding(
        CidrSet clients,
        ForwardRoutes routes,
        SpecialNames specialNames,
        ForwardSettings settings,
        Places places,
        @Nullable NameFilter filter) {}
