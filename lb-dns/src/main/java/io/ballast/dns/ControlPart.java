package io.ballast.dns;

import io.ballast.core.control.Background;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.ControlMessages;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.control.ControlDesk;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.control.TsigKeys;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.transfer.Notifier;
import io.ballast.dns.transfer.Slots;
import io.ballast.dns.transfer.Transfers;
import io.ballast.dns.zone.CompiledZones;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;

/**
 * What a frontend does with messages that are more than plain queries.
 *
 * <p>Thread safety: prepared and closed by one thread at a time.
 */
final class ControlPart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPart.class);

    private final Background thread = Background.of("dns-control", /* most= */ 1);
    private final ControlDesk desk;
    private final @Nullable KeptZones kept;
    /** Of what is in force. */
    private Transfers transfers;

    private TsigKeys keys = TsigKeys.NONE;
    private boolean begun;
    private final Notifier notifier;

    /**
     * A configuration that waits for its commit.
     *
     * @param messages takes messages on; null if they are answered like any other
     */
    record Prepared(@Nullable ControlMessages messages, Transfers transfers, TsigKeys keys) {}

    /**
     * @param log takes signed queries that are answered
     * @param kept takes messages about its zones; null where there are none
     */
    ControlPart(ActiveAnswerConfig active, DnsStats stats, QueryLog log, @Nullable KeptZones kept) {
        this.kept = kept;
        SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
        Counters.Shard<DnsCounter> counters = stats.newShard();
        this.desk = new ControlDesk(thread, active, counters, random, log.recorder());
        this.transfers = Transfers.none(thread, new Slots(), counters);
        this.notifier = new Notifier(stats.newShard(), Notifier.PATIENCE);
    }

    /**
     * Gets ready what takes such messages on, if a configuration has keys or handlers.
     *
     * @param zones of the configuration
     * @param pools of its services
     * @throws IOException if the file of a secret cannot be used; the message says which
     */
    Prepared prepare(DnsConfig config, CompiledZones zones, Topology pools) throws IOException {
        TsigKeys nextKeys = TsigKeys.of(config.control().keys(), Clock.systemUTC());
        boolean given = config.zones().stream().anyMatch(zone -> zone.transfer().isPresent());
        Transfers next = transfers.next(config, given ? zones.whole(pools) : Map.of());
        List<ControlHandler> handlers = new ArrayList<>();
        if (!next.isEmpty()) {
            handlers.add(next);
        }
        if (kept != null) {
            handlers.addAll(kept.handlers(config));
        }
        return new Prepared(
                nextKeys.isEmpty() && handlers.isEmpty() ? null : desk.by(nextKeys, handlers), next, nextKeys);
    }

    /** It is in force. */
    void commit(Prepared prepared) {
        Transfers before = transfers;
        transfers = prepared.transfers();
        keys = prepared.keys();
        for (Name zone : transfers.ambiguousSince(before)) {
            LOG.warn("zone={} msg=\"changed, and its serial has not: other servers keep what they have\"", zone);
        }
        if (begun) {
            transfers.tellOfChanges(before, keys, notifier);
        }
    }

    /** The zones are served from now on, so that other servers may ask for them. */
    void begin() {
        begun = true;
        transfers.tellOfChanges(transfers.none(), keys, notifier);
    }

    @Override
    public void close() {
        notifier.close();
        thread.close();
    }
}
