package io.ballast.dns;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.control.Background;
import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.ControlMessages;
import io.ballast.dns.control.ControlDesk;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.control.TsigKeys;
import io.ballast.core.stats.Counters;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.transfer.Slots;
import io.ballast.dns.transfer.Transfers;
import io.ballast.dns.zone.CompiledZones;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a frontend does with messages that are more than plain queries.
 *
 * <p>Thread safety: prepared and closed by one thread at a time.
 */
final class ControlPart implements AutoCloseable {

    private final Background thread = Background.of("dns-control", /* most= */ 1);
    private final ControlDesk desk;
    /** Of what is in force. */
    private Transfers transfers;

    /**
     * A configuration that waits for its commit.
     *
     * @param messages takes messages on; null if they are answered like any other
     */
    record Prepared(@Nullable ControlMessages messages, Transfers transfers) {}

    ControlPart(ActiveAnswerConfig active, DnsStats stats) {
        SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
        Counters.Shard<DnsCounter> counters = stats.newShard();
        this.desk = new ControlDesk(thread, active, counters, random);
        this.transfers = Transfers.none(thread, new Slots(), counters);
    }

    /**
     * Gets ready what takes such messages on, if a configuration has keys or handlers.
     *
     * @param zones of the configuration
     * @param pools of its services
     * @throws IOException if the file of a secret cannot be used; the message says which
     */
    Prepared prepare(DnsConfig config, CompiledZones zones, Topology pools) throws IOException {
        TsigKeys keys = TsigKeys.of(config.control().keys(), Clock.systemUTC());
        boolean given = config.zones().stream().anyMatch(zone -> zone.transfer().isPresent());
        Transfers next = transfers.next(config, given ? zones.whole(pools) : Map.of());
        List<ControlHandler> handlers = next.isEmpty() ? List.of() : List.of(next);
        return new Prepared(keys.isEmpty() && handlers.isEmpty() ? null : desk.by(keys, handlers), next);
    }

    /** It is in force. */
    void commit(Prepared prepared) {
        transfers = prepared.transfers();
    }

    @Override
    public void close() {
        thread.close();
    }
}
