package io.ballast.server.config.form;

import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.TargetConfig;
import io.ballast.core.config.TargetConfig.ConditionalRecord;
import io.ballast.core.config.ZoneConfig;
import io.ballast.server.config.key.Reading;
import io.ballast.server.config.yaml.Node;
import java.util.List;

/** Records of services that depend on one backend, which its pool must have; a pool that discovers its backends may have any. */
final class RecordBackends {

    private RecordBackends() {}

    /** Reports every record whose pool has no such backend. */
    static void check(BallastConfig config, Node.Mapping root, Reading reading) {
        for (ZoneConfig zone : config.dns().map(DnsConfig::zones).orElse(List.of())) {
            for (ServiceConfig service : zone.services()) {
                check(service.target(), zone.name() + ", service " + service.name(), config, root, reading);
            }
        }
    }

    private static void check(
            TargetConfig target, String where, BallastConfig config, Node.Mapping root, Reading reading) {
        if (target instanceof TargetConfig.OfRecords some) {
            some.records().stream()
                    .filter(record -> isMissing(record, config))
                    .forEach(record -> root.entry("dns")
                            .ifPresent(dns -> reading.error(
                                    root,
                                    dns,
                                    where + ", record '" + record.data() + "': backend "
                                            + record.backend().orElseThrow() + " (expected: a backend of pool '"
                                            + record.pool().orElseThrow() + "')")));
        }
        target.inside().forEach(inside -> check(inside, where, config, root, reading));
    }

    private static boolean isMissing(ConditionalRecord record, BallastConfig config) {
        if (record.backend().isEmpty() || record.pool().isEmpty()) {
            return false;
        }
        PoolConfig pool = config.pools().get(record.pool().get());
        return pool != null
                && pool.discover().isEmpty()
                && pool.backends().stream()
                        .map(BackendConfig::address)
                        .noneMatch(record.backend().get()::equals);
    }
}
