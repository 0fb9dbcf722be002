package io.ballast.dns;

import io.ballast.core.control.Background;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.ControlMessages;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.control.NotifyUpdateDispatcher;
import io.ballast.dns.control.TsigKeys;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.transfer.Notifier;
import io.ballast.dns.transfer.TransferSlots;
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
 * Handles the frontend's control messages: signed queries, zone transfers, NOTIFY and UPDATE.
 *
 * <p>Thread safety: only one thread at a time may prepare or close it.
 */
final class ControlPart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPart.class);

    private final Background thread = Background.of("dns-control", /* max= */ 1);
    private final NotifyUpdateDispatcher dispatcher;
    private final @Nullable ManagedZones managedZones;
    /** The zone transfers of the active configuration. */
    private Transfers transfers;

    private TsigKeys keys = TsigKeys.NONE;
    private boolean started;
    private final Notifier notifier;

    /**
     * A prepared configuration that has not been committed.
     *
     * @param messages handler of control messages; null if control messages are answered like other queries
     */
    record Prepared(@Nullable ControlMessages messages, Transfers transfers, TsigKeys keys) {}

    /**
     * @param log the query log, to which answered signed queries are written
     * @param kept the managed zones, which provide the handlers of NOTIFY and UPDATE messages; null if there are none
     */
    ControlPart(ActiveAnswerConfig active, DnsStats stats, QueryLog log, @Nullable ManagedZones kept) {
        this.managedZones = kept;
        SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
        Counters.Shard<DnsCounter> counters = stats.newShard();
        this.dispatcher = new NotifyUpdateDispatcher(thread, active, counters, random, log.recorder());
        this.transfers = Transfers.none(thread, new TransferSlots(), counters);
        this.notifier = new Notifier(stats.newShard(), Notifier.TIMEOUT);
    }

    /**
     * Prepares the handler of control messages for a configuration. If the configuration has no keys and needs no
     * handler for any type of control message, there is no handler, and control messages are answered like other
     * queries.
     *
     * @param zones zones of the configuration
     * @param pools pools of its services
     * @throws IOException if the file of a secret cannot be used; the message names the file
     */
    Prepared prepare(DnsConfig config, CompiledZones zones, Topology pools) throws IOException {
        return prepare(config, TsigKeys.of(config.control().keys(), Clock.systemUTC()), zones, pools);
    }

    /** Like {@link #prepare}, but keeps the keys of the active configuration; used for new zone content. */
    Prepared prepareContent(DnsConfig config, CompiledZones zones, Topology pools) {
        return prepare(config, keys, zones, pools);
    }

    private Prepared prepare(DnsConfig config, TsigKeys nextKeys, CompiledZones zones, Topology pools) {
        boolean given = config.zones().stream().anyMatch(zone -> zone.transfer().isPresent());
        Transfers next = transfers.next(config, given ? zones.transferContents(pools) : Map.of());
        List<ControlHandler> handlers = new ArrayList<>();
        if (!next.isEmpty()) {
            handlers.add(next);
        }
        if (managedZones != null) {
            handlers.addAll(managedZones.handlers(config));
        }
        return new Prepared(
                nextKeys.isEmpty() && handlers.isEmpty() ? null : dispatcher.controlMessages(nextKeys, handlers),
                next,
                nextKeys);
    }

    /** Activates a prepared configuration and sends NOTIFY for changed zones. */
    void commit(Prepared prepared) {
        Transfers before = transfers;
        transfers = prepared.transfers();
        keys = prepared.keys();
        for (Name zone : transfers.ambiguousSince(before)) {
            LOG.warn(
                    "zone={} msg=\"the zone has changed but its serial has not; secondary servers keep the previous version\"",
                    zone);
        }
        if (started) {
            transfers.reportChanges(before, keys, notifier);
        }
    }

    /** Called when the zones are first served: sends NOTIFY, so that secondaries can transfer them. */
    void begin() {
        started = true;
        transfers.reportChanges(transfers.none(), keys, notifier);
    }

    @Override
    public void close() {
        notifier.close();
        thread.close();
    }
}
