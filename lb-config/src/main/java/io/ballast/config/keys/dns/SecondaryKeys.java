package io.ballast.config.keys.dns;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.HeaderKeys;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.config.keys.pool.BackendTlsKeys;
import io.ballast.core.Checks;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.zone.MemberGroup;
import io.ballast.dns.config.zone.SecondaryConfig;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The keys of {@code dns.zones[].secondary}. */
final class SecondaryKeys {

    private static final String EXPECTED = "an address such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:5353";
    /** Placeholder for a missing port; not valid for a primary. */
    private static final int NO_PORT = 0;

    private static final int MIN_SIZE_BYTES = 64 << 10;
    private static final int MAX_SIZE_BYTES = 1 << 30;
    private static final int MEMBERS_LIMIT = 1_000_000;

    private static final ShapeBuilder<SecondaryConfig> KEYS =
            Shape.named("secondary", "The primaries of a secondary zone (RFC 1034 section 4.3.5).");

    private static final Key<List<HostPort>> FROM = KEYS.required(
            "from",
            OneOrMore.of(Scalars.TEXT.map(SecondaryKeys::primary, SecondaryKeys::print), "primary"),
            "addresses of the primaries; unless a port is given, it is 53, or 853 with tls; the primaries are"
                    + " queried in this order",
            SecondaryKeys::withoutDefaultPorts);
    private static final Key<String> KEY = KEYS.optional(
            "key",
            NameReference.TSIG_KEY,
            "name of the TSIG key in dns.keys that signs queries and answers; not signed by default",
            SecondaryConfig::key);
    private static final Key<Optional<BackendTls>> TLS = KEYS.optional(
            "tls",
            BackendTlsKeys.TLS,
            "transfers the zone over TLS (RFC 9103) and verifies the primaries' certificates; off by default",
            HeaderKeys.omitting(Optional.empty(), SecondaryConfig::tls));
    private static final Key<Boolean> CATALOG = KEYS.optional(
            "catalog",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "whether it is a catalog zone (RFC 9432): its member zones are transferred from the same servers",
            SecondaryConfig::catalog);
    private static final Key<Integer> MAX_SIZE = KEYS.optional(
            "max_size",
            Sizes.between(MIN_SIZE_BYTES, MAX_SIZE_BYTES),
            SecondaryConfig.DEFAULT_MAX_SIZE_BYTES,
            "maximum size of one transfer; a larger transfer is rejected",
            SecondaryConfig::maxSizeBytes);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            SecondaryConfig.DEFAULT_TIMEOUT,
            "timeout of the whole transfer; a primary that sends nothing for 10 s fails earlier",
            SecondaryConfig::timeout);
    private static final Key<Integer> MAX_MEMBERS = KEYS.optional(
            "max_members",
            Scalars.integer(1, MEMBERS_LIMIT),
            SecondaryConfig.DEFAULT_MAX_MEMBERS,
            "maximum number of members of a catalog zone; a version with more members is rejected",
            SecondaryConfig::maxMembers);

    private static final Key<Map<String, MemberGroup>> GROUPS = KEYS.optional(
            "groups",
            CatalogMemberKeys.GROUPS,
            Map.of(),
            "settings of the member zones by group of a catalog zone; the first matching group applies",
            SecondaryConfig::groups);

    static final Type<SecondaryConfig> SECONDARY = KEYS.build(SecondaryKeys::build);

    private SecondaryKeys() {}

    private static HostPort primary(String text) {
        boolean hasPort =
                text.indexOf(':') >= 0 && (text.startsWith("[") || text.indexOf(':') == text.lastIndexOf(':'));
        HostPort primary =
                hasPort ? Addresses.requireConnectable(Addresses.parse(text, EXPECTED)) : new HostPort(text, NO_PORT);
        try {
            return new HostPort(IpAddress.parse(primary.host()).toString(), primary.port());
        } catch (IllegalArgumentException e) {
            Checks.that(/* holds= */ false, "primary", text, EXPECTED);
            throw e;
        }
    }

    private static String print(HostPort primary) {
        return primary.port() == NO_PORT ? primary.host() : primary.toString();
    }

    private static List<HostPort> withoutDefaultPorts(SecondaryConfig secondary) {
        int byDefault = SecondaryConfig.defaultPort(secondary.tls().isPresent());
        return secondary.from().stream()
                .map(primary -> primary.port() == byDefault ? new HostPort(primary.host(), NO_PORT) : primary)
                .toList();
    }

    private static List<HostPort> primaries(Values values, boolean secured) {
        Set<HostPort> primaries = new LinkedHashSet<>();
        for (HostPort primary : values.get(FROM)) {
            HostPort address = primary.port() == NO_PORT
                    ? new HostPort(primary.host(), SecondaryConfig.defaultPort(secured))
                    : primary;
            if (!primaries.add(address)) {
                values.reading().error(values.node(FROM), "duplicate primary '" + address + "'");
            }
        }
        return List.copyOf(primaries);
    }

    private static SecondaryConfig build(Values values) {
        Optional<BackendTls> tls = values.find(TLS).orElse(Optional.empty());
        Map<String, MemberGroup> groups = values.get(GROUPS);
        Checks.that(
                groups.isEmpty() || values.get(CATALOG),
                "groups",
                groups.keySet(),
                "no groups, because the zone is not a catalog zone");
        return new SecondaryConfig(
                primaries(values, tls.isPresent()),
                values.find(KEY),
                tls,
                values.get(CATALOG),
                values.get(MAX_SIZE),
                values.get(TIMEOUT),
                values.get(MAX_MEMBERS),
                groups);
    }
}
