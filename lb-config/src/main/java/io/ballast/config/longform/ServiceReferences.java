package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.ConditionalRecord;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.follow.AliasResolver;
import java.util.Optional;

/**
 * Checks the references of DNS services to other parts of the configuration: targets that are single
 * backends, and aliases, which need {@code dns.forward}.
 */
final class ServiceReferences {

    private final BallastConfig config;
    private final DnsConfig dns;
    private final Node.Mapping root;
    private final ReadContext reading;

    private ServiceReferences(BallastConfig config, DnsConfig dns, Node.Mapping root, ReadContext reading) {
        this.config = config;
        this.dns = dns;
        this.root = root;
        this.reading = reading;
    }

    /** Reports every backend that is not in its pool, and every alias that cannot be resolved. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        config.dns().ifPresent(dns -> new ServiceReferences(config, dns, root, reading).check());
    }

    private void check() {
        if (dns.aliases().size() > AliasResolver.MAX_NAMES) {
            report(dns.aliases().size() + " alias targets of services (expected: at most " + AliasResolver.MAX_NAMES
                    + ")");
        }
        for (ZoneConfig zone : dns.zones()) {
            zone.services()
                    .forEach(service -> check(service.target(), "service " + service.name() + " of " + zone.name()));
            warnOfAliases(zone);
        }
    }

    private void warnOfAliases(ZoneConfig zone) {
        long aliases = zone.services().stream()
                .filter(service -> !service.target().aliases().isEmpty())
                .count();
        if (zone.transfer().isPresent() && aliases > 0) {
            String what = aliases == 1 ? "a service with an alias" : aliases + " services with aliases";
            root.entry("dns")
                    .ifPresent(entry -> reading.warning(
                            entry, "zone " + zone.name() + ": " + what + ", which zone transfers do not include"));
        }
    }

    private void check(TargetConfig target, String where) {
        if (target instanceof TargetConfig.OfRecords some) {
            some.records().forEach(record -> check(record, where));
        }
        if (target instanceof TargetConfig.OfName external) {
            check(external.name(), where);
        }
        target.children().forEach(inside -> check(inside, where));
    }

    /** Reports a backend that is not in its pool. A pool with discovery or agents may have any backend. */
    private void check(ConditionalRecord record, String where) {
        PoolConfig pool = record.pool().map(config.pools()::get).orElse(null);
        if (pool == null || record.backend().isEmpty() || pool.hasChangingBackends()) {
            return;
        }
        boolean known = pool.backends().stream()
                .map(BackendConfig::address)
                .anyMatch(record.backend().get()::equals);
        if (!known) {
            report(where + ": backend '" + record.backend().get()
                    + "' is not in its pool (expected: a backend of pool '" + pool.name() + "')");
        }
    }

    private void check(String alias, String where) {
        if (dns.forward().isEmpty()) {
            report(where + ": alias '" + alias
                    + "' cannot be resolved (expected: dns.forward, whose resolvers look it up)");
        }
        Optional<ZoneConfig> own = dns.zones().stream()
                .filter(zone -> alias.equals(zone.name()) || alias.endsWith("." + zone.name()))
                .findFirst();
        own.ifPresent(zone -> report(where + ": alias '" + alias
                + "' is in a zone of this configuration (expected: a name outside its zones; a service"
                + " can have several names instead)"));
    }

    private void report(String problem) {
        root.entry("dns").ifPresent(entry -> reading.error(root, entry, problem));
    }
}
