package io.ballast.dns.forward;

import io.ballast.core.net.CidrSet;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.filter.SpecialNames;
import org.jspecify.annotations.Nullable;

/**
 * The state of the forwarder that answering threads read: allowed clients, routes, cache and permits.
 *
 * <p>Thread safety: immutable, except for the cache and {@link #permits}.
 *
 * @param clients the allowed clients
 * @param specialNames special-use names, which are not forwarded without a route
 * @param permits the permits of pending queries
 * @param filter the filter for names; null for no filter
 */
public record ForwarderSnapshot(
        CidrSet clients,
        ForwardRoutes routes,
        SpecialNames specialNames,
        ForwardSettings settings,
        QueryPermits permits,
        @Nullable NameFilter filter) {}
