package io.ballast.dns.transfer;

import io.ballast.core.config.HostPort;
import io.ballast.core.stats.Counters;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.control.ControlRequest;
import io.ballast.dns.control.TsigKeys;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.TransferContents;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.Type;

/**
 * Transfers zones of a configuration to permitted servers.
 *
 * <p>Thread safety: any thread may use {@link #next} and its result, but only one thread at a time. Messages
 * are handled by the thread of the executor.
 */
public final class Transfers implements ControlHandler {

    private final Executor executor;
    private final TransferSlots slots;
    private final Counters.Shard<DnsCounter> counters;
    private final int max;
    private final Map<Name, Given> zones;

    /** A zone and the rules for its transfer. */
    private record Given(ZoneHistory history, TransferRules rules, TransferConfig config) {}

    private Transfers(
            Executor executor,
            TransferSlots slots,
            Counters.Shard<DnsCounter> counters,
            int max,
            Map<Name, Given> zones) {
        this.executor = executor;
        this.slots = slots;
        this.counters = counters;
        this.max = max;
        this.zones = Map.copyOf(zones);
    }

    /**
     * Creates an instance without zones.
     *
     * @param executor serial executor that handles messages
     * @param counters the executor's shard
     */
    public static Transfers none(Executor executor, TransferSlots slots, Counters.Shard<DnsCounter> counters) {
        return new Transfers(executor, slots, counters, /* max= */ 0, Map.of());
    }

    /**
     * Returns an instance for another configuration. It keeps the zone histories of this instance and adds the
     * changes since then.
     *
     * @param whole all zones of the configuration
     */
    public Transfers next(DnsConfig config, Map<Name, TransferContents> whole) {
        Map<Name, Given> next = new HashMap<>();
        for (ZoneConfig zone : config.zones()) {
            TransferContents now = zone.transfer().isEmpty() ? null : whole.get(Names.absolute(zone.name()));
            if (now != null) {
                next.put(now.apex(), next(now, zone.transfer().get()));
            }
        }
        return new Transfers(executor, slots, counters, config.control().transfers(), next);
    }

    @SuppressWarnings("ReferenceEquality") // zone contents that did not change are the same object
    private Given next(TransferContents now, TransferConfig config) {
        Given before = zones.get(now.apex());
        if (before == null) {
            return new Given(ZoneHistory.of(now), new TransferRules(config), config);
        }
        boolean isSameConfig = before.config().equals(config);
        if (isSameConfig && before.history().zone() == now) {
            return before;
        }
        TransferRules rules = isSameConfig ? before.rules() : new TransferRules(config);
        return new Given(before.history().next(now), rules, config);
    }

    /** Returns whether no zone may be transferred. */
    public boolean isEmpty() {
        return zones.isEmpty();
    }

    /** Returns an instance that has no zones and replaces this instance. */
    public Transfers none() {
        return none(executor, slots, counters);
    }

    /**
     * Returns the names of zones whose records have changed while their serial stayed the same, so that other
     * servers cannot detect the change.
     */
    public List<Name> ambiguousSince(Transfers before) {
        List<Name> names = new ArrayList<>();
        zones.forEach((name, zone) -> {
            Given earlier = before.zones.get(name);
            boolean known = earlier != null
                    && earlier.history().isAmbiguous()
                    && earlier.history().zone().serial()
                            == zone.history().zone().serial();
            if (!known && zone.history().isAmbiguous()) {
                names.add(name);
            }
        });
        return names;
    }

    /**
     * Notifies servers of the zones whose serial has changed. Newly configured servers are notified of all zones.
     *
     * @param keys the keys that sign notifications
     */
    public void reportChanges(Transfers before, TsigKeys keys, Notifier notifier) {
        zones.forEach((name, zone) -> {
            Given earlier = before.zones.get(name);
            SOARecord now = zone.history().zone().soa();
            List<HostPort> servers = earlier != null && earlier.history().zone().serial() == now.getSerial()
                    ? earlier.config().notified()
                    : List.of();
            for (HostPort server : zone.config().notified()) {
                if (!servers.contains(server)) {
                    notifier.sendNotify(address(server), name, now, key(zone.config(), keys));
                }
            }
        });
    }

    private static InetSocketAddress address(HostPort server) {
        return new InetSocketAddress(
                server.host(), server.port()); // the host was parsed as an address, so no DNS lookup occurs
    }

    private static Optional<TSIG> key(TransferConfig config, TsigKeys keys) {
        return config.notifyKey()
                .map(name -> keys.find(Names.absolute(name))
                        .orElseThrow(() -> new IllegalArgumentException(
                                "notify_key: " + name + " (expected: the name of a key in dns.keys)")));
    }

    @Override
    public boolean onTransfer(ControlRequest request) {
        Record question = request.question().orElse(null);
        Given zone = question == null ? null : zones.get(question.getName());
        if (question == null || zone == null) {
            return false;
        }
        if (!zone.rules().permits(request)) {
            refuse(request, DnsCounter.TRANSFERS_PROHIBITED);
        } else if (question.getType() == Type.AXFR) {
            sendWhole(request, zone.history());
        } else {
            sendChanges(request, zone.history());
        }
        return true;
    }

    private void refuse(ControlRequest request, DnsCounter why) {
        counters.increment(why);
        request.respond(Rcode.REFUSED);
    }

    private void sendWhole(ControlRequest request, ZoneHistory history) {
        if (!request.isOnStream()) {
            refuse(request, DnsCounter.TRANSFERS_PROHIBITED); // RFC 5936 section 4.2 does not define AXFR over UDP
            return;
        }
        TransferContents zone = history.zone();
        Stream<TransferredRecord> records = encloseInSoa(zone.soa(), TransferredRecord.of(zone.sets()));
        send(request, zone, records.iterator(), DnsCounter.TRANSFERS_WHOLE);
    }

    /** Sends an IXFR response (RFC 1995 section 4): the whole zone, the differences, or the SOA record alone. */
    private void sendChanges(ControlRequest request, ZoneHistory history) {
        Optional<SOARecord> has = clientSoa(request, history.zone().apex());
        if (has.isEmpty()) {
            counters.increment(DnsCounter.MALFORMED);
            request.respond(Rcode.FORMERR);
            return;
        }
        TransferContents zone = history.zone();
        long serial = has.get().getSerial();
        if (serial == zone.serial() || Serial.isAfter(serial, zone.serial())) {
            sendSoa(request, zone);
            return;
        }
        Optional<List<Difference>> changes = history.changesSince(serial);
        if (!request.isOnStream()) {
            sendDatagram(request, zone, changes);
        } else if (changes.isEmpty()) {
            sendWhole(request, history);
        } else {
            send(request, zone, changes(zone, changes.get()), DnsCounter.TRANSFERS_INCREMENTAL);
        }
    }

    /**
     * Sends an IXFR response over UDP. If it does not fit, the response consists of the SOA record only, so that
     * the client retries over TCP (RFC 1995 section 2).
     */
    private void sendDatagram(ControlRequest request, TransferContents zone, Optional<List<Difference>> changes) {
        if (changes.isPresent()) {
            MessageWriter writer = new MessageWriter(request, zone.apex(), request.limit());
            writer.begin();
            Iterator<TransferredRecord> records = changes(zone, changes.get());
            if (writer.fill(/* pending= */ null, records) == null) {
                counters.increment(DnsCounter.TRANSFERS_INCREMENTAL);
                request.respond(writer.bytes(), writer.end());
                return;
            }
        }
        sendSoa(request, zone);
    }

    private void sendSoa(ControlRequest request, TransferContents zone) {
        MessageWriter writer = new MessageWriter(request, zone.apex(), request.limit());
        writer.begin();
        TransferredRecord remaining = writer.fill(
                /* pending= */ null, List.of(TransferredRecord.of(zone.soa())).iterator());
        if (remaining != null) {
            throw new IllegalStateException("the SOA record does not fit into a message");
        }
        counters.increment(DnsCounter.TRANSFERS_UP_TO_DATE);
        request.respond(writer.bytes(), writer.end());
    }

    private static Iterator<TransferredRecord> changes(TransferContents zone, List<Difference> changes) {
        return encloseInSoa(zone.soa(), changes.stream().flatMap(Difference::records))
                .iterator();
    }

    /** Encloses records in SOA records. It does not use flatMap, whose iterator would buffer the whole zone. */
    private static Stream<TransferredRecord> encloseInSoa(SOARecord soa, Stream<TransferredRecord> records) {
        TransferredRecord end = TransferredRecord.of(soa);
        return Stream.concat(Stream.concat(Stream.of(end), records), Stream.of(end));
    }

    private static Optional<SOARecord> clientSoa(ControlRequest request, Name apex) {
        return request.message().getSection(Section.AUTHORITY).stream()
                .filter(record ->
                        record instanceof SOARecord && record.getName().equals(apex))
                .map(SOARecord.class::cast)
                .findFirst();
    }

    private void send(
            ControlRequest request, TransferContents zone, Iterator<TransferredRecord> records, DnsCounter kind) {
        if (!slots.tryAcquire(max)) {
            refuse(request, DnsCounter.TRANSFERS_OVERLOADED);
            return;
        }
        MessageWriter writer =
                new MessageWriter(request, zone.apex(), Math.min(request.limit(), Wire.MAX_MESSAGE_BYTES));
        new OutgoingTransfer(request, writer, records, executor, whole -> {
                    slots.release();
                    counters.increment(whole ? kind : DnsCounter.TRANSFERS_CUT);
                })
                .begin();
    }
}
