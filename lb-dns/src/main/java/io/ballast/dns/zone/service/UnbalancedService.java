package io.ballast.dns.zone.service;

import io.ballast.core.balance.Member;
import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.ConditionalRecord;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.Ttl;
import io.ballast.dns.zone.pool.FamilyMembers;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * Creates the records of a service for zone transfers, without balancing and regardless of health: the
 * addresses of all backends of all its pools, or all its configured records (for aliases only the first one).
 * Its HTTPS record has no address hints. Any thread may call it.
 */
public final class UnbalancedService {

    private UnbalancedService() {}

    /** Returns the record sets of a service; empty sets are omitted. */
    public static List<RecordSet> sets(ServiceConfig config, Name name, Name apex, Topology topology) {
        int ttl = Ttl.seconds(config.ttl().max());
        if (config.type().hasConfiguredRecords()) {
            return List.of(written(config, name, apex, ttl));
        }
        List<RecordSet> sets = new ArrayList<>();
        addAddresses(config, name, topology, AddressFamily.IPV4, ttl, sets);
        addAddresses(config, name, topology, AddressFamily.IPV6, ttl, sets);
        config.https().ifPresent(https -> sets.add(RecordSet.of(AddressHints.withoutHints(https, name, ttl))));
        return sets;
    }

    private static RecordSet written(ServiceConfig config, Name name, Name apex, int ttl) {
        WrittenRecords written = WrittenRecords.of(config.type(), apex);
        List<Record> records = written(config.target())
                .map(each -> Record.newRecord(
                        name,
                        written.type(),
                        DClass.IN,
                        ttl,
                        written.parse(each.data()).rdataToWireCanonical()))
                .distinct()
                .limit(written.isAlias() ? 1 : Long.MAX_VALUE)
                .toList();
        return new RecordSet(name, written.type(), ttl, records);
    }

    private static Stream<ConditionalRecord> written(TargetConfig target) {
        return target instanceof TargetConfig.OfRecords some
                ? some.records().stream()
                : target.children().stream().flatMap(UnbalancedService::written);
    }

    private static void addAddresses(
            ServiceConfig config, Name name, Topology topology, AddressFamily family, int ttl, List<RecordSet> sets) {
        List<Member> members = config.target().pools().stream()
                .flatMap(pool -> topology.pool(pool).members().stream())
                .toList();
        List<Record> records = FamilyMembers.addresses(FamilyMembers.distinct(members, family)).stream()
                .sorted(Comparator.comparing(InetAddress::getHostAddress))
                .map(address -> record(address, family, name, ttl))
                .toList();
        if (!records.isEmpty()) {
            sets.add(new RecordSet(name, family == AddressFamily.IPV4 ? Type.A : Type.AAAA, ttl, records));
        }
    }

    private static Record record(InetAddress address, AddressFamily family, Name name, int ttl) {
        return family == AddressFamily.IPV4
                ? new ARecord(name, DClass.IN, ttl, address)
                : new AAAARecord(name, DClass.IN, ttl, address);
    }
}
