package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HostPort;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The primaries of a secondary zone (<a
 * href="https://datatracker.ietf.org/doc/html/rfc1034#section-4.3.5">RFC 1034 section 4.3.5</a>).
 *
 * @param from the primaries in order of preference; literal addresses, at least one
 * @param key name of the key in {@code dns.keys} that signs requests and notifications
 * @param tls TLS settings for the primaries (<a href="https://datatracker.ietf.org/doc/html/rfc9103">RFC
 *     9103</a>); absent for plain TCP
 * @param catalog whether the zone is a catalog zone (RFC 9432), which is not served; its members come from
 *     the same primaries
 * @param maxSizeBytes the maximum size of one transfer, as the sum of its messages in bytes
 * @param timeout the time limit of a whole transfer
 * @param maxMembers the maximum number of members of a catalog zone; a larger catalog is refused
 * @param groups settings for members of a catalog zone by group name; the first match is used
 */
public record SecondaryConfig(
        List<HostPort> from,
        Optional<String> key,
        Optional<BackendTls> tls,
        boolean catalog,
        int maxSizeBytes,
        Duration timeout,
        int maxMembers,
        Map<String, MemberGroup> groups) {

    public static final int DEFAULT_PORT = 53;
    public static final int DEFAULT_TLS_PORT = 853;
    public static final int DEFAULT_MAX_SIZE_BYTES = 256 << 20;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
    public static final int DEFAULT_MAX_MEMBERS = 10_000;

    public SecondaryConfig {
        from = List.copyOf(from);
        Checks.that(!from.isEmpty(), "from", from, "at least one primary");
        Checks.positive(maxMembers, "max_members");
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
    }

    /** Creates settings for a zone that is not a catalog zone, with default limits. */
    public SecondaryConfig(List<HostPort> from, Optional<String> key) {
        this(
                from,
                key,
                /* tls= */ Optional.empty(),
                /* catalog= */ false,
                DEFAULT_MAX_SIZE_BYTES,
                DEFAULT_TIMEOUT,
                DEFAULT_MAX_MEMBERS,
                Map.of());
    }

    /** Returns a copy with TLS. */
    public SecondaryConfig withTls(BackendTls newTls) {
        return new SecondaryConfig(from, key, Optional.of(newTls), catalog, maxSizeBytes, timeout, maxMembers, groups);
    }

    /**
     * Returns the settings for a member that belongs to {@code memberGroups}; the first matching group is used.
     */
    public MemberGroup findGroup(Collection<String> memberGroups) {
        return groups.entrySet().stream()
                .filter(group -> memberGroups.contains(group.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(MemberGroup.NONE);
    }

    /** Returns the default port of primaries, with or without TLS. */
    public static int defaultPort(boolean usesTls) {
        return usesTls ? DEFAULT_TLS_PORT : DEFAULT_PORT;
    }

    /** Returns the transfer settings for the members of this catalog zone. */
    public SecondaryConfig forMember() {
        return new SecondaryConfig(from, key, tls, /* catalog= */ false, maxSizeBytes, timeout, maxMembers, Map.of());
    }
}
